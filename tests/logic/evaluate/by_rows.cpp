// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/by_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>

#include "../ordered_program.hpp"

namespace {

using wf::logic::database;
using wf::logic::evaluation_options;
using wf::logic::recursion_method;

// A linear recursion of one or two tensors of rank 1 or 2, with what it reads.
class linear_program {
 public:
  explicit linear_program(std::uint64_t seed) : random_(seed) {
    rank_ = 1 + random_() % 2;
    kind_ = static_cast<int>(random_() % 3);
    low_ = random_() % 3 == 0 ? -2 : 0;
    const std::size_t tensors = 1 + random_() % 2;
    for (std::size_t t = 0; t < tensors; ++t) {
      source += head(t) + base() + "\n";
      for (std::size_t rules = random_() % 3; rules > 0; --rules)
        source += head(t) + step(random_() % tensors) + "\n";
    }
    source += head(0) + step(tensors - 1) + "\n";
    for (const char* name : {"E", "F"}) inputs.add(name, wf_test::relation_of(2, rows(2, 0)));
    for (const char* name : {"S", "T"}) inputs.add(name, wf_test::relation_of(1, rows(1, 0)));
    for (const char* name : {"V", "W"}) inputs.add(name, wf_test::tensor_of(2, rows(2, 4)));
    if (random_() % 4 == 0) {
      const auto rank = static_cast<std::uint32_t>(rank_);
      inputs.add("P0", kind_ == 0 ? wf_test::relation_of(rank, rows(rank_, 0))
                                  : wf_test::tensor_of(rank, rows(rank_, 5)));
    }
  }

  std::string source;
  database inputs;

 private:
  std::string any(const std::vector<std::string>& of) { return of[random_() % of.size()]; }
  std::string read(std::size_t t, const char* row, const char* column) const {
    const std::string at = rank_ == 2 ? std::string(row) + "," + column : column;
    return "P" + std::to_string(t) + (kind_ == 0 ? "(" + at + ")" : "[" + at + "]");
  }
  std::string head(std::size_t t) const {
    return read(t, "x", "z") + (kind_ == 0 ? " = " : kind_ == 1 ? " min= " : " max= ");
  }
  std::string base() {
    if (rank_ == 1) return any({"S(z)", "T(z) !S(z)", "E(z,y)"});
    return kind_ == 0 ? any({"E(x,z)", "S(x) T(z)"}) : any({"V[x,z]", "E(x,z)", "S(x) T(z)"});
  }
  // A rule that reads a tensor: moves columns, rows, both or nothing, or is no such move.
  std::string step(std::size_t t) {
    const int move = static_cast<int>(random_() % (rank_ == 2 ? 5 : 2));
    if (move == 1) return read(t, "x", "z");
    const bool columns = move != 2, rows = move >= 2 && move != 4;
    std::string out = read(t, rows ? "u" : "x", columns ? "y" : "z");
    const std::string sign = kind_ == 2 ? " - " : " + ";
    if (columns)
      out += any({" E(y,z)", " F(z,y)", " E(y,w) F(w,z)", " F(y,z) !S(y)", " S(y) T(z)"});
    if (rows) out += any({" E(x,u)", " F(u,x)", " F(x,w) E(w,u)", " E(x,u) [x < u]"});
    if (move == 4 && random_() % 3 == 0) out += " [x != z]";
    if (kind_ != 0 && random_() % 4 != 0) {
      out += sign + any({"1", "2"});
      if (columns && !rows) out += any({"", sign + "W[y,z]", sign + "W[y,k] E(k,z)"});
      if (rows) out += any({"", sign + "V[x,u]"});
    }
    return out;
  }
  std::vector<std::vector<std::int32_t>> rows(std::size_t rank, std::uint64_t values) {
    std::vector<std::vector<std::int32_t>> out;
    const std::uint64_t size = 2 + random_() % 4;
    for (std::size_t n = random_() % 8; n > 0; --n) {
      std::vector<std::int32_t> row;
      for (std::size_t c = 0; c < rank; ++c)
        row.push_back(low_ + static_cast<std::int32_t>(random_() % size));
      bool known = false;
      for (const auto& other : out)
        known = known || std::equal(row.begin(), row.end(), other.begin());
      if (known) continue;
      if (values != 0) row.push_back(static_cast<std::int32_t>(random_() % values));
      out.push_back(row);
    }
    return out;
  }

  std::mt19937_64 random_;
  std::size_t rank_ = 0;
  int kind_ = 0;  // Boolean, min=, max=
  std::int32_t low_ = 0;
};

// All results as text; `rows` counts the strata that went by rows.
std::string facts_of(const wf::logic::stratified_program& p, const database& inputs,
                     const evaluation_options& options, std::size_t& rows) {
  auto found = wf::logic::evaluate(p, inputs, options);
  if (!found) return std::string(wf::to_text(found.error()));
  std::string out;
  for (wf::logic::solved_tensor& t : found->tensors)
    out += std::string(t.name) + "\n" + std::string(wf::logic::facts_text(t.entries()));
  for (const wf::logic::stratum_report& s : found->strata) rows += s.by_rows() ? 1U : 0U;
  return out;
}

}  // namespace

TEST_CASE("linear recursions have the same results by rows as by rounds") {
  std::size_t by_rows = 0, by_rounds = 0;
  for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
    const linear_program p(seed);
    const auto strata = wf_test::ordered_program(p.source, &p.inputs);
    evaluation_options options;
    options.max_rounds = 300;
    const std::string rows = facts_of(strata, p.inputs, options, by_rows);
    options.recursions = recursion_method::rounds;
    const std::string rounds = facts_of(strata, p.inputs, options, by_rounds);
    CAPTURE(seed);
    CAPTURE(p.source);
    REQUIRE(rows == rounds);
  }
  CHECK(by_rows > 2000);
  CHECK(by_rounds == 0);
}

TEST_CASE("tensors that do not fit the tables of positions are evaluated by rounds") {
  for (const bool valued : {false, true})
    for (const bool queue : {false, true}) {
      CAPTURE(valued);
      CAPTURE(queue);
      std::string source = valued ? "P[x,z] min= 0 E(x,z)\nP[x,z] min= P[x,y] E(y,z)\n"
                                  : "P(x,z) = E(x,z)\nP(x,z) = P(x,y) E(y,z)\n";
      if (queue) source += valued ? "P[x,z] min= E(x,y) P[y,z]" : "P(x,z) = E(x,y) P(y,z)";
      const auto p = wf_test::ordered_program(source);
      database inputs;
      inputs.add("E", wf_test::relation_of(2, {{0, 1}, {1, 2}, {2, 9}}));
      evaluation_options options;
      options.cells_per_entry = 0;
      // Nine columns; a queue has cells in three rows of those, and values take 32 times the room.
      options.least_cells = !queue ? 9 : valued ? 27 * 32 : 27;
      std::size_t rows = 0;
      const std::string found = facts_of(p, inputs, options, rows);
      CHECK(rows == 1);
      --options.least_cells;
      CHECK(facts_of(p, inputs, options, rows) == found);
      CHECK(rows == 1);
      options.least_cells = UINT64_MAX;
      inputs.relations[0].entries = wf_test::relation_of(2, {{-2147483647, 0}, {0, 2147483647}});
      CHECK(facts_of(p, inputs, options, rows).find("-2147483647\t2147483647") !=
            std::string::npos);
      CHECK(rows == 1);
    }
}

TEST_CASE("a recursion by rows without a fixpoint is not_converged") {
  for (const char* source : {"P[z] min= S(z) + 0\nP[z] min= P[y] E(y,z) - 1",
                             "P[z] max= S(z) + 0\nP[z] max= P[y] E(y,z) + 1",
                             "P[x,z] max= E(x,z) + 0\nP[x,z] max= E(x,y) P[y,z] + 1"}) {
    CAPTURE(source);
    const auto p = wf_test::ordered_program(source);
    database inputs;
    inputs.add("E", wf_test::relation_of(2, {{0, 1}, {1, 0}}));
    inputs.add("S", wf_test::relation_of(1, {{0}}));
    evaluation_options options;
    options.max_rounds = 70;
    const auto found = wf::logic::evaluate(p, inputs, options);
    REQUIRE_FALSE(found);
    CHECK(found.error().code == wf::errc::not_converged);
    CHECK(found.error().subject.view() == "P");
    CHECK(std::string(found.error().message).find("within 70 rounds") != std::string::npos);
  }
}
