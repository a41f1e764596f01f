// SPDX-License-Identifier: BSL-1.0
//
//     processes tasks WIDTH DEPTH ROUNDS
//     processes prediction TIMES FILE SCALE ROUNDS
//     processes MESSAGES BYTES ROUNDS
//
// The first form is a graph of empty tasks (tasks.hpp), the second one predicts how long workflows
// take (prediction.hpp). In the third one two processes of MPI send messages to each other, through
// all gates and with answers. Prints the median of some rounds, by the first process: nanoseconds
// of a message to and fro.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <wf/run/mpi/mpi_transport.hpp>
#include <wf/run/transport/process_world.hpp>
#include <wf/simulate/fault/peer_network.hpp>

#include <cpu_time.hpp>
#include <processes/prediction.hpp>
#include <processes/tasks.hpp>

namespace {

using world = wf::process_world<wf::mpi_transport>;

constexpr std::int64_t second = 1'000'000'000;
constexpr std::uint64_t at_once = 512;

// Each peer keeps a number of messages to the other one under way.
struct exchange {
  std::uint64_t messages = 0;
  world::cargo carried;
  std::uint64_t sent = 0, taken = 0, answered = 0;

  template <class Net>
  void start(Net& net) {
    for (std::uint32_t p = 0; p < 2; ++p)
      if (net.hosts(p)) net.wake_after(p, 0, 0);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t) {
    for (; sent < messages && sent - answered < at_once; ++sent)
      net.send(p, 1 - p, 0, sent, {60 * second, 5, -1});
  }
  template <class Net>
  void ended(Net& net, const wf::fault::send_end& e) {
    ++answered;
    woke(net, e.peer, 0);
  }
  template <class Net>
  void fired(Net&, const wf::fault::delivery&, const world::cargo&) {
    ++taken;
  }
  world::cargo cargo(std::uint32_t, std::uint64_t) const { return carried; }
};

}  // namespace

int main(int argc, char** argv) {
  const wf::mpi_session mpi(argc, argv);
  wf::mpi_transport processes;
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool is_of_tasks = argc == 5 && what == "tasks";
  const bool is_prediction = argc == 6 && what == "prediction";
  if (mpi.failure().code != wf::errc::none || (argc != 4 && !is_of_tasks && !is_prediction) ||
      processes.ranks() != 2) {
    std::fprintf(stderr,
                 "usage: mpirun -np 2 processes MESSAGES BYTES ROUNDS | tasks WIDTH DEPTH ROUNDS | "
                 "prediction TIMES FILE SCALE ROUNDS\n");
    return 2;
  }
  if (is_prediction)
    return processes_benchmark::run_prediction(processes, argv[2], argv[3], std::atof(argv[4]),
                                               std::atoi(argv[5]));
  if (is_of_tasks)
    return processes_benchmark::run_task_benchmark(processes,
                                                   {static_cast<std::uint32_t>(std::atoi(argv[2])),
                                                    static_cast<std::uint32_t>(std::atoi(argv[3]))},
                                                   std::atoi(argv[4]));
  const auto messages = static_cast<std::uint64_t>(std::atoll(argv[1]));
  const auto bytes = static_cast<std::size_t>(std::atoll(argv[2]));
  wf::fault::script script;
  script.peers.resize(2);
  using wf::fault::knob;
  script.knobs = {
      {knob::dedup_window, 1024}, {knob::ttl_ns, 5 * second}, {knob::ingress_capacity, 1 << 20}};
  wf::fault::network_options options;
  options.most_events = UINT64_MAX;
  std::vector<double> wall, cpu;
  for (int round = std::atoi(argv[3]); round > 0; --round) {
    exchange program;
    program.messages = messages;
    if (bytes != 0)
      program.carried = std::make_shared<const wf::table<std::uint8_t>>(bytes, std::uint8_t{1});
    wf::fault::no_history none;
    wf::fault::peer_network<exchange, wf::fault::no_history, wf::fault::standard_gates, world> net(
        script, program, none, options, world(processes, {0, 1}, 0, 1));
    const double cpu_before = wf_benchmark::process_seconds(), before = MPI_Wtime();
    const auto ran = net.run();
    if (!ran || program.taken != messages || program.answered != messages) {
      std::fprintf(stderr, "a message is lost\n");
      return 1;
    }
    const double each = 1e9 / static_cast<double>(messages);
    wall.push_back((MPI_Wtime() - before) * each);
    cpu.push_back((wf_benchmark::process_seconds() - cpu_before) * each);
  }
  if (processes.rank() == 0)
    std::printf("RESULT suite=processes messages=%llu bytes=%zu wall_ns=%.0f cpu_ns=%.0f\n",
                static_cast<unsigned long long>(messages), bytes, wf_benchmark::median(wall),
                wf_benchmark::median(cpu));
}
