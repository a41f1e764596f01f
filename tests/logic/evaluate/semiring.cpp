// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/semiring.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/demand/rewrite.hpp>
#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>
#include <wf/logic/update/session.hpp>

#include "../ordered_program.hpp"
#include "../user_operators.hpp"

namespace {

namespace user = wf_test::user;
using wf::logic::broken_law;
using wf::logic::database;
using wf::logic::evaluation_options;
using wf::logic::recursion_method;
using wf::logic::semiring;

using users_min_plus = semiring<user::least, user::plus>;
using label_sets = semiring<user::unite, user::meet>;

constexpr double some[] = {-2, 0, 0.5, 1, 3};
static_assert(broken_law<wf::logic::min_plus>(some).empty());
static_assert(broken_law<wf::logic::max_plus>(some).empty());
static_assert(broken_law<wf::logic::max_min>(some).empty());
static_assert(broken_law<wf::logic::min_max>(some).empty());
static_assert(broken_law<users_min_plus>(some).empty());
constexpr double sets[] = {0, 1, 6, 9, 1023};
static_assert(broken_law<label_sets>(sets).empty());
static_assert(!label_sets::is_selective && users_min_plus::is_selective);

// Multiplications that state laws which they do not have.
template <auto Value>
constexpr wf::kernel_spec wrong(double neutral) {
  wf::law_set laws = user::plus.laws;
  laws.neutral = neutral;
  return user::of_two<Value>("plus", laws);
}
constexpr auto minus = wrong<[](double a, double b) { return a - b; }>(0);
constexpr auto scaled = wrong<[](double a, double b) { return a * b; }>(1);
constexpr auto shifted = wrong<[](double a, double b) { return a + b; }>(0.25);
constexpr auto bent = wrong<[](double a, double b) { return a * b < 0 ? a + b + 1 : a + b; }>(0);
// Its zero does not make products absent.
constexpr wf::kernel_spec smaller = [] {
  wf::kernel_spec k = user::least;
  k.laws.neutral = 1000;
  k.laws.distributes_over = "plus";
  return k;
}();

// The entries of the only result, or the error.
struct outcome {
  std::string text;
  bool by_rows = false;
  std::uint32_t rounds = 0;
};
outcome outcome_of(const std::string& source, const database& inputs,
                   const evaluation_options& options) {
  const wf::registry operators = wf_test::user_registry();
  const wf::text_view text(source.data(), source.size());
  auto program = wf::logic::read_program(text, {}, operators);
  if (!program) return {std::string(wf::to_text(program.error()))};
  auto strata = wf::logic::stratify(*std::move(program), text);
  if (!strata) return {std::string(wf::to_text(strata.error()))};
  auto found = wf::logic::evaluate(*strata, inputs, options, operators);
  if (!found) return {std::string(wf::to_text(found.error()))};
  outcome out;
  for (wf::logic::solved_tensor& t : found->tensors)
    out.text += std::string(t.name) + "\n" + std::string(wf::logic::facts_text(t.entries()));
  for (const wf::logic::stratum_report& s : found->strata) {
    out.by_rows = out.by_rows || s.by_rows();
    out.rounds += s.rounds;
  }
  return out;
}
outcome outcome_of(const std::string& source, const database& inputs, bool by_rows = true) {
  evaluation_options options;
  options.recursions = by_rows ? recursion_method::rows : recursion_method::rounds;
  options.max_rounds = 200;
  options.semirings = {wf::logic::rows_over<users_min_plus>, wf::logic::rows_over<label_sets>};
  return outcome_of(source, inputs, options);
}

std::string replaced(std::string in, const std::string& from, const std::string& to) {
  for (std::size_t at = in.find(from); at != std::string::npos; at = in.find(from, at + to.size()))
    in.replace(at, from.size(), to);
  return in;
}

// A random graph with values on its edges, and its first places.
database random_graph(std::mt19937_64& random, int least, int most) {
  const auto places = static_cast<std::int32_t>(2 + random() % 6);
  const auto place = [&] { return static_cast<std::int32_t>(random()) % places; };
  const auto value = [&] {
    return std::uniform_int_distribution<std::int32_t>(least, most)(random);
  };
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> edges;
  for (std::size_t n = random() % 14; n > 0; --n)
    edges[{std::abs(place()), std::abs(place())}] = value();
  std::vector<std::vector<std::int32_t>> rows, links;
  for (const auto& [ends, weight] : edges) {
    rows.push_back({ends.first, ends.second, weight});
    links.push_back({ends.first, ends.second});
  }
  database out;
  out.add("E", wf_test::tensor_of(2, rows));
  out.add("L", wf_test::relation_of(2, links));
  out.add("B", wf_test::tensor_of(1, {{0, value()}, {1, value()}}));
  return out;
}

// Recursions with '@' for the sign and f(a, b) for the multiplication.
constexpr const char* shapes[] = {
    "P[x,z] @ E[x,z]\nP[x,z] @ f(P[x,y], E[y,z])",
    "P[x,z] @ E[x,z]\nP[x,z] @ f(E[x,y], P[y,z])",
    "P[z] @ B[z]\nP[z] @ f(P[y], E[y,z])",
    "P[z] @ B[z]\nP[z] @ f(f(E[y,z], P[y]), B[z])",
    "P[z] @ B[z]\nQ[z] @ f(P[y], E[y,z])\nP[z] @ f(Q[y], E[z,y])\nP[z] @ Q[z]",
    "P[x,z] @ E[x,z]\nP[x,z] @ f(E[u,x], f(P[u,y], E[y,z]))",
    "P[x,z] @ E[x,z]\nP[x,z] @ f(P[x,y], P[y,z])",
    "P[z] @ B[z]\nP[z] @ P[y] L(y,z)",
};
std::string shaped(std::size_t i, const std::string& sign, const std::string& times) {
  return replaced(replaced(shapes[i % std::size(shapes)], "f(", times + "("), "@", sign);
}

// The least fixpoint of a shape by its definition: all bindings, until nothing changes.
template <class Semiring>
class by_definition {
 public:
  explicit by_definition(const database& in) {
    for (const wf::logic::named_relation& r : in.relations)
      if (r.entries.valued)
        for (std::size_t row = 0; row < r.entries.rows; ++row) {
          std::vector<int> at;
          for (std::uint32_t c = 0; c < r.entries.rank; ++c)
            at.push_back(r.entries.columns[c][row]);
          (at.size() == 2 ? e_ : b_)[at] = r.entries.values[row];
        }
  }
  std::string run(std::size_t shape) {
    for (changed_ = true; changed_;) {
      changed_ = false;
      round(shape % std::size(shapes));
    }
    return shown("P", p_) + (q_used_ ? shown("Q", q_) : "");
  }

 private:
  using entries = std::map<std::vector<int>, double>;
  static double times(double a, double b) { return Semiring::multiply(a, b); }
  void add(entries& to, const std::vector<int>& at, double value) {
    if (value == Semiring::zero) return;
    const auto [found, fresh] = to.try_emplace(at, value);
    const double sum = fresh ? value : Semiring::add(found->second, value);
    changed_ = changed_ || fresh || sum != found->second;
    found->second = sum;
  }
  void round(std::size_t shape) {
    const bool pairs = shape < 2 || shape == 5 || shape == 6;
    for (const auto& [at, value] : pairs ? e_ : b_) add(p_, at, value);
    q_used_ = shape == 4;
    const entries p = p_, q = q_;
    for (const auto& [at, value] : p)
      for (const auto& [edge, weight] : e_) {
        const int y = edge[0], z = edge[1];
        if (shape == 0 && at[1] == y) add(p_, {at[0], z}, times(value, weight));
        if (shape == 1 && at[0] == z) add(p_, {y, at[1]}, times(weight, value));
        if (shape == 2 && at[0] == y) add(p_, {z}, times(value, weight));
        if (shape == 3 && at[0] == y && b_.count({z}) == 1)
          add(p_, {z}, times(times(weight, value), b_.at({z})));
        if (shape == 4 && at[0] == y) add(q_, {z}, times(value, weight));
        if (shape == 7 && at[0] == y) add(p_, {z}, value);
        if (shape == 5 && at[1] == y)
          for (const auto& [other, up] : e_)
            if (other[0] == at[0]) add(p_, {other[1], z}, times(up, times(value, weight)));
      }
    if (shape == 6)
      for (const auto& [at, value] : p)
        for (const auto& [next, more] : p)
          if (at[1] == next[0]) add(p_, {at[0], next[1]}, times(value, more));
    for (const auto& [at, value] : q) {
      for (const auto& [edge, weight] : e_)
        if (at[0] == edge[1]) add(p_, {edge[0]}, times(value, weight));
      add(p_, at, value);
    }
  }
  static std::string shown(const char* name, const entries& of) {
    wf::logic::relation r(of.empty() ? 1 : static_cast<std::uint32_t>(of.begin()->first.size()),
                          true);
    for (const auto& [at, value] : of) r.append(at.data(), value);
    return std::string(name) + "\n" + std::string(wf::logic::facts_text(r));
  }

  entries e_, b_, p_, q_;
  bool changed_ = false, q_used_ = false;
};

template <class Semiring>
void compare(const std::string& sign, const std::string& times, int least, int most) {
  std::mt19937_64 random(7);
  std::size_t by_rows = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::string source = shaped(i, sign, times);
    const database inputs = random_graph(random, least, most);
    const std::string expected = by_definition<Semiring>(inputs).run(i);
    CAPTURE(source);
    CAPTURE(i);
    const outcome rows = outcome_of(source, inputs), rounds = outcome_of(source, inputs, false);
    REQUIRE(rows.text == expected);
    REQUIRE(rounds.text == expected);
    REQUIRE(!rounds.by_rows);
    by_rows += rows.by_rows;
  }
  CHECK(by_rows > 250);
}

}  // namespace

TEST_CASE("laws that operators state but do not have are found, with numbers") {
  CHECK(std::string(broken_law<semiring<user::least, minus>>(some)) ==
        "a (b c) = (a b) c does not hold for -2.0, -2.0, -2.0");
  CHECK(std::string(broken_law<semiring<user::least, scaled>>(some)) ==
        "a 0 = 0 does not hold for -2.0, -2.0, -2.0");
  CHECK(std::string(broken_law<semiring<user::least, shifted>>(some)) ==
        "a 1 = a does not hold for -2.0, -2.0, -2.0");
  CHECK(std::string(broken_law<semiring<smaller, user::plus>>(some)) ==
        "a 0 = 0 does not hold for -2.0, -2.0, -2.0");
  constexpr double below[] = {-3, -2, -1, 1};
  CHECK(std::string(broken_law<semiring<user::least, bent>>(below)) ==
        "a (b c) = (a b) c does not hold for -3.0, -1.0, 1.0");
  CHECK(broken_law<semiring<user::least, user::plus>>(some).empty());
}

TEST_CASE("recursions over a semiring have the least fixpoint, by rows and by rounds") {
  compare<users_min_plus>("least=", "plus", 0, 9);
  compare<wf::logic::min_plus>("min=", "add", 0, 9);
  compare<wf::logic::max_min>("max=", "minimum", -5, 9);
  compare<wf::logic::min_max>("min=", "maximum", -5, 9);
  compare<label_sets>("unite=", "meet", 1, 1022);
}

TEST_CASE("a user's semiring has the bits and rounds of the built-in one") {
  std::mt19937_64 random(11);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const database inputs = random_graph(random, -1, 6);  // sometimes a cycle below 0
    for (const bool by_rows : {true, false}) {
      const outcome own = outcome_of(shaped(i, "least=", "plus"), inputs, by_rows);
      const outcome known = outcome_of(shaped(i, "min=", "add"), inputs, by_rows);
      CAPTURE(shaped(i, "least=", "plus"));
      CHECK(own.text == known.text);
      CHECK(own.rounds == known.rounds);
      CHECK(own.by_rows == known.by_rows);
      refused += own.text.find("not_converged") != std::string::npos ||
                 own.text.find("within 200 rounds") != std::string::npos;
    }
  }
  CHECK(refused > 5);
}

TEST_CASE("infinite distances that recur are refused by rows and by rounds") {
  for (const bool users : {true, false})
    for (const bool by_rows : {true, false}) {
      database inputs;
      wf::logic::relation edges(2, true);
      const std::int32_t ends[][2] = {{0, 1}, {1, 2}};
      edges.append(ends[0], 1);
      edges.append(ends[1], -user::infinite);
      inputs.add("E", edges);
      inputs.add("B", wf_test::tensor_of(1, {{0, 1}}));
      const outcome found =
          outcome_of(shaped(2, users ? "least=" : "min=", users ? "plus" : "add"), inputs, by_rows);
      CHECK(found.text.find("in 'P': no fixpoint within") != std::string::npos);
    }
}

namespace {

constexpr double users_distance_while_compiling() {
  const wf::registry operators = wf_test::user_registry();
  const wf::text_view source = "P[z] least= B[z]\nP[z] least= plus(P[y], E[y,z])";
  const auto strata = wf::logic::stratify(*wf::logic::read_program(source, {}, operators));
  database inputs;
  wf::logic::relation edges(2, true), start(1, true);
  const std::int32_t ends[][2] = {{0, 1}, {1, 2}, {0, 2}};
  edges.append(ends[0], 1);
  edges.append(ends[1], 2);
  edges.append(ends[2], 5);
  start.append(ends[0], 0.5);
  inputs.add("E", edges);
  inputs.add("B", start);
  evaluation_options options;
  options.semirings = {wf::logic::rows_over<users_min_plus>};
  auto found = wf::logic::evaluate(*strata, inputs, options, operators);
  return found->strata[0].by_rows() ? found->find("P")->entries().values[2] : -1;
}
static_assert(users_distance_while_compiling() == 3.5);

}  // namespace

TEST_CASE("a recursion over a sum that is not idempotent is iterated until nothing changes") {
  // Parities of the numbers of ways from 0 in a graph without cycles.
  std::mt19937_64 random(5);
  for (int i = 0; i < 100; ++i) {
    std::vector<std::vector<std::int32_t>> edges;
    int ways[8] = {1};
    for (std::int32_t to = 1; to < 8; ++to)
      for (std::int32_t from = 0; from < to; ++from)
        if (random() % 2 == 0) {
          edges.push_back({from, to, 1});
          ways[to] ^= ways[from];
        }
    database inputs;
    inputs.add("L", wf_test::tensor_of(2, edges));
    inputs.add("B", wf_test::tensor_of(1, {{0, 1}}));
    const outcome found = outcome_of("W[z] parity= B[z]\nW[z] parity= W[y] L[y,z]", inputs);
    CAPTURE(found.text);
    for (std::int32_t to = 0; to < 8; ++to)
      CHECK((found.text.find(std::to_string(to) + "\t1.0") != std::string::npos) ==
            (ways[to] == 1));
  }
}

TEST_CASE("a sum that is not idempotent folds each binding once") {
  database inputs;
  inputs.add("E", wf_test::tensor_of(2, {{0, 1, 1}, {0, 2, 1}, {1, 1, 1}, {2, 0, 0}, {2, 1, 1}}));
  CHECK(outcome_of("N[x] parity= E[x,y]", inputs).text == "N\n0\t0.0\n1\t1.0\n2\t1.0\n");
  // The neutral number is no contribution, but may be what several make.
  CHECK(outcome_of("N[y] parity= E[x,y]\nexport N", inputs).text == "N\n1\t1.0\n2\t1.0\n");
}

TEST_CASE("signs that are no sums, and what recurs against them, are refused") {
  database inputs;
  inputs.add("E", wf_test::tensor_of(2, {{0, 1, 1}}));
  inputs.add("B", wf_test::tensor_of(1, {{0, 1}}));
  const auto told = [&](const char* source) { return outcome_of(source, inputs).text; };
  CHECK(told("P[x] leasd= B[x]") ==
        "WF113: unknown operator 'leasd': did you mean 'least'? (line 1, column 1)");
  CHECK(told("P[x] blend= B[x]") ==
        "WF113: blend does not state that it is elementwise, commutative, associative and has a "
        "neutral number: 'blend=' is no sign (line 1, column 1)");
  CHECK(told("P[x] matmul= B[x]").find("is no sign") != std::string::npos);
  CHECK(told("P(x) least= B[x]") ==
        "WF113: a Boolean left side is defined by '=' (line 1, column 1)");
  CHECK(told("P[x] least= B[x]\nP[x] min= B[x]") ==
        "WF113: P has equations with 'least=' and 'min=' (line 2, column 1)");
  CHECK(told("P[x] least= B[x]\nP[x] unite= B[x]") ==
        "WF113: P has equations with 'least=' and 'unite=' (line 2, column 1)");
  for (const char* value : {"meet(P[y], E[y,x])", "P[y] E[y,x]", "P[y] - E[y,x]", "blend(P[y], 2)",
                            "plus(blend(P[y], 2), E[y,x])"}) {
    CAPTURE(value);
    const std::string found = told(("P[x] least= B[x]\nP[x] least= " + std::string(value)).c_str());
    CHECK(found.find("WF115 in 'P': reads a value before it is final") == 0);
  }
  CHECK(told("P[x] least= B[x]\nP[x] least= Q[x]\nQ[x] unite= P[x]")
            .find("depends on itself through tensors of another sign") != std::string::npos);
  CHECK(told("P[x] least= B[x]\nP[x] least= Q[x]\nQ[x] min= P[x]")
            .find("depends on itself through tensors of another sign") != std::string::npos);
}

TEST_CASE("sessions and queries over a user's sign give what an evaluation gives") {
  const wf::registry operators = wf_test::user_registry();
  std::mt19937_64 random(3);
  std::size_t restricted = 0;
  for (std::size_t i = 0; i < 160; ++i) {
    const bool sets_of_labels = i % 2 == 0;
    const std::string source =
        shaped(i / 2, sets_of_labels ? "unite=" : "least=", sets_of_labels ? "meet" : "plus");
    CAPTURE(source);
    CAPTURE(i);
    const wf::text_view text(source.data(), source.size());
    const auto strata = wf::logic::stratify(*wf::logic::read_program(text, {}, operators));
    REQUIRE(strata);
    database all = random_graph(random, 0, 9), first, rest;
    const std::size_t kept = random() % (all.find("E")->entries.rows + 1);
    for (const wf::logic::named_relation& r : all.relations) {
      wf::logic::relation head(r.entries.rank, r.entries.valued), tail = head;
      for (std::size_t row = 0; row < r.entries.rows; ++row) {
        std::int32_t at[2] = {};
        r.entries.positions(row, at);
        (row < kept ? head : tail).append(at, r.entries.valued ? r.entries.values[row] : 1);
      }
      first.add(r.name.view(), head);
      rest.add(r.name.view(), tail);
    }
    evaluation_options options;
    options.recursions = static_cast<recursion_method>(i % 3);
    if (i % 5 != 0)
      options.semirings = {wf::logic::rows_over<users_min_plus>, wf::logic::rows_over<label_sets>};
    const auto facts = [](wf::logic::relation r) {
      return std::string(wf::logic::facts_text(wf::logic::sorted(r)));
    };
    auto expected = wf::logic::evaluate(*strata, all, options, operators);
    REQUIRE(expected);
    const std::string wanted = facts(expected->find("P")->entries());
    wf::logic::incremental_session session(*strata, first, options, operators);
    REQUIRE(session.update(rest));
    const bool pairs = strata->program.tensors[strata->program.find("P")].rank == 2;
    const char* const every = pairs ? "P[a,b]" : "P[a]";
    const auto kept_facts = session.ask(every);
    REQUIRE(kept_facts);
    CHECK(facts(*kept_facts) == wanted);
    const std::int32_t wanted_at = pairs ? 0 : 1;
    const auto query = wf::logic::read_query(pairs ? "P[0,b]" : "P[1]", strata->program);
    REQUIRE(query);
    const auto asking = wf::logic::stratify(wf::logic::demand(*strata, *query));
    REQUIRE(asking);
    for (const wf::logic::tensor_info& t : asking->program.tensors)
      restricted += t.name.view().part(0, 6) == "wanted";
    auto asked = wf::logic::evaluate(*asking, all, options, operators);
    REQUIRE(asked);
    wf::logic::relation matching(pairs ? 2 : 1, true);
    const wf::logic::relation& whole = expected->find("P")->entries();
    for (std::size_t row = 0; row < whole.rows; ++row) {
      std::int32_t at[2] = {};
      whole.positions(row, at);
      if (at[0] == wanted_at) matching.append(at, whole.values[row]);
    }
    CHECK(facts(asked->find("P")->entries()) == facts(matching));
  }
  CHECK(restricted > 20);
}
