// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/batch_json.hpp>

#include <doctest/doctest.h>

#include "../batch_sample.hpp"
#include "../golden.hpp"

TEST_CASE("a batch mapping is strict JSON with every figure") {
  const wf::text made = wf::to_json(samples::batch_of_four(), samples::batch_network());
  const auto json = wf::parse_json(made.view());
  REQUIRE(json);
  CHECK(json->text_of(json->find(0, "format")) == "wf-batch-mapping");
  CHECK(json->text_of(json->find(0, "dram_bytes")) == "128");  // 64 once, 32 in two rounds
  const std::uint32_t segments = json->find(0, "segments");
  REQUIRE((*json)[segments].size == 2);
  const std::uint32_t first = wf::json_document::first_of(segments);
  CHECK(json->text_of(json->find(first, "rounds")) == "2");
  const std::uint32_t stages = json->find(first, "stages");
  REQUIRE((*json)[stages].size == 2);
  const std::uint32_t operators = json->find(wf::json_document::first_of(stages), "operators");
  REQUIRE((*json)[operators].size == 2);
  const std::uint32_t conv = wf::json_document::first_of(operators);
  CHECK(json->text_of(json->find(conv, "label")) == "conv1");
  CHECK(json->text_of(json->find(conv, "holds_weights")) == "true");
  CHECK(json->text_of(json->find((*json)[conv].next, "label")) == "relu <&>");
  CHECK(wf::parse_json(wf::to_json(wf::batch_mapping(), samples::batch_network()).view()));
}

TEST_CASE("golden: a batch mapping as JSON") {
  golden::check("batch.json",
                wf::to_json(samples::batch_of_four(), samples::batch_network()).view());
}
