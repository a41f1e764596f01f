// SPDX-License-Identifier: BSL-1.0
#include "../ir/random_graph.hpp"
#include "graph_property.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out{std::string(wf::to_json(wf::graph()).view())};
  random_source random(82);
  for (int i = 0; i < 24; ++i)
    out.emplace_back(wf::to_json(random_graph(random, {1 + random() % 8})).view());
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"null",    "true",       "{}",         "[]",          "\"\\ud83d\\ude00\"",
          "\\udc80", "\\u0000",    "\"",         ", ",          ": ",
          "1e5",     "-0.0",       "\"name\": ", "\"value\": ", "{\"polynomial\": \"2*N\"}",
          "\"nan\"", "\"extent\"", "\"string\"", "\"real\"",    "\"rational\": [1, 2]",
          "\"M\"",   "\"mutate\"", "[[[[[[[[",   "\xc3\xa9",    "9223372036854775807"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  wf_test::fuzz_require_graph(source, wf::parse_graph_json(source));
  // Any JSON text: its strings survive a round trip.
  const auto json = wf::parse_json(source);
  if (!json) {
    wf_test::fuzz_require_error(source, json.error());
    return 0;
  }
  for (std::uint32_t i = 0; i < json->items.size(); ++i) {
    if ((*json)[i].kind != wf::json_kind::string) continue;
    wf::text written;
    wf::append_json_string(written, json->text_of(i));
    const auto again = wf::parse_json(written.view());
    wf_test::fuzz_require(again && again->text_of(0) == json->text_of(i),
                          "a string survives being written");
  }
  return 0;
}
