// SPDX-License-Identifier: BSL-1.0
#include <random>

#include <wf/select/proof/check.hpp>
#include <wf/select/proof/text.hpp>
#include <wf/select/select.hpp>

#include "../select/enumerate.hpp"
#include "../select/hard_blocks.hpp"
#include "fuzz.hpp"

// The problems of the proofs with which mutation begins, each with its certified optimum.
static const std::vector<std::pair<wf::selection_problem, wf::certified_selection>>& instances() {
  static const auto out = [] {
    std::vector<std::pair<wf::selection_problem, wf::certified_selection>> some;
    std::mt19937 random(71);
    while (some.size() < 12) {
      wf::selection_problem p =
          some.size() < 9 ? enumerated::random_packing(random) : enumerated::empty_problem();
      if (some.size() >= 9) enumerated::add_hard_block(p, random);
      const auto found = wf::select_certified(p);
      if (found && found->proof.status == wf::proof_status::complete &&
          found->proof.levels[0].steps.size() > 4)
        some.emplace_back(p, *found);
    }
    return some;
  }();
  return out;
}

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out;
  for (const auto& [problem, found] : instances())
    out.emplace_back(wf::to_text(found.proof).view());
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"wf.selection_proof 1 ",
          "complete",
          "too_large",
          "\nlevel 3",
          "\ncyclic 3",
          "\nsubsumed 3 4",
          "\nfold 1 5",
          "\nmerge 1 2",
          "\nsupport 2 : 9",
          "\nlemma 4 : 0 1",
          "\nrow : 2 12",
          "\njoin 0 1",
          "\nprices 1048576 : 1=99",
          "\nprices 0 : 0=1",
          "\nbound : 3",
          "\nbound :",
          "\nbranch 3 1",
          "\ncycle 2",
          "\ntree : 1=3 0=0",
          " : ",
          "=",
          "4294967295",
          "9223372036854775807",
          "-1"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  const wf::result<wf::selection_proof> read = wf::parse_proof(source);
  if (!read) {
    wf_test::fuzz_require(read.error().code == wf::errc::proof_syntax, "what is no proof is WF504");
    wf_test::fuzz_require_error(source, read.error());
    return 0;
  }
  ++wf_test::fuzz_accepted;
  const auto again = wf::parse_proof(wf::to_text(*read));
  wf_test::fuzz_require(again && *again == *read, "the text form round-trips a proof");
  for (const auto& [problem, found] : instances())
    if (wf::check_proof(problem, *read).empty())
      wf_test::fuzz_require(read->levels[0].value <= found.result.objective[0],
                            "the checker accepts no false claim");
  return 0;
}
