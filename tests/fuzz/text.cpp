// SPDX-License-Identifier: BSL-1.0
#include "../ir/random_graph.hpp"
#include "graph_property.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out = {
      "wf.graph 1 \"update\"\n"
      "input \"P\" : f64[M, M] {spd}   # a comment\n"
      "node linalg.matmul(%0, %0) [steps = dim M, r = 3/2, x = 0x1.8p+200, n = "
      "-9223372036854775808]"
      " cost [flops = \"2*M\"] effect external peer \"p\" named \"n\" at \"f\":1:2 -> f64[M, 2*N + "
      "1]\n"
      "edge control @0 -> @0\n"
      "output \"y\" = %1\n"};
  random_source random(81);
  for (int i = 0; i < 24; ++i)
    out.emplace_back(wf::to_text(random_graph(random, {1 + random() % 8}).view()).view());
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"wf.graph 1 ",
          "input ",
          "node ",
          "edge control ",
          "edge mutate ",
          "output ",
          "\"x\"",
          " -> ",
          " : f64[",
          "[...]",
          "{spd}",
          "effect ",
          "peer ",
          "named ",
          "at \"f\":1:2",
          "cost [",
          "dim ",
          "%0",
          "@1",
          "nan:",
          "0x1p",
          "\\x",
          "\\n",
          "\n",
          "#",
          "inf",
          "2*N + 1",
          "?"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  wf_test::fuzz_require_graph(source, wf::parse_graph(source));
  return 0;
}
