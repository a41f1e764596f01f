// SPDX-License-Identifier: BSL-1.0
#include <mapping/read_network.hpp>

#include <doctest/doctest.h>

#include "samples.hpp"

using mapping_benchmark::read_network;

namespace {

wf::error error_of(wf::text_view text) {
  const auto read = read_network(text, "n", 1);
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  return read.error();
}

std::string with(const std::string& rows) {
  const std::string all = wf_test::small_network;
  return all.substr(0, all.find('\n') + 1) + rows;
}

}  // namespace

TEST_CASE("a network is read as a workload") {
  const auto w = read_network(wf_test::small_network, "small", 4);
  REQUIRE(w);
  CHECK(w->name == wf::text("small"));
  CHECK(w->batch == 4);
  REQUIRE(w->operators.size() == 3);
  const wf::workload_operator& conv = w->operators[0];
  CHECK(conv.label == wf::text("conv1"));
  CHECK(conv.macs == 3456);
  CHECK(conv.elementwise == 0);
  CHECK(conv.weight_bytes == 216);
  CHECK(conv.input_bytes == 108);
  CHECK(conv.output_bytes == 128);
  CHECK(conv.first_axis == 8);
  CHECK(conv.second_axis == 16);
  CHECK(conv.input_split == wf::operand_split::by_second);
  CHECK_FALSE(conv.is_output);
  CHECK(w->operators[1].elementwise == 128);
  const wf::workload_operator& heads = w->operators[2];
  CHECK(heads.macs == 512);
  CHECK(heads.weight_bytes == 0);  // the weights are the result of "turn"
  CHECK(heads.input_bytes == 32);
  CHECK(heads.is_output);
  CHECK(w->edges == wf::table<wf::workload_edge>{{0, 1, 128, wf::operand_split::by_both},
                                                 {0, 2, 128, wf::operand_split::by_both},
                                                 {1, 2, 128, wf::operand_split::by_first}});
}

TEST_CASE("line ends of either kind and empty lines are read") {
  std::string text = wf_test::small_network;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "\r\n\r\n");
  const auto w = read_network(text, "small", 1);
  REQUIRE(w);
  CHECK(w->operators.size() == 3);
}

TEST_CASE("bad tables are errors that say where") {
  CHECK(error_of("").message == wf::text("a line of 14 column names is wanted"));
  CHECK(error_of("id,name\n").where.line == 1);
  CHECK(error_of(with("0,a,conv,1,1,1\n")).message == wf::text("14 cells are wanted"));
  CHECK(error_of(with("0,a,conv,1,1,1,1,1,1,x,1,1,,\n")).where.column == 22);
  CHECK(error_of(with("1,a,conv,1,1,1,1,1,1,1,1,1,,\n")).message ==
        wf::text("the operators are not numbered from 0 on"));
  CHECK(error_of(with("0,a,fold,1,1,1,1,1,1,1,1,1,,\n")).message ==
        wf::text("an unknown kind of operator"));
  CHECK(error_of(with("0,a,conv,1,1,1,1,1,1,1,1,1,0,\n")).message ==
        wf::text("an earlier operator is wanted"));
  CHECK(error_of(with("0,a,conv,1,1,1,0,1,1,1,1,1,,\n")).message ==
        wf::text("a result needs at least one element"));
  CHECK(error_of(with("0,a,conv,1,1,1,1,1099511627776,2,1,1,1,,\n")).message ==
        wf::text("the shape has above 2^40 elements"));
  CHECK(error_of(with("")).message == wf::text("a workload needs at least one operator"));
}
