// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/facts.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::fact_format;
using wf::logic::facts_text;
using wf::logic::parse_facts;
using wf::logic::position;
using wf::logic::relation;
using wf::logic::symbol_domain;

constexpr std::uint32_t whole = UINT32_MAX;

constexpr bool reads_while_compiling() {
  wf::table<symbol_domain> domains(1);
  fact_format f;
  f.columns = {0, whole};
  f.valued = true;
  const auto r = parse_facts("b\t-2\t0.5\na\t7\t1e3\r\nb\t-2\t0.5", f, domains);
  return r && r->rows == 2 && r->columns[0][0] == 0 && r->columns[1][1] == 7 &&
         r->values[1] == 1000 && domains[0].find("a") == 1;
}
static_assert(reads_while_compiling());

fact_format numbers(std::size_t columns, bool valued = false) {
  fact_format f;
  f.columns = wf::table<std::uint32_t>(columns, whole);
  f.valued = valued;
  return f;
}
fact_format symbols(std::size_t columns) {
  fact_format f;
  f.columns = wf::table<std::uint32_t>(columns, 0);
  return f;
}
std::string written(wf::text_view source, const fact_format& f) {
  wf::table<symbol_domain> domains(1);
  const auto r = parse_facts(source, f, domains);
  REQUIRE_MESSAGE(r, wf::to_text(r.error()).data());
  return std::string(facts_text(*r, f.columns, domains));
}

}  // namespace

TEST_CASE("facts are sorted, and those that repeat others count once") {
  CHECK(written("3\t1\n-1\t5\n3\t0\n-1\t5\n", numbers(2)) == "-1\t5\n3\t0\n3\t1\n");
  CHECK(written("2\t0.5\n1\t-3\n2\t5e-1\n", numbers(1, true)) == "1\t-3.0\n2\t0.5\n");
  CHECK(written("b\na\nb\nc\n", symbols(1)) == "b\na\nc\n");  // in the order of their positions
  CHECK(written("1\r\n2\r\n", numbers(1)) == "1\n2\n");
  CHECK(written("1\n2", numbers(1)) == "1\n2\n");
  CHECK(written("", numbers(3)).empty());
  CHECK(written("true\ntrue", numbers(0)) == "true\n");
  CHECK(written("2.5\n", numbers(0, true)) == "2.5\n");
  CHECK(written("-2147483648\n2147483647\n", numbers(1)) == "-2147483648\n2147483647\n");
}

TEST_CASE("facts survive being written and read") {
  const std::uint64_t seed = 8;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    wf::table<symbol_domain> domains(2);
    fact_format f;
    f.valued = random() % 2 == 0;
    for (std::size_t c = random() % 4; c > 0; --c)
      f.columns.push_back(random() % 2 ? whole : static_cast<std::uint32_t>(random() % 2));
    const auto rank = static_cast<std::uint32_t>(f.columns.size());
    std::map<std::vector<position>, double> entries;
    for (std::size_t n = rank == 0 ? random() % 2 : random() % 20; n > 0; --n) {
      std::vector<position> at;
      for (std::uint32_t d : f.columns) {
        const std::string symbol = " s" + std::to_string(random() % 9) + "' ";
        at.push_back(d == whole ? static_cast<position>(random()) : domains[d].add(symbol));
      }
      entries[at] = f.valued ? static_cast<double>(random()) / 7e18 - 1 : 1;
    }
    relation r(rank, f.valued);
    for (const auto& [at, value] : entries) r.append(at.data(), value);
    const wf::text source = facts_text(r, f.columns, domains);
    const std::size_t known = domains[0].symbols.size();
    const auto again = parse_facts(source.view(), f, domains);
    REQUIRE_MESSAGE(again, wf::to_text(again.error()).data());
    REQUIRE(domains[0].symbols.size() == known);
    std::map<std::vector<position>, double> read;
    for (std::size_t i = 0; i < again->rows; ++i) {
      std::vector<position> at;
      for (const auto& column : again->columns) at.push_back(column[i]);
      read[at] = f.valued ? again->values[i] : 1;
    }
    REQUIRE(read == entries);  // numbers are written with all their digits
    REQUIRE(again->rows == entries.size());
  }
}

TEST_CASE("a position without a symbol is written as its number") {
  wf::table<symbol_domain> domains(1);
  domains[0].add("zero");
  relation r(1, false);
  for (const position p : {-1, 0, 1}) r.append(&p);
  CHECK(facts_text(r, {0}, domains).view() == "-1\nzero\n1\n");
}

TEST_CASE("what is no fact is facts_syntax, WF405, with its position") {
  const auto at = [](wf::text_view source, const fact_format& f, wf::text_view message,
                     std::uint32_t line, std::uint32_t column) {
    wf::table<symbol_domain> domains(1);
    const auto r = parse_facts(source, f, domains);
    CAPTURE(std::string(source));
    REQUIRE_FALSE(r);
    CAPTURE(std::string(r.error().message));
    CHECK(r.error().code == wf::errc::facts_syntax);
    CHECK(r.error().message.view() == message);
    CHECK(r.error().where.line == line);
    CHECK(r.error().where.column == column);
  };
  const char* const columns = "a row has 2 columns, separated by tabulators";
  at("1\n", numbers(2), columns, 1, 2);
  at("1 2\n", numbers(2), "this is not a whole number", 1, 1);
  at("1\t2\n3", numbers(1, true), columns, 2, 2);
  at("1\t2\n3\tx", numbers(2), "this is not a whole number", 2, 3);
  at("1\t2\t3\n", numbers(2), "the row should end here", 1, 4);
  at("1\t\n", numbers(2), "a whole number is missing", 1, 3);
  at("1\n\n2\n", numbers(1), "a whole number is missing", 2, 1);
  at("-\n", numbers(1), "a whole number is missing", 1, 1);
  at("1\n2147483648\n", numbers(1), "the number does not fit 32 bits", 2, 1);
  at("-2147483649\n", numbers(1), "the number does not fit 32 bits", 1, 1);
  at("99999999999999999999999\n", numbers(1), "the number does not fit 32 bits", 1, 1);
  at("a\t\n", symbols(2), "a symbol is missing", 1, 3);
  at("1\t1..5\n", numbers(1, true), "this is not a number", 1, 3);
  at("1\tinf\n", numbers(1, true), "this is not a number", 1, 3);
  at("1\t1e999\n", numbers(1, true), "this is not a number", 1, 3);
  at("false\n", numbers(0), "a relation without indices has the row: true", 1, 1);
  at("1\rx\n", numbers(1), "the row should end here", 1, 3);
  at("1\t2\n4\t2\n1\t3\n", numbers(1, true), "a position has two values", 3, 1);
  at("1\n2\n", numbers(0, true), "a position has two values", 2, 1);
  at("1\n", numbers(9), "a tensor has at most 8 indices", 1, 1);
}

TEST_CASE("mutated facts are read or refused with a position inside them") {
  const std::uint64_t seed = 9;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::string characters = "0123456789-.e\t\t\n\n\rab ";
  for (int round = 0; round < 4000; ++round) {
    std::string source = "1\ta\t0.5\n-7\tb\t2\n12\ta\t-1e3\n";
    for (std::size_t n = random() % 5; n > 0; --n) {
      const std::size_t place = random() % source.size();
      if (random() % 3 == 0)
        source.erase(place, 1);
      else
        source.insert(place, 1, characters[random() % characters.size()]);
    }
    CAPTURE(source);
    wf::table<symbol_domain> domains(1);
    fact_format f;
    f.columns = {whole, 0};
    f.valued = true;
    const auto r = parse_facts(wf::text_view(source), f, domains);
    if (r) {
      REQUIRE(r->rows <= source.size());
      continue;
    }
    REQUIRE(r.error().code == wf::errc::facts_syntax);
    REQUIRE(r.error().where.line >= 1);
    REQUIRE(r.error().where.offset <= source.size());
  }
}
