// SPDX-License-Identifier: BSL-1.0
//
// A network of processes on three peers that lose messages and crash: its outputs are those of a
// run without faults. Then a gate with a mistake, and the smallest script that shows it.
#include <iostream>

#include <wf/simulate.hpp>

#include "support.hpp"

namespace {

namespace fault = wf::fault;

// --8<-- [start:process]
// Sums up what it takes, and passes the sum on.
class running_sum {
 public:
  using datum = double;

  constexpr wf::view<wf::expected_input> inputs() const { return inputs_; }
  constexpr std::uint32_t outputs() const { return 1; }
  constexpr wf::result<bool> update(std::uint32_t, double d, std::int64_t) {
    sum_ += d;
    return true;
  }
  constexpr std::int64_t work(std::int64_t) const { return 1'000'000; }  // nanoseconds
  constexpr wf::result<wf::nothing> generate_output(std::int64_t, auto&& emit) {
    emit(0u, sum_);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_ = {{wf::text("summand"), wf::usage::data, {}}};
  double sum_ = 0;
};
// --8<-- [end:process]

// --8<-- [start:network]
wf::network<running_sum> pipeline() {
  wf::network<running_sum> n;
  for (const char* name : {"first", "second", "third"})
    n.add_node(name, running_sum(), n.add_host());
  n.connect(0, 0, 1, 0);
  n.connect(1, 0, 2, 0);
  return n;
}
const wf::table<wf::network_input<double>> numbers = {
    {0, 0, 1.0, 0}, {0, 0, 2.0, 10'000'000}, {0, 0, 3.0, 20'000'000}};
// --8<-- [end:network]

// --8<-- [start:script]
constexpr wf::text_view faults = R"json({
  "wf_faults": 1, "name": "a bad day", "seed": 7, "peers": ["A", "B", "C"],
  "delay_ns": [100000, 2000000],
  "rules": [{"p": 0.3, "do": {"drop": true}},
            {"match": {"kind": "data"}, "p": 0.2,
             "do": {"duplicate": {"copies": 1, "after_ns": [0, 1000000]}}}],
  "events": [{"when": {"at_ns": 15000000},
              "do": {"crash": {"peer": "B", "restart_after_ns": 50000000}}}]
})json";
// --8<-- [end:script]

void print(wf::text_view title, const wf::table<wf::network_output<double>>& outputs) {
  std::cout << title << ':';
  for (const auto& o : outputs) std::cout << ' ' << o.value;
  std::cout << '\n';
}

// --8<-- [start:gates]
// Remembers nothing: each copy of a message counts.
struct no_memory {
  constexpr void set_window(std::int64_t) {}
  constexpr fault::reason test(const fault::envelope&) const { return fault::reason::none; }
  constexpr void record(const fault::envelope&) {}
  constexpr std::int64_t entries() const { return 0; }
};
struct forgetful_gates : fault::standard_gates {
  using dedup = no_memory;
};
// --8<-- [end:gates]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // --8<-- [start:run]
  wf::network<running_sum> calm = pipeline();
  print("without faults", support::value_or_exit(calm.run(numbers)).outputs);

  const fault::script script = support::value_or_exit(fault::parse_script(faults));
  const wf::table<fault::node_placement> placement = {
      {"first", "A"}, {"second", "B"}, {"third", "C"}};
  const auto run =
      support::value_or_exit(fault::run_network(pipeline(), script, placement, numbers));
  print("on a bad day", run.outputs);
  std::cout << "restarts: " << run.restarts << ", broken invariants: "
            << (run.run.broken.invariant == 0 ? "none" : run.run.broken.sentence.view()) << '\n';
  // --8<-- [end:run]
  support::require(run.outputs.size() == 3 && run.failure.code == wf::errc::none,
                   "all outputs are there");

  // --8<-- [start:again]
  const auto again =
      support::value_or_exit(fault::run_network(pipeline(), script, placement, numbers));
  std::cout << "the same events again: " << (again.run.trace == run.run.trace ? "yes" : "no")
            << '\n';
  // --8<-- [end:again]
  support::require(again.run.trace == run.run.trace, "a run can be repeated");

  // --8<-- [start:shrink]
  const fault::violation found = fault::run_storm<forgetful_gates>(script).broken;
  std::cout << "without a memory: invariant " << found.invariant << ", " << found.sentence << '\n';
  const auto fails = [&](const fault::script& s) {
    return fault::run_storm<forgetful_gates>(s).broken.invariant == found.invariant;
  };
  const fault::shrunk_script small = fault::shrink(script, fails);
  std::cout << "the smallest script, after " << small.runs << " runs:\n"
            << fault::to_json(small.smallest);
  // --8<-- [end:shrink]
  support::require(found.invariant != 0 && fails(small.smallest), "a copy counts twice");
  support::require(fault::run_storm(small.smallest).broken.invariant == 0,
                   "the gates of wf count it once");
  support::write(folder / "smallest_script.json", fault::to_json(small.smallest).view());
}
