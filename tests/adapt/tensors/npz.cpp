// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/npz.hpp>

#include <string>

#include <doctest/doctest.h>

#include "packed.hpp"
#include "random_tensor.hpp"

namespace {

using wf::tensors::detail::bytes_of;

std::string npy(double value) {
  const auto bytes = wf::tensors::to_npy({{}, {}, {value}, false});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
double value_of(const std::string& archive, const char* name = "") {
  const auto read = wf::tensors::parse_npz(bytes_of(archive), name);
  REQUIRE(read);
  return read->values[0];
}
std::string refused(const std::string& archive, const char* name = "") {
  const auto read = wf::tensors::parse_npz(bytes_of(archive), name);
  REQUIRE(!read);
  return std::string(to_text(read.error()).view());
}

}  // namespace

TEST_CASE("what is written is read again, under the name arr_0") {
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) {
    auto made = wf_test::random_tensor(random, i % 2 == 0);
    const auto bytes = wf::tensors::to_npz(made);
    REQUIRE(bytes);
    made.name = "arr_0";
    CHECK(*wf::tensors::parse_npz(*bytes) == made);
    CHECK(*wf::tensors::parse_all_npz(*bytes) == wf::table<wf::tensors::dense_tensor>{made});
  }
}

TEST_CASE("an array is named, is arr_0, or is the only one") {
  const std::string several =
      wf_test::zipped({{"W.npy", npy(1), true}, {"arr_0.npy", npy(2)}, {"b.npy", npy(3)}});
  CHECK(value_of(several) == 2);
  CHECK(value_of(several, "W") == 1);
  CHECK(value_of(several, "b") == 3);
  CHECK(refused(several, "c") == "WF406 in 'c': the archive has no such array");
  CHECK(value_of(wf_test::zipped({{"W.npy", npy(1)}})) == 1);
  CHECK(refused(wf_test::zipped({{"W.npy", npy(1)}, {"b.npy", npy(3)}})) ==
        "WF406: the archive has several arrays, and none is 'arr_0'");
  CHECK(refused(wf_test::zipped({})) ==
        "WF406: the archive has several arrays, and none is 'arr_0'");
  const auto all = wf::tensors::parse_all_npz(bytes_of(several));
  REQUIRE(all);
  REQUIRE(all->size() == 3);
  CHECK((*all)[2].name.view() == "b");
  CHECK((*all)[2].values == wf::table<double>{3});
}

TEST_CASE("a member that is no array is an error that names it") {
  CHECK(refused(wf_test::zipped({{"W.npy", "text"}})) ==
        "WF406 in 'W.npy': a .npy file begins with \\x93NUMPY (at byte 0)");
  const std::string readme = wf_test::zipped({{"README", "text"}, {"arr_0.npy", npy(2)}});
  CHECK(value_of(readme) == 2);
  CHECK(to_text(wf::tensors::parse_all_npz(bytes_of(readme)).error()).view() ==
        "WF406 in 'README': the member is no .npy file");
}
