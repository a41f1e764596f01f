// SPDX-License-Identifier: BSL-1.0
//
// Networks of processes with data: classes of one's own that keep state and run again and again, a
// feedback loop, and a workflow whose operators compute in simulated time.
#include <iostream>

#include <Eigen/Dense>

#include <wf/report/simulation/page.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/network/materialise.hpp>
#include <wf/simulate.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:process]
// A sensor: it has no inputs, and becomes able to run by itself, once every period.
class sensor {
 public:
  using datum = double;
  constexpr sensor() = default;
  constexpr sensor(int samples, std::int64_t period) : samples_(samples), period_(period) {}

  constexpr wf::view<wf::expected_input> inputs() const { return {}; }
  constexpr std::uint32_t outputs() const { return 1; }
  constexpr wf::result<bool> update(std::uint32_t, double, std::int64_t) { return false; }
  constexpr std::int64_t work(std::int64_t) const { return 0; }
  constexpr wf::result<wf::nothing> generate_output(std::int64_t, auto&& emit) {
    emit(0u, ++made_ % 2 == 0 ? 1.0 : 3.0);
    return wf::nothing{};
  }
  constexpr std::int64_t wake(std::int64_t) const {
    return made_ < samples_ ? made_ * period_ : wf::sim::never;
  }

 private:
  int samples_ = 0, made_ = 0;
  std::int64_t period_ = 1;
};

// Exponential smoothing, 5 ticks a sample: the value before comes back over an edge.
class smoother {
 public:
  using datum = double;

  constexpr wf::view<wf::expected_input> inputs() const { return inputs_; }
  constexpr std::uint32_t outputs() const { return 2; }
  // Takes a datum; true: it can run.
  constexpr wf::result<bool> update(std::uint32_t input, double d, std::int64_t) {
    taken_[input] = d;
    return ++count_ == 2;
  }
  constexpr std::int64_t work(std::int64_t) const { return 5; }
  constexpr wf::result<wf::nothing> generate_output(std::int64_t, auto&& emit) {
    count_ = 0;
    const double smooth = taken_[1] + 0.5 * (taken_[0] - taken_[1]);
    emit(0u, smooth);
    emit(1u, smooth);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_ = {{wf::text("sample"), wf::usage::data, {}},
                                           {wf::text("before"), wf::usage::data, {}}};
  double taken_[2]{};
  int count_ = 0;
};
// --8<-- [end:process]

// --8<-- [start:network]
using stream = wf::network<wf::one_of<sensor, smoother>>;

constexpr stream make_stream() {
  stream n;
  const wf::sim_place edge_host = n.add_host(), server = n.add_host();
  const wf::sim_place wire = n.add_link(1, 20);  // a byte a tick, 20 ticks of latency
  const std::uint32_t source = n.add_node("sensor", sensor(6, 10), edge_host);
  const std::uint32_t filter = n.add_node("smoother", smoother(), server);
  n.connect(source, 0, filter, 0, wire);
  n.connect(filter, 1, filter, 1).initial = {0.0};  // the delay of the feedback
  return n;
}

constexpr double last_value() {
  stream n = make_stream();
  return n.run()->outputs.back().value;
}
static_assert(last_value() == 1.640625);
// --8<-- [end:network]

// --8<-- [start:workflow]
constexpr auto inverse = wf::workflow<"inverse">([](wf::scope& s) {
  auto A = s.input<"A", double, 64, 64>();
  s.output<"B">(inv(A));
});
// --8<-- [end:workflow]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);

  // --8<-- [start:run]
  stream n = make_stream();
  const auto outcome = support::value_or_exit(n.run());
  for (const auto& o : outcome.outputs) std::cout << o.time << ": " << o.value << '\n';
  const wf::resource_account& used = outcome.accounts[1];
  std::cout << n.nodes[1].name.view() << ": " << used.runs << " runs, " << used.ran << " ticks, "
            << used.bytes_in << " bytes in, at most " << used.peak_bytes << " at a time\n";
  // --8<-- [end:run]

  // --8<-- [start:account]
  wf::run_account account;
  stream again = make_stream();
  support::value_or_exit(wf::run_accounted(again, {}, account));
  const wf::run_path path = wf::critical_path_of(account);
  for (const wf::path_segment& s : path.segments)
    std::cout << s.from << " to " << s.to << ": " << wf::to_text(s.reason) << ", "
              << account.tasks[s.task].label << '\n';
  wf::html_page page("A stream of samples");
  wf::add_run(page, account);
  support::write(folder / "stream.html", page.page().view());
  // --8<-- [end:account]

  // --8<-- [start:deadlock]
  stream stuck = make_stream();
  stuck.edges[1].initial.clear();  // nobody gives the first value
  std::cout << wf::to_text(stuck.run().error()).view() << '\n';
  // --8<-- [end:deadlock]

  // --8<-- [start:computes]
  wf::process_table times;
  times.set("inverse", 5000, 4);  // ticks, and elements of the result per tick
  auto network = support::value_or_exit(wf::materialise_tensors(inverse, times));
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(64, 64) + 8 * Eigen::MatrixXd::Identity(64, 64);
  const auto computed = support::value_or_exit(network.run({{"A", A}}));
  const double error = (computed.outputs.at("B") * A - Eigen::MatrixXd::Identity(64, 64)).norm();
  std::cout << "the inverse leaves the network at tick " << computed.times[0]
            << (error < 1e-12 ? ", right to 1e-12\n" : ", wrong\n");
  // --8<-- [end:computes]
  support::require(error < 1e-12, "the network computes the inverse");
}
