// SPDX-License-Identifier: BSL-1.0
#pragma once

// The hand-checked scenarios whose `expect` states more than counts of a run: deadlines (R6), kinds
// of dedup windows (R7) and backpressure (R8). Each function returns what differs, or nothing.

#include <cstdint>
#include <string>
#include <vector>

#include <wf/simulate/fault/expectation.hpp>
#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/storm.hpp>

#include <simulation/broken_gates.hpp>

namespace simulation_benchmark {

using namespace wf::fault;

/// The value of a member of `expect`, or of a member of that; empty if there is none.
inline std::string expected(const script& s, const char* name, const char* inner = nullptr) {
  const auto json = wf::parse_json(s.expect.view());
  if (!json) return {};
  std::uint32_t item = json->find(0, name);
  if (item != 0 && inner != nullptr) item = json->find(item, inner);
  if (item == 0) return {};
  return std::string(json->text_of(item).data(), json->text_of(item).size());
}

inline std::string compare(const char* what, const std::string& wanted, const std::string& found) {
  if (wanted == found) return {};
  return std::string(what) + ": expected '" + wanted + "', found '" + found + "'";
}
inline std::string compare(const char* what, const std::string& wanted, std::int64_t found) {
  return compare(what, wanted, std::to_string(found));
}

/// A script that sends from the first to the second peer at certain times.
inline script sending(script s, const std::vector<std::int64_t>& times,
                      const std::string& payloads = {}) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    event e;
    e.when.at_ns = times[i];
    e.what.kind = action_kind::send;
    e.what.peer = 0;
    e.what.destination = 1;
    if (i < payloads.size()) e.what.payload = wf::text(wf::text_view(&payloads[i], 1));
    s.events.push_back(e);
  }
  return s;
}

/// R6: an operation that is ready some time after its execution began.
struct deadline_program {
  std::vector<std::int64_t> ready_after;
  std::vector<std::string> outcome;

  template <class Net>
  void start(Net& net) {
    outcome.resize(ready_after.size());
    for (std::size_t i = 0; i < ready_after.size(); ++i) net.protect(0, ready_after[i], -1, i);
  }
  template <class Net>
  void protected_begins(Net&, std::uint32_t, std::uint64_t id, bool in_time) {
    outcome[id] = in_time ? "pass" : "deadline";
  }
};
inline std::string check_deadline_edge(const script& s) {
  deadline_program program;
  program.ready_after = {99'000'000, 100'000'000};
  checker check(s.peers.size());
  peer_network<deadline_program, checker> net(s, program, check);
  if (!net.run()) return "the run failed";
  check.finish();
  if (!check.holds()) return std::string(check.found().sentence.view());
  std::string out;
  for (std::size_t i = 0; i < 2; ++i)
    out += compare("ready",
                   expected(s, "ready_after_ns", std::to_string(program.ready_after[i]).c_str()),
                   program.outcome[i]);
  return out;
}

/// R7: what a window of two lets pass, by payload and by number.
inline std::string check_dedup_window(const script& s) {
  std::string out;
  for (const char* payloads : {"ABCA", "ABA"}) {
    std::vector<std::int64_t> times;
    for (std::int64_t t = 0; payloads[t] != '\0'; ++t) times.push_back(10'000'000 * t);
    const run_report run = run_script<broken_gates::payload_dedup>(sending(s, times, payloads));
    out += compare(payloads, expected(s, "payload_key", payloads),
                   static_cast<std::int64_t>(run.counts.peers[1].fired));
  }
  script late = sending(s, {0, 10'000'000, 20'000'000}, "ABC");
  rule copy;
  copy.kind = 0;
  copy.sequence = {1, 1};
  copy.effect = rule_effect::duplicate;
  copy.delay_ns = {50'000'000, 50'000'000};
  late.rules.push_back(copy);
  const run_report run = run_script(late);
  const auto& refused = run.counts.peers[1].refused;
  out += compare("late copy", expected(s, "recommended_key_replay_of_seq_1_after_seq_3"),
                 refused[static_cast<unsigned>(reason::stale)] == 1 ? "stale" : "something else");
  if (run.broken.invariant != 0) out += std::string(run.broken.sentence.view());
  if (run.counts.peers[1].fired != 3) out += "not all three fired";
  return out;
}

/// Keeps the records that R8 is about.
struct overload_history {
  checker check{2};
  std::vector<record> notices, silences, recoveries, cooldowns, silent;

  void operator()(const record& r) {
    check(r);
    if (r.what == happening::noticed) notices.push_back(r);
    if (r.what == happening::silenced) silences.push_back(r);
    if (r.what == happening::heard) recoveries.push_back(r);
    if (r.what == happening::gate_refused && r.why == reason::cooldown) cooldowns.push_back(r);
    if (r.what == happening::refused && r.why == reason::silent) silent.push_back(r);
  }
};
/// R8 and G23: a queue that is nearly full, and silence that ends.
inline std::string check_backpressure(const script& s) {
  constexpr std::int64_t ms = 1'000'000;
  script full = sending(s, {0, 0, 0, 0, 0, 0,            // the sixth makes the first notice
                            500 * ms,                    // within the quote
                            1100 * ms, 2200 * ms,        // the second and the third notice
                            3300 * ms,                   // dropped silently
                            4200 * ms - 1, 4200 * ms});  // 2 s after the third notice
  full.knobs.push_back({knob::ttl_ns, 1'000'000'000 * ms});
  full.knobs.push_back({knob::per_hop_budget_ns, 1'000'000'000 * ms});
  network_options options;
  options.service_ns = 1'000'000'000 * ms;
  overload_history history;
  no_program program;
  peer_network<no_program, overload_history> net(full, program, history, options);
  if (!net.run()) return "the run failed";
  history.check.finish();
  if (!history.check.holds()) return std::string(history.check.found().sentence.view());
  if (history.notices.size() < 3 || history.silences.size() != 1 ||
      history.recoveries.size() != 1 || history.silent.size() != 2)
    return "other notices than expected";
  std::string out = compare("depth", expected(s, "notice_at_depth"), history.notices[0].value);
  out += compare("quote", expected(s, "quoted_ns"), history.notices[0].extra);
  out += compare("send", expected(s, "send_within_quote"),
                 history.cooldowns.size() == 1 ? "cooldown" : "something else");
  std::int64_t before = 0;
  for (const record& r : history.notices) before += r.time <= history.silences[0].time;
  out += compare("silent after", expected(s, "silent_after_notices"), before);
  out += compare("quiet", expected(s, "clear_after_quiet_ns"),
                 history.recoveries[0].time - history.notices[2].time);
  // A nanosecond earlier it was still silent.
  if (history.silent[1].time != history.recoveries[0].time - 1) out += "silence ends too early";
  return out;
}

/// Compares a hand-checked scenario with its `expect`; empty if it meets them.
inline std::string check_scenario(const script& s) {
  if (!expected(s, "payload_key", "ABA").empty()) return check_dedup_window(s);
  if (!expected(s, "notice_at_depth").empty()) return check_backpressure(s);
  if (!expected(s, "ready_after_ns", "99000000").empty()) return check_deadline_edge(s);
  const run_report run = run_script(s);
  if (run.broken.invariant != 0)
    return "invariant " + std::to_string(run.broken.invariant) + ": " +
           std::string(run.broken.sentence.view());
  const auto met = meets_expectations(s, run.counts);
  return met ? std::string() : std::string(to_text(met.error()).view());
}

}  // namespace simulation_benchmark
