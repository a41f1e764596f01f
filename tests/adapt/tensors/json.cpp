// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/json.hpp>

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "random_tensor.hpp"

namespace {

using wf::tensors::dense_tensor;

std::string refused(const std::string& source) {
  const auto read = wf::tensors::parse_json_tensor(source);
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::bad_tensor_file);
  CHECK(read.error().where == wf::position_at(source, read.error().where.offset));
  return std::string(to_text(read.error()).view());
}
std::string lines(const dense_tensor& t) { return std::string(wf::tensors::to_jsonl(t)->view()); }

}  // namespace

TEST_CASE("arrays of arrays are tensors") {
  const auto read = [](const char* source) { return *wf::tensors::parse_json_tensor(source); };
  CHECK(read("[[1, -2.5], [3e2, 0.1]]") == dense_tensor{{}, {2, 2}, {1, -2.5, 300, 0.1}, false});
  CHECK(read("7") == dense_tensor{{}, {}, {7}, false});
  CHECK(read("[true, false]") == dense_tensor{{}, {2}, {1, 0}, true});
  CHECK(read("[]") == dense_tensor{{}, {0}, {}, false});
  CHECK(read("[[], []]") == dense_tensor{{}, {2, 0}, {}, false});
  CHECK(read("[9007199254740992, 1e22]").values == wf::table<double>{0x1p53, 1e22});
}

TEST_CASE("what is no tensor is an error with its position") {
  CHECK(refused("[[1,2],\n [3]]") == "WF406: expected 2 elements, not 1 (line 2, column 2)");
  CHECK(refused("[[1],2]") == "WF406: expected an array, not a number (line 1, column 6)");
  CHECK(refused("[1,[2]]") == "WF406: expected a number, not an array (line 1, column 4)");
  CHECK(refused("[1,true]") == "WF406: expected a number, not true or false (line 1, column 4)");
  CHECK(refused("[true,1]") == "WF406: expected true or false, not a number (line 1, column 7)");
  CHECK(refused("[null]") == "WF406: expected a number, not null (line 1, column 2)");
  CHECK(refused("[[],[1]]") == "WF406: expected 0 elements, not 1 (line 1, column 5)");
  CHECK(refused("[1e999]") == "WF406: the number is too large (line 1, column 2)");
  for (const char* integer : {"[9007199254740993]", "[-9007199254740993]", "[9007199254740994]",
                              "[1000000000000000000000000]"})
    CHECK(refused(integer) ==
          "WF406: the integer lies beyond 2^53: no double is equal to it (line 1, column 2)");
  CHECK(refused("[[[[[[[[[1]]]]]]]]]") == "WF406: a tensor has at most 8 axes (line 1, column 9)");
  CHECK(refused("[1,]") == "WF406: expected another element after ',' (line 1, column 4)");
}

TEST_CASE("tensors are written as two lines") {
  CHECK(lines({{}, {2, 2}, {1, -2.5, 0.1, 1e300}, false}) ==
        "{\"schema\":\"fuse.tensor\",\"version\":1,\"shape\":[2,2]}\n"
        "{\"value\":[[1,-2.5],[0.1,1e+300]]}\n");
  CHECK(lines({{}, {}, {1}, true}) ==
        "{\"schema\":\"fuse.tensor\",\"version\":1,\"shape\":[]}\n{\"value\":1}\n");
  CHECK(lines({{}, {2, 0}, {}, false}) ==
        "{\"schema\":\"fuse.tensor\",\"version\":1,\"shape\":[2,0]}\n{\"value\":[[],[]]}\n");
  for (const double wrong :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(to_text(wf::tensors::to_jsonl({"T", {1}, {wrong}, false}).error()).view() ==
          "WF406 in 'T': an infinite number has no JSON form");
  std::mt19937 random(6);
  for (int i = 0; i < 50; ++i) {
    const dense_tensor made = wf_test::random_tensor(random, false);
    const std::string all = lines(made);
    const std::string value = all.substr(all.find("value") + 7);
    const auto again = wf::tensors::parse_json_tensor(value.substr(0, value.size() - 2));
    REQUIRE(again);
    CHECK(again->values == made.values);
    if (!made.values.empty()) CHECK(again->extents == made.extents);
  }
}

TEST_CASE("the greatest values of each row are written, of equal ones the first") {
  const dense_tensor t{{}, {2, 4}, {1, 5, 5, 2, -1, -4, -2, -3}, false};
  CHECK(
      wf::tensors::top_to_jsonl(t, 3)->view() ==
      "{\"schema\":\"fuse.topk\",\"version\":1}\n"
      "{\"topk\":[{\"index\":1,\"value\":5},{\"index\":2,\"value\":5},{\"index\":3,\"value\":2}]}\n"
      "{\"topk\":[{\"index\":0,\"value\":-1},{\"index\":2,\"value\":-2},"
      "{\"index\":3,\"value\":-3}]}\n");
  CHECK(wf::tensors::top_to_jsonl({{}, {2}, {1, 2}, false})->view() ==
        "{\"schema\":\"fuse.topk\",\"version\":1}\n"
        "{\"topk\":[{\"index\":1,\"value\":2},{\"index\":0,\"value\":1}]}\n");
  CHECK(!wf::tensors::top_to_jsonl({{}, {}, {1}, false}));
  CHECK(!wf::tensors::top_to_jsonl({{}, {1}, {std::numeric_limits<double>::quiet_NaN()}, false}));
}
