// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <wf/core/container/hash.hpp>
#include <wf/run/transport/run_tasks.hpp>

// Random lists of tasks whose values are hashes of what they read, and what they must become.
namespace random_tasks {

struct problem {
  wf::task_list tasks;
  std::vector<char> fails;  // by task
};

inline problem make(std::uint32_t seed, std::uint32_t ranks, std::uint32_t most = 120) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return std::uint32_t(random()) % n; };
  problem out{wf::task_list(ranks), {}};
  const std::uint32_t size = 1 + below(most), near = 1 + below(20);
  const bool has_failures = below(3) == 0;
  for (std::uint32_t t = 0; t < size; ++t) {
    std::vector<std::uint32_t> reads, waits;
    for (std::uint32_t k = t == 0 ? 0 : below(4); k > 0; --k)
      reads.push_back(t - 1 - below(t < near ? t : near));
    for (std::uint32_t k = t == 0 || below(3) != 0 ? 0 : below(3); k > 0; --k)
      waits.push_back(below(t));
    out.tasks.add(below(ranks), {reads.data(), reads.size()}, {waits.data(), waits.size()});
    if (below(5) == 0) out.tasks.keep(t);
    out.fails.push_back(has_failures && below(15) == 0 ? 1 : 0);
  }
  return out;
}

inline std::uint64_t value_of(std::uint32_t task, const std::vector<std::uint64_t>& operands) {
  wf::hasher h;
  h.word(task);
  for (const std::uint64_t x : operands) h.word(x);
  return h.value();
}

// Each task after the other.
struct expected {
  std::vector<std::uint64_t> values;  // by task
  std::vector<char> failed;
  std::uint32_t first_failure = UINT32_MAX;
};
inline expected serially(const problem& p) {
  expected out;
  for (std::uint32_t t = 0; t < p.tasks.size(); ++t) {
    bool runs = true;
    for (const std::uint32_t b : p.tasks.before(t)) runs = runs && out.failed[b] == 0;
    std::vector<std::uint64_t> operands;
    for (const std::uint32_t o : p.tasks.operands(t)) operands.push_back(out.values[o]);
    out.values.push_back(value_of(t, operands));
    if (runs && p.fails[t] != 0 && out.first_failure == UINT32_MAX) out.first_failure = t;
    out.failed.push_back(!runs || p.fails[t] != 0 ? 1 : 0);
  }
  return out;
}

// Computes, spoils what it may take, and fails where it must.
struct computing {
  const problem* of = nullptr;
  std::uint64_t taken = 0;

  wf::error operator()(std::uint32_t task, wf::view<wf::task_operand<std::uint64_t>> operands,
                       std::uint64_t& out) {
    std::vector<std::uint64_t> read;
    for (const auto& o : operands) read.push_back(*o.value);
    for (const auto& o : operands)
      if (o.is_last) *o.value = 0, ++taken;
    if (of->fails[task] != 0)
      return wf::make_error(wf::errc::numerical_failure, "it", std::to_string(task).c_str());
    out = value_of(task, read);
    return {};
  }
};

// What is wrong with the report of a process, or nothing.
inline std::string fault_of(const problem& p, const expected& e, std::uint32_t rank,
                            const wf::result<wf::task_report<std::uint64_t>>& r) {
  if (!r) return "it did not run: " + std::string(wf::to_text(r.error()).view());
  std::size_t next = 0;
  std::uint64_t ran = 0;
  for (std::uint32_t t = 0; t < p.tasks.size(); ++t) {
    if (p.tasks.owner(t) != rank) continue;
    bool runs = true;
    for (const std::uint32_t b : p.tasks.before(t)) runs = runs && e.failed[b] == 0;
    ran += runs ? 1 : 0;
    if (!p.tasks.is_kept(t) || e.failed[t] != 0) continue;
    if (next == r->outputs.size() || r->outputs[next].task != t ||
        r->outputs[next].value != e.values[t])
      return "the output of task " + std::to_string(t);
    ++next;
  }
  if (next != r->outputs.size()) return "an output too many";
  if (ran != r->computed) return "the number of tasks";
  if (r->failure.task != e.first_failure) return "the first failure";
  if ((r->failure.why.code == wf::errc::none) != (e.first_failure == UINT32_MAX))
    return "the code of the failure";
  if (e.first_failure != UINT32_MAX &&
      r->failure.why.message != std::to_string(e.first_failure).c_str())
    return "the sentence of the failure";
  return "";
}

}  // namespace random_tasks
