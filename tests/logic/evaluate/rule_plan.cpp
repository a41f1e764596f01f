// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/rule_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <logic/random_program.hpp>
#include "../ordered_program.hpp"

namespace {

using wf::logic::none;
using wf::logic::tensor_program;
using wf::logic::detail::computed_position;
using wf::logic::detail::plan_step;
using wf::logic::detail::rule_plan;
using wf::logic::detail::step_kind;

// Plans rules over stores with some numbers of rows.
class planning {
 public:
  explicit planning(const tensor_program& p)
      : sizes_(p.axes.size(), 4),
        extents_(p.axes.size(), -1),
        symbols_(p.terms.size()),
        axes_(p.axes.size()),
        program_(p) {
    for (const wf::logic::tensor_info& t : p.tensors)
      stores_.push_back(wf::logic::detail::tensor_store(t.rank, !t.boolean));
  }
  // Puts rows along a diagonal into the store of a tensor.
  void fill(const std::string& name, std::int32_t rows) {
    const std::uint32_t t = program_.find(wf::text_view(name.data(), name.size()));
    for (std::int32_t r = 0; r < rows; ++r) {
      const std::vector<std::int32_t> at(8, r);
      std::uint32_t row = 0;
      stores_[t].add(at.data(), 1, wf::projection::sum, row);
    }
  }
  void extend(std::int64_t extent) {
    for (std::int64_t& e : extents_) e = extent;
  }
  rule_plan plan(std::uint32_t rule, std::uint32_t changed = none, bool by_variables = false) {
    return planner().plan(rule, changed, symbols_, by_variables);
  }
  wf::logic::detail::rule_planner planner() {
    return {program_, stores_, indices, sizes_, extents_, axes_};
  }

  wf::logic::detail::index_set indices;

 private:
  wf::table<wf::logic::detail::tensor_store> stores_;
  wf::table<std::uint64_t> sizes_;
  wf::table<std::int64_t> extents_;
  wf::table<std::int32_t> symbols_;
  wf::table<wf::table<std::int32_t>> axes_;
  const tensor_program& program_;
};

// Follows a plan: what is bound and done after each step.
class plan_walk {
 public:
  plan_walk(const tensor_program& p, const rule_plan& plan)
      : program_(p),
        rule_(p.rules[plan.rule]),
        plan_(plan),
        bound_(rule_.variables.count),
        joins_(rule_.joins.count),
        negations_(rule_.negations.count),
        lookups_(rule_.lookups.count),
        comparisons_(rule_.comparisons.count) {}

  void walk() {
    bool first = true;
    for (const plan_step& s : plan_.steps) {
      const bool loops = s.kind <= step_kind::test || s.kind >= step_kind::enumerate;
      if (loops) REQUIRE_FALSE(waits());
      if (loops && first && plan_.changed_join != none) {
        REQUIRE(s.kind == step_kind::changed);
        REQUIRE(s.index == plan_.changed_join);
      } else {
        REQUIRE(s.kind != step_kind::changed);
      }
      first = first && !loops;
      take(s);
    }
    REQUIRE_FALSE(waits());
    for (const std::vector<bool>* each : {&joins_, &negations_, &lookups_, &comparisons_})
      for (const bool done : *each) REQUIRE(done);
    REQUIRE(plan_.head.size() == rule_.head.terms.count);
    for (const computed_position& c : plan_.head) REQUIRE(known(c));
    REQUIRE(can_compute(rule_.value));
  }

 private:
  const wf::logic::atom& atom_at(wf::range part, std::size_t i) const {
    return program_.atoms[part.first + i];
  }
  bool known(const computed_position& c) const { return c.variable == none || bound_[c.variable]; }
  bool known(const wf::logic::atom& a) const {
    for (const wf::logic::term& t : program_.terms_of(a))
      if (t.kind == wf::logic::term_kind::variable && !bound_[t.variable]) return false;
    return true;
  }
  bool can_compute(std::uint32_t node) const {
    using wf::logic::scalar_kind;
    if (node == none) return true;
    const wf::logic::scalar_node& n = program_.scalars[node];
    if (n.kind == scalar_kind::variable && !bound_[n.index]) return false;
    if (n.kind == scalar_kind::joined && !joins_[n.index]) return false;
    if (n.kind == scalar_kind::looked_up && !lookups_[n.index]) return false;
    return can_compute(n.left) && can_compute(n.right) && can_compute(n.other);
  }
  const wf::logic::comparison& comparison_at(std::size_t i) const {
    return program_.comparisons[rule_.comparisons.first + i];
  }
  bool can_compare(std::size_t i) const {
    return can_compute(comparison_at(i).left) && can_compute(comparison_at(i).right);
  }
  // True if a condition could have been tested that was not.
  bool waits() const {
    for (std::size_t i = 0; i < negations_.size(); ++i)
      if (!negations_[i] && known(atom_at(rule_.negations, i))) return true;
    for (std::size_t i = 0; i < lookups_.size(); ++i)
      if (!lookups_[i] && known(atom_at(rule_.lookups, i))) return true;
    for (std::size_t i = 0; i < comparisons_.size(); ++i)
      if (!comparisons_[i] && can_compare(i)) return true;
    return false;
  }
  static void mark(std::vector<bool>& list, std::size_t i) {
    REQUIRE(i < list.size());
    REQUIRE_FALSE(list[i]);
    list[i] = true;
  }
  void take(const plan_step& s) {
    for (const computed_position& c : s.key) REQUIRE(known(c));
    switch (s.kind) {
      case step_kind::compare:
        REQUIRE(can_compare(s.index - rule_.comparisons.first));
        return mark(comparisons_, s.index - rule_.comparisons.first);
      case step_kind::absent:
        REQUIRE(s.tensor == atom_at(rule_.negations, s.index).tensor);
        return mark(negations_, s.index);
      case step_kind::look_up:
        REQUIRE(s.tensor == atom_at(rule_.lookups, s.index).tensor);
        return mark(lookups_, s.index);
      case step_kind::enumerate:
        return mark(bound_, s.index);
      case step_kind::meet:
        return meet(s);
      default:
        return join(s);
    }
  }
  void join(const plan_step& s) {
    const wf::logic::atom& a = atom_at(rule_.joins, s.index);
    REQUIRE(s.tensor == a.tensor);
    REQUIRE(s.older == (plan_.changed_join != none && plan_.changed_join < s.index));
    REQUIRE((s.kind == step_kind::group) == (s.groups != none));
    // Each column is part of the key, binds a variable, or is compared.
    REQUIRE(s.key.size() + s.binds.size() + s.checks.size() == a.terms.count);
    for (const auto& b : s.binds) {
      mark(bound_, b.variable);
      REQUIRE(program_.terms[a.terms.first + b.column].variable == b.variable);
    }
    for (const auto& c : s.checks) REQUIRE(known(c.wanted));
    REQUIRE(known(a));
    mark(joins_, s.index);
  }

  void meet(const plan_step& s) {
    std::vector<bool> before = bound_;
    mark(bound_, s.index);
    REQUIRE_FALSE(s.parts.empty());
    for (const auto& part : s.parts) {
      REQUIRE(part.bind.variable == s.index);
      REQUIRE((part.groups == none) == part.key.empty());
      for (const computed_position& c : part.key)
        REQUIRE((c.variable == none || before[c.variable]));
      REQUIRE(part.key.size() + part.checks.size() + 1 == part.full.size());
      for (const auto& c : part.checks) REQUIRE(c.wanted.variable == s.index);
      for (const computed_position& c : part.full) REQUIRE(known(c));
      REQUIRE((part.join == none) == wf::logic::detail::index_set::is_projection(part.from));
      if (part.join == none) continue;
      const wf::logic::atom& a = atom_at(rule_.joins, part.join);
      REQUIRE(part.from == a.tensor);
      REQUIRE(part.full.size() == a.terms.count);
      REQUIRE(part.older == (plan_.changed_join != none && plan_.changed_join < part.join));
      mark(joins_, part.join);
    }
  }

  const tensor_program& program_;
  const wf::logic::rule& rule_;
  const rule_plan& plan_;
  std::vector<bool> bound_, joins_, negations_, lookups_, comparisons_;
};

// The kinds of the steps of a plan, with the tensors they read.
std::string shown_steps(const tensor_program& p, const rule_plan& plan) {
  const char* const kinds[] = {"scan",    "changed", "group",     "test", "no",
                               "look up", "compare", "enumerate", "meet"};
  std::string out;
  for (const plan_step& s : plan.steps) {
    out += (out.empty() ? "" : ", ") + std::string(kinds[static_cast<std::size_t>(s.kind)]);
    if (s.tensor != none) out += " " + std::string(p.tensors[s.tensor].name);
    if (s.kind == step_kind::meet) out += " " + std::to_string(s.parts.size());
  }
  return out;
}

}  // namespace

TEST_CASE("plans of random rules read what is bound, and test conditions as early as they can") {
  std::size_t plans = 0, meets = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const wf_test::random_program made = wf_test::make_random_program(seed);
    const std::string source = wf_test::text_of(made);
    const auto p = wf_test::ordered_program(source);
    CAPTURE(source);
    planning planned(p.program);
    for (std::size_t t = 0; t < made.tensors.size(); ++t)
      if (p.program.find(wf::text_view(made.tensors[t].name.data(), made.tensors[t].name.size())) !=
          none)
        planned.fill(made.tensors[t].name, static_cast<std::int32_t>((seed + 3 * t) % 9));
    for (std::uint32_t r = 0; r < p.program.rules.size(); ++r)
      for (std::uint32_t k = 0; k <= p.program.rules[r].joins.count; ++k, ++plans) {
        const std::uint32_t changed = k < p.program.rules[r].joins.count ? k : none;
        plan_walk(p.program, planned.plan(r, changed)).walk();
        const rule_plan met = planned.plan(r, changed, true);
        plan_walk(p.program, met).walk();
        for (const plan_step& s : met.steps) meets += s.kind == step_kind::meet;
      }
  }
  CHECK(plans > 2000);
  CHECK(meets > 80);
}

TEST_CASE("the join with the fewest expected rows comes next") {
  const auto p = wf_test::ordered_program("Y(x,z) = A(x,y) B(y,z) C(z)");
  planning planned(p.program);
  planned.fill("A", 9);
  planned.fill("B", 7);
  planned.fill("C", 3);
  CHECK(shown_steps(p.program, planned.plan(0)) == "scan C, group B, group A");
  CHECK(shown_steps(p.program, planned.plan(0, 0)) == "changed A, group B, test C");
  planned.fill("C", 90);
  CHECK(shown_steps(p.program, planned.plan(0)) == "scan B, test C, group A");
  // Steps of the same tensor and key share an index.
  CHECK(planned.plan(0, 2).steps[1].groups != planned.plan(0, 0).steps[1].groups);
  CHECK(planned.plan(0, 0).steps[1].groups == planned.plan(0, 0).steps[1].groups);
}

TEST_CASE("variables that no join binds run along their axes, and conditions follow at once") {
  const auto p = wf_test::ordered_program("Y(x,z) = A(x) !B(x,z) [x < z] !A(z)\naxis z = 4");
  planning planned(p.program);
  CHECK(shown_steps(p.program, planned.plan(0)) == "scan A, enumerate, no B, no A, compare");
}

TEST_CASE("only the heads of rules with shifts keep to the extents of their axes") {
  const auto p = wf_test::ordered_program("Y(x) = A(x)\nY(x+1) = A(x)\nY(x) = A(x+1)\nY(3) = A(x)");
  planning planned(p.program);
  planned.extend(4);
  CHECK(planned.plan(0).head[0].extent == -1);
  CHECK(planned.plan(1).head[0].extent == 4);
  CHECK(planned.plan(2).head[0].extent == 4);
  CHECK(planned.plan(1).head[0].shift == 1);
  CHECK(planned.plan(3).head[0].variable == none);
  CHECK(planned.plan(3).head[0].shift == 3);
}

TEST_CASE("joins that form a cycle meet in their variables, other joins where they are known") {
  const auto p = wf_test::ordered_program("Y(x,w) = A(x,y) B(y,z) C(z,x) D(z,w) F(y)");
  planning planned(p.program);
  for (const char* each : {"A", "B", "C", "D", "F"}) planned.fill(each, 9);
  CHECK(shown_steps(p.program, planned.plan(0, none, true)) == "meet 2, meet 3, meet 2, group D");
  const rule_plan plan = planned.plan(0, 1, true);
  CHECK(shown_steps(p.program, plan) == "changed B, meet 2, test F, group D");
  // A has the index of the join that changed after it; C, before it, leaves new rows out.
  REQUIRE(plan.steps[1].parts.size() == 2);
  CHECK_FALSE(plan.steps[1].parts[0].older);
  CHECK(plan.steps[1].parts[1].older);
  CHECK(shown_steps(p.program, planned.plan(0, none)).find("meet") == std::string::npos);
}

TEST_CASE("a lookup of a tensor that has every entry is a scan, in a plan for the present ones") {
  const auto program = *wf::logic::read_program("Y[i,k] = exp(X[i,k])");
  const std::uint32_t x = program.find("X");
  for (const bool complete : {true, false})
    for (const bool once : {true, false}) {
      wf::table<wf::logic::detail::tensor_store> stores;
      for (const wf::logic::tensor_info& t : program.tensors)
        stores.push_back(wf::logic::detail::tensor_store(t.rank, !t.boolean));
      std::uint32_t row = 0;
      for (std::int32_t i = 2; i < 5; ++i)
        for (std::int32_t k = 7; k < 9; ++k) {
          const std::int32_t at[] = {i, k};
          if (complete || i != 3 || k != 7) stores[x].add(at, 1, wf::projection::sum, row);
        }
      wf::table<wf::table<std::int32_t>> axes(program.axes.size());
      axes[program.axes_of[program.tensors[x].axes.first]] = {2, 3, 4};
      axes[program.axes_of[program.tensors[x].axes.first + 1]] = {7, 8};
      wf::logic::detail::index_set indices;
      const wf::table<std::uint64_t> sizes(program.axes.size(), 3);
      const wf::table<std::int64_t> extents(program.axes.size(), -1);
      const wf::table<std::int32_t> symbols(program.terms.size() + program.scalars.size());
      wf::logic::detail::rule_planner planner(program, stores, indices, sizes, extents, axes);
      if (once) planner.plan_once();
      const rule_plan plan = planner.plan(0, none, symbols);
      REQUIRE(plan.steps.size() == (once && complete ? 1 : 3));
      CHECK(plan.steps[0].looks_up == (once && complete));
      using wf::logic::detail::step_kind;
      CHECK(plan.steps[0].kind == (once && complete ? step_kind::scan : step_kind::enumerate));
    }
}
