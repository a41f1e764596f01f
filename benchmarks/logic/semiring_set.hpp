// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <wf/registry/registry.hpp>

#include <logic/engine.hpp>

namespace logic_benchmark {

/// Operators of a user, which do what built-in ones do.
namespace own {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// An operator of two numbers.
constexpr wf::kernel_spec of_two(wf::text_view name, wf::element_rule element,
                                 const wf::law_set& laws) {
  return {.name = name,
          .domain = "own",
          .signature = "A: floating [...], B: floating [...] -> C[...]",
          .costs = {{"flops", "C"}},
          .element = element,
          .laws = laws,
          .summary = "an operator of two numbers"};
}
/// One that gives the better of two numbers.
constexpr wf::kernel_spec better_of_two(wf::text_view name, wf::element_rule element,
                                        double neutral, wf::text_view distributes_over) {
  return of_two(name, element,
                {.commutative = true,
                 .associative = true,
                 .idempotent = true,
                 .selective = true,
                 .elementwise = true,
                 .monotone = true,
                 .neutral = neutral,
                 .distributes_over = distributes_over});
}
inline constexpr wf::kernel_spec least = better_of_two(
    "least", [](const wf::constant_operands& x) { return x[1] < x[0] ? x[1] : x[0]; }, infinite,
    "widest");
inline constexpr wf::kernel_spec widest = better_of_two(
    "widest", [](const wf::constant_operands& x) { return x[0] < x[1] ? x[1] : x[0]; }, -infinite,
    "least");
inline constexpr wf::kernel_spec plus =
    of_two("plus", [](const wf::constant_operands& x) { return x[0] + x[1]; },
           {.commutative = true,
            .associative = true,
            .elementwise = true,
            .monotone = true,
            .neutral = 0,
            .distributes_over = "least widest"});

}  // namespace own

/// Evaluates shortest and widest paths of a graph over built-in and a user's semirings in turns: by
/// rows, and from one node also by rounds. Prints how many times as long the user's take. False
/// after an error, or if the results differ.
class semiring_comparison {
 public:
  explicit semiring_comparison(const std::filesystem::path& folder)
      : folder_(folder), problem_(folder), all_pairs_(problem_.failure().empty() && is_pairs()) {
    for (const wf::kernel_spec* k : {&own::least, &own::widest, &own::plus})
      (void)operators_.add(*k);
  }

  bool run(int rounds) {
    if (!problem_.failure().empty())
      return std::fprintf(stderr, "%s: %s\n", folder_.c_str(), problem_.failure().c_str()), false;
    return compare(rounds, "distances", {"min=", "add", "0"}, {"least=", "plus", "0"}) &&
           compare(rounds, "widest", {"max=", "minimum", "1000000"},
                   {"widest=", "least", "1000000"});
  }

 private:
  struct notation {
    const char *sign, *times, *start;
  };
  struct program {
    std::string text;
    wf::logic::stratified_program strata;
  };

  bool is_pairs() const {
    for (const wf::logic::tensor_info& t : problem_.program().program.tensors)
      if (t.name.view() == "d") return t.rank == 2;
    return false;
  }
  std::string text_of(const notation& n) const {
    const std::string sign = std::string(" ") + n.sign + " ", times = n.times;
    if (all_pairs_)
      return "d[x,y]" + sign + "edge[x,y]\nd[x,z]" + sign + times + "(d[x,y], edge[y,z])\n";
    return "d[x]" + sign + n.start + " source(x)\nd[y]" + sign + times + "(d[x], edge[x,y])\n";
  }
  std::optional<program> read(const notation& n) const {
    program out;
    out.text = text_of(n);
    auto made = wf::logic::read_program(out.text, {}, operators_);
    if (!made) return failed(made.error());
    auto strata = wf::logic::stratify(*std::move(made));
    if (!strata) return failed(strata.error());
    out.strata = *std::move(strata);
    return out;
  }
  std::nullopt_t failed(const wf::error& e) const {
    std::fprintf(stderr, "%s: %s\n", folder_.c_str(), message(e).c_str());
    return std::nullopt;
  }
  bool compare(int rounds, const char* what, const notation& known, const notation& users) const {
    const std::optional<program> both[] = {read(known), read(users)};
    if (!both[0] || !both[1]) return false;
    for (const bool by_rows : {true, false}) {
      if (!by_rows && all_pairs_) continue;
      wf::logic::evaluation_options options;
      options.recursions =
          by_rows ? wf::logic::recursion_method::rows : wf::logic::recursion_method::rounds;
      options.semirings = {wf::logic::rows_over<wf::logic::semiring<own::least, own::plus>>,
                           wf::logic::rows_over<wf::logic::semiring<own::widest, own::least>>};
      std::vector<double> times[2];
      std::string facts[2];
      for (int turn = 0; turn < rounds * 3; ++turn)
        for (std::size_t i = 0; i < 2; ++i) {
          const double start = wf_benchmark::thread_seconds();
          auto found = wf::logic::evaluate(both[i]->strata, problem_.inputs(), options, operators_);
          times[i].push_back(1e3 * (wf_benchmark::thread_seconds() - start));
          if (!found) return failed(found.error()), false;
          if (found->strata[0].by_rows() != by_rows)
            return std::fprintf(stderr, "%s: not by rows\n", folder_.c_str()), false;
          if (turn == 0) facts[i] = std::string(wf::logic::facts_text(found->find("d")->entries()));
        }
      if (facts[0] != facts[1] || facts[0].empty())
        return std::fprintf(stderr, "%s: the results of %s differ\n", folder_.c_str(), what), false;
      const double mine = wf_benchmark::median(times[1]), theirs = wf_benchmark::median(times[0]);
      std::printf(
          "RESULT suite=logic set=semiring program=%s what=%s by=%s ms=%.3f "
          "built_in_ms=%.3f ratio=%.3f\n",
          folder_.filename().c_str(), what, by_rows ? "rows" : "rounds", mine, theirs,
          mine / theirs);
    }
    return true;
  }

  std::filesystem::path folder_;
  evaluated_program problem_;
  bool all_pairs_;
  wf::registry operators_ = wf::logic::rule_registry();
};

/// Such a comparison of a program of shortest paths.
inline bool run_semirings(int rounds, const std::filesystem::path& folder) {
  return semiring_comparison(folder).run(rounds);
}

}  // namespace logic_benchmark
