// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/diff.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/validate.hpp>

#include "fuzz.hpp"

namespace wf_test {

// Checks that the result is an error, an invalid graph, or a graph that both forms round-trip.
inline void fuzz_require_graph(wf::text_view source, const wf::result<wf::graph>& read) {
  if (!read) {
    fuzz_require(read.error().code == wf::errc::graph_syntax, "what does not parse is WF402");
    return fuzz_require_error(source, read.error());
  }
  const wf::graph& g = *read;
  if (const auto valid = wf::validate(g); !valid) {
    fuzz_require(!valid.error().message.empty(), "an invalid graph has a sentence");
    return;
  }
  ++fuzz_accepted;
  const wf::text text = wf::to_text(g.view()), json = wf::to_json(g);
  const auto from_text = wf::parse_graph(text.view());
  const auto from_json = wf::parse_graph_json(json.view());
  fuzz_require(from_text && wf::same(g, *from_text), "the text form round-trips a valid graph");
  fuzz_require(from_json && wf::same(g, *from_json), "the JSON form round-trips a valid graph");
  fuzz_require(wf::to_text(from_json->view()) == text, "a graph has one text");
  fuzz_require(wf::to_json(*from_text) == json, "a graph has one JSON text");
  const wf::digest128 digest = wf::digest(g);
  fuzz_require(digest != wf::digest128{}, "a valid graph has a digest");
  fuzz_require(digest == wf::digest(*from_text) && digest == wf::digest(*from_json),
               "equal graphs have equal digests");
  fuzz_require(wf::diff(g, *from_text).empty(), "equal graphs do not differ");
  // Compared with an empty graph, everything is a change.
  fuzz_require(wf::diff(g, wf::graph()).empty() == wf::same(g, wf::graph()),
               "graphs differ if and only if they are not the same");
}

}  // namespace wf_test
