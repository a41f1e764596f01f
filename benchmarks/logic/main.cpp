// SPDX-License-Identifier: BSL-1.0
//
//     logic evaluate PROGRAM ANSWERS
//     logic compile ROUNDS PROGRAM...
//     logic demand ROUNDS DATA
//     logic incremental ROUNDS PROGRAM...
//
// The first form is a worker (worker.hpp) that evaluates the program of a folder and writes its
// answers to another one. The second one measures how long reading and ordering programs takes, the
// third one how long queries take against full evaluations, the last one how long updates take.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <logic/compile_set.hpp>
#include <logic/demand_set.hpp>
#include <logic/engine.hpp>
#include <logic/incremental_set.hpp>
#include <logic/worker.hpp>

namespace {

using words = std::vector<std::string>;

int evaluate(const words& w) {
  if (w.size() != 2) return 2;
  logic_benchmark::evaluated_program program(w[0]);
  if (program.failure().empty()) return logic_benchmark::serve(program, w[1]);
  std::fprintf(stderr, "%s\n", program.failure().c_str());
  return 1;
}

int compile(const words& w) {
  if (w.size() < 2) return 2;
  return logic_benchmark::run_compile(std::atoi(w[0].c_str()), {w.begin() + 1, w.end()});
}

int demand(const words& w) {
  if (w.size() != 2) return 2;
  return logic_benchmark::run_demand(std::atoi(w[0].c_str()), w[1]);
}

int incremental(const words& w) {
  if (w.size() < 2) return 2;
  return logic_benchmark::run_incremental(std::atoi(w[0].c_str()), {w.begin() + 1, w.end()});
}

/// What the program can do: its first word, and the function that is given the others and returns
/// the exit code, 2 if it does not understand them.
struct form {
  std::string_view name;
  int (*run)(const words&);
};

constexpr form forms[] = {
    {"compile", compile}, {"demand", demand}, {"evaluate", evaluate}, {"incremental", incremental}};

}  // namespace

int main(int count, char** given) {
  int code = 2;
  for (const form& f : forms)
    if (count > 1 && f.name == given[1]) code = f.run({given + 2, given + count});
  if (code == 2)
    std::fprintf(stderr,
                 "usage: logic evaluate PROGRAM ANSWERS | compile ROUNDS PROGRAM... | "
                 "demand ROUNDS DATA | incremental ROUNDS PROGRAM...\n");
  return code;
}
