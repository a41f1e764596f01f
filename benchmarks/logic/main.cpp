// SPDX-License-Identifier: BSL-1.0
//
//     logic evaluate PROGRAM ANSWERS
//     logic compile|gradient|incremental|proof|semiring ROUNDS PROGRAM...
//     logic demand ROUNDS DATA
//     logic encode PROGRAM ANSWERS
//     logic joins ROUNDS
//     logic layers FOLDER
//     logic random PROGRAMS
//
// The first form is a worker (worker.hpp) that evaluates the program of a folder and writes its
// answers to another one; `encode` is one that plans and runs an encoder of a transformer
// (encoder.hpp), which `layers` writes among others (layers.hpp). The others measure, without
// rivals, how long joins that form a cycle take by each method, programs to be read, to be
// differentiated, to be kept while facts come and go, to have their facts proved, and with
// semirings of a user; how long queries take against full evaluations; and whether random programs
// have the right results.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <logic/compile_set.hpp>
#include <logic/demand_set.hpp>
#include <logic/encoder.hpp>
#include <logic/engine.hpp>
#include <logic/gradient_set.hpp>
#include <logic/incremental_set.hpp>
#include <logic/joins_set.hpp>
#include <logic/layers.hpp>
#include <logic/methods_set.hpp>
#include <logic/proof_set.hpp>
#include <logic/random_set.hpp>
#include <logic/semiring_set.hpp>
#include <logic/worker.hpp>

namespace {

using words = std::vector<std::string>;

/// Serves a problem of a folder.
template <class Problem>
int serve(const words& w) {
  if (w.size() != 2) return 2;
  Problem program(w[0]);
  if (program.failure().empty()) return logic_benchmark::serve(program, w[1]);
  std::fprintf(stderr, "%s\n", program.failure().c_str());
  return 1;
}

int compile(const words& w) {
  if (w.size() < 2) return 2;
  return logic_benchmark::run_compile(std::atoi(w[0].c_str()), {w.begin() + 1, w.end()});
}

/// Runs a set over programs, one after the other, so many rounds.
template <bool (*Run)(int, const std::filesystem::path&)>
int over_programs(const words& w) {
  if (w.size() < 2) return 2;
  bool fine = true;
  for (std::size_t i = 1; i < w.size(); ++i) fine = Run(std::atoi(w[0].c_str()), w[i]) && fine;
  return fine ? 0 : 1;
}

int demand(const words& w) {
  if (w.size() != 2) return 2;
  return logic_benchmark::run_demand(std::atoi(w[0].c_str()), w[1]);
}

int joins(const words& w) {
  if (w.size() != 1) return 2;
  return logic_benchmark::run_joins(std::atoi(w[0].c_str()));
}

int layers(const words& w) {
  if (w.size() != 1) return 2;
  return logic_benchmark::write_layers(w[0]) ? 0 : 1;
}

int methods(const words& w) {
  if (w.size() != 1) return 2;
  return logic_benchmark::run_methods(std::atoi(w[0].c_str()));
}

int random(const words& w) {
  if (w.size() != 1) return 2;
  return logic_benchmark::run_random(std::strtoull(w[0].c_str(), nullptr, 10));
}

/// What the program can do: its first word, and the function that is given the others and returns
/// the exit code, 2 if it does not understand them.
struct form {
  std::string_view name;
  int (*run)(const words&);
};

constexpr form forms[] = {{"compile", compile},
                          {"demand", demand},
                          {"encode", serve<logic_benchmark::encoder>},
                          {"evaluate", serve<logic_benchmark::evaluated_program>},
                          {"gradient", over_programs<logic_benchmark::run_differentiated>},
                          {"incremental", over_programs<logic_benchmark::run_updated>},
                          {"joins", joins},
                          {"layers", layers},
                          {"methods", methods},
                          {"proof", over_programs<logic_benchmark::run_proved>},
                          {"random", random},
                          {"semiring", over_programs<logic_benchmark::run_semirings>}};

}  // namespace

int main(int count, char** given) {
  int code = 2;
  for (const form& f : forms)
    if (count > 1 && f.name == given[1]) code = f.run({given + 2, given + count});
  if (code == 2)
    std::fprintf(stderr,
                 "usage: logic evaluate|encode PROGRAM ANSWERS | layers FOLDER | "
                 "compile|gradient|incremental|proof|semiring ROUNDS "
                 "PROGRAM... | demand ROUNDS DATA | joins|methods ROUNDS | random PROGRAMS\n");
  return code;
}
