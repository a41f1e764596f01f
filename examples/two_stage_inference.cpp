// SPDX-License-Identifier: BSL-1.0
//
// Inference in two stages: a camera's machine at the edge prepares the picture, a model in the
// cloud classifies it, and the answer must be back in time. What crosses and how long it may take
// is checked while compiling; then the run on a good network, and on one that is too slow.
#include <wf/partition/traffic.hpp>

#include "machines.hpp"
#include "two_stage_inference.hpp"

using two_stage_inference::inference;

namespace {

// --8<-- [start:budget]
using namespace wf::literals;

constexpr wf::deployment deployed() {
  wf::deployment_settings settings;
  settings.per_hop_budget = 40_ms;
  return *wf::deploy(inference, settings);
}
static_assert(*wf::wire_bytes(deployed().parts(), "edge") == 32 * 32 * 4);
static_assert(*wf::wire_bytes(deployed().parts(), "cloud") == 64 * 4 * 4 + 64 * 4);
static_assert(*wf::wire_bytes(deployed().parts(), "@self") == 4 * 4);
// A message has as much time as it and those that follow from it take.
static_assert(*wf::wire_deadline(deployed().parts(), "@self", "edge") == 3 * 40_ms);
static_assert(*wf::wire_deadline(deployed().parts(), "edge", "cloud") == 2 * 40_ms);
static_assert(*wf::wire_deadline(deployed().parts(), "cloud", "@self") == 40_ms);
// --8<-- [end:budget]

// --8<-- [start:slow]
// Each message takes 60 ms on its way.
constexpr wf::text_view slow_network = R"json({
  "wf_faults": 1, "name": "a slow link", "seed": 3, "delay_ns": [1000000, 2000000],
  "peers": ["the host"],
  "rules": [{"match": {"kind": "data"}, "do": {"delay": [60000000, 60000000]}}]
})json";
// --8<-- [end:slow]

constexpr wf::text_view good_network = R"json({
  "wf_faults": 1, "name": "a good link", "seed": 3, "delay_ns": [1000000, 2000000],
  "peers": ["the host"],
  "rules": [{"match": {"kind": "data"}, "p": 0.3,
             "do": {"duplicate": {"copies": 2, "after_ns": [0, 10000000]}}},
            {"p": 0.3, "do": {"delay": [0, 5000000]}}]
})json";

}  // namespace

int main() {
  const wf::deployment d = deployed();
  std::srand(2);
  const Eigen::MatrixXf picture = (Eigen::MatrixXf::Random(32, 32).array() + 1).matrix(),
                        W = Eigen::MatrixXf::Random(64, 4);
  const wf::named_matrices arguments = {{"picture", picture.cast<double>()},
                                        {"W", W.cast<double>()}};

  const auto good = support::machine_park(d, good_network).run(d, arguments);
  support::print(good);
  const auto outputs = support::value_or_exit(wf::tensor_outputs(d, good));
  const bool same = support::same_bits(outputs, support::run_whole(inference, arguments));
  std::cout << "as on one machine, to the bit: " << (same ? "yes" : "no") << '\n';
  support::require(same && good.failures.empty(), "the answer is that of one machine");

  // --8<-- [start:late]
  const support::machine_park machines(d, slow_network);
  const auto slow = machines.run(d, arguments);
  for (const wf::machine_failure& f : slow.failures)
    std::cout << machines.script.peers[f.machine] << " sends nothing to "
              << (f.other == f.machine ? "anybody" : machines.script.peers[f.other].view()) << ": "
              << wf::fault::name_of(f.why) << '\n';
  std::cout << "answers: " << slow.outputs.size() << '\n';
  // --8<-- [end:late]
  bool is_late = false;
  for (const wf::machine_failure& f : slow.failures)
    is_late = is_late || f.why == wf::fault::reason::deadline;
  support::require(is_late && slow.outputs.empty(), "an answer that is late is none");
  support::require(slow.run.broken.invariant == 0, "the invariants hold");
}
