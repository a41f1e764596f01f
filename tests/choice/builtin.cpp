// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/builtin.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>

#include "../run/matrices.hpp"
#include "random_formula.hpp"

namespace {

using matrices::matrix;

// Random inputs with the declared properties, far from singular.
matrix value_of(const wf::value_type& type, std::mt19937_64& random) {
  const Eigen::Index rows = type.shape.rank > 0 ? type.shape[0].size() : 1;
  const Eigen::Index columns = type.shape.rank > 1 ? type.shape[1].size() : 1;
  matrix m = matrices::random(rows, columns, random);
  const auto is = [&](wf::properties p) { return type.known.has(p); };
  const bool definite = is(wf::spd);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      if (is(wf::symmetric) && j > i) m(i, j) = m(j, i);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      if ((is(wf::lower_triangular) && j > i) || (is(wf::upper_triangular) && j < i)) m(i, j) = 0;
  if (rows > 1 && rows == columns)
    for (Eigen::Index i = 0; i < rows; ++i)
      m(i, i) = (definite || i % 2 == 0 ? 1 : -1) * (static_cast<double>(rows) + std::abs(m(i, i)));
  if (is(wf::identity)) m.setIdentity();
  if (is(wf::permutation) && !is(wf::identity)) {
    std::vector<Eigen::Index> to(static_cast<std::size_t>(rows));
    std::iota(to.begin(), to.end(), Eigen::Index{0});
    std::shuffle(to.begin(), to.end(), random);
    m.setZero();
    for (Eigen::Index i = 0; i < rows; ++i) m(i, to[static_cast<std::size_t>(i)]) = 1;
  }
  if (rows == 1 && columns == 1) m(0, 0) = 1 + std::abs(m(0, 0));
  if (is(wf::full_rank) && rows > columns)
    for (Eigen::Index i = 0; i < columns; ++i) m(i, i) += 3;
  return m;
}

// A candidate for each class without a cycle: candidates in random order, each taken as soon as all
// its operands can be computed.
wf::table<std::uint32_t> some_choice(const wf::graph_view& g, const wf::class_numbers& classes,
                                     std::mt19937_64& random) {
  wf::table<std::uint32_t> chosen(classes.count, wf::class_numbers::none);
  std::vector<std::uint32_t> order(g.nodes.size() + classes.results.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t candidate : order) {
      const std::uint32_t node = classes.node_of(candidate, g.nodes.size());
      const std::uint32_t k =
          candidate < g.nodes.size() ? 0 : classes.results[candidate - g.nodes.size()].output;
      if (candidate < g.nodes.size() && g.nodes[node].outputs.count != 1) continue;
      const std::uint32_t own = classes.of_value[g.nodes[node].outputs.first + k];
      if (own == wf::class_numbers::none || chosen[own] != wf::class_numbers::none) continue;
      bool ready = true;
      for (const wf::value_id operand : g.inputs_of(g.nodes[node])) {
        const std::uint32_t needed = classes.of_value[wf::index_of(operand)];
        ready = ready &&
                (needed == wf::class_numbers::none || chosen[needed] != wf::class_numbers::none);
      }
      if (!ready) continue;
      chosen[own] = candidate;
      changed = true;
      if (random() % 3 == 0) break;  // restart at a random later class
    }
  }
  return chosen;
}

wf::named_matrices results_of(const wf::graph_view& g, const wf::named_matrices& arguments) {
  const auto prepared = wf::executable_graph::prepare(g);
  REQUIRE_MESSAGE(prepared, std::string(wf::to_text(prepared.error()).view()));
  auto made = (*prepared)(arguments);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  return *made;
}

// The default transforms without their guards, which exclude sizes at which they do not pay off.
std::vector<wf::transform> transforms() {
  std::vector<wf::transform> all;
  for (const wf::transform& t : wf::builtin_transforms()) {
    all.push_back(t);
    all.back().guard = {};
  }
  return all;
}

// The result of growth as numbers: the classes, and the known properties of each value.
std::vector<std::uint32_t> grown_by(const std::vector<wf::transform>& some, const wf::graph& g) {
  const auto grown =
      wf::grow(g.view(), {some.data(), some.size()}, wf::builtin_registry(), {.max_nodes = 1500});
  REQUIRE(grown);
  std::vector<std::uint32_t> out = {wf::number_classes(*grown).count};
  for (std::uint32_t i = 0; i < grown->view().values.size(); ++i)
    out.push_back(grown->known_of(static_cast<wf::value_id>(i)).bits);
  return out;
}

}  // namespace

TEST_CASE("every built-in transform is complete, and its number leads to its name") {
  const auto transforms = wf::builtin_transforms();
  REQUIRE_FALSE(transforms.empty());
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    CHECK((transforms[i].propose != nullptr));
    CHECK_FALSE(transforms[i].summary.empty());
    CHECK(wf::origin_name(transforms, static_cast<wf::origin_id>(i + 1)) == transforms[i].name);
  }
  CHECK(wf::origin_name(transforms, wf::origin_id::captured) == "captured");
  CHECK(wf::origin_name(transforms, wf::origin_id{999}) == "captured");
}

TEST_CASE("every alternative of every default transform runs and computes the same") {
  // Cases that random formulas rarely contain; Strassen's scheme applies from 512 rows on.
  const std::string rare[] = {
      "input A : f64[512,514]; input B : f64[514,512]; Y = A*B; export Y",
      "input X : f64[40,16]; input Z : f64[40,16]; input H : f64[16,40]; Y = X*H + Z*H; export Y",
      "input X : f64[40,16]; input Z : f64[40,16]; input H : f64[16,40]; Y = X*H - Z*H; export Y",
      "input Q : f64[20,20] {symmetric, nonsingular}; input v : f64[20]; input w : f64[20];"
      "y = inv(Q)*v; z = inv(Q)*w; export y, z",
      "input A : f64[20,20]; input F : f64[16,16];"
      "Y = trans(concat(pad(A, axis=1, after=16), pad(F, axis=1, before=20))); export Y",
      "input G : f64[20,20]; input v : f64[20]; y = inv(G)*v; export y"};
  const std::uint64_t seed = 20261123;
  MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  const std::vector<wf::transform> all = transforms();
  std::map<std::string, int> executed;
  std::vector<wf::graph> workflows;
  std::size_t plans = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t number = static_cast<std::size_t>(round);
    const std::string text =
        number < std::size(rare) ? rare[number] : wf_test::random_formula(random).text();
    CAPTURE(text);
    const auto g = wf::equations("formula", {text.data(), text.size()});
    REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error()).view()));
    workflows.push_back(*g);
    wf::named_matrices arguments;
    for (const wf::value& v : g->view().values)
      if (v.producer == wf::node_id::none)
        arguments[std::string(g->view().text_of(v.name))] = value_of(v.type, random);
    const wf::named_matrices expected = results_of(g->view(), arguments);
    const auto grown =
        wf::grow(g->view(), {all.data(), all.size()}, wf::builtin_registry(), {.max_nodes = 1500});
    REQUIRE(grown);
    const wf::class_numbers classes = wf::number_classes(*grown);
    // The static executor supports every node that a transform adds.
    for (std::uint32_t i = 0; i < grown->view().nodes.size(); ++i) {
      const wf::node& n = grown->view().nodes[i];
      if (grown->origin_of(static_cast<wf::node_id>(i)) == wf::origin_id::captured) continue;
      CAPTURE(std::string(grown->view().op_name(n)));
      CHECK(std::string(wf::detail::static_node_fault(grown->view(), n, wf::built_in_only)) == "");
    }
    for (int attempt = 0; attempt < 6; ++attempt) {
      const auto chosen = some_choice(grown->view(), classes, random);
      const auto plan = wf::extract(*grown, classes, chosen);
      REQUIRE(plan);
      INFO(std::string(wf::to_text(plan->view()).view()));
      const wf::named_matrices got = results_of(plan->view(), arguments);
      ++plans;
      for (const auto& [name, m] : expected) {
        REQUIRE(got.at(name).rows() == m.rows());
        REQUIRE(got.at(name).cols() == m.cols());
        CAPTURE(name);
        const double scale = 1 + m.lpNorm<Eigen::Infinity>();
        CHECK((got.at(name) - m).lpNorm<Eigen::Infinity>() < 1e-6 * scale);
      }
      for (const std::uint32_t candidate : chosen)
        if (const std::uint32_t node = classes.node_of(candidate, grown->view().nodes.size());
            node != wf::class_numbers::none)
          ++executed[std::string(wf::origin_name(
              {all.data(), all.size()}, grown->origin_of(static_cast<wf::node_id>(node))))];
    }
  }
  // A transform that adds no node states properties of a value, or that two values are equal.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].domain == "tensor") continue;  // about contractions
    const std::string name(all[i].name);
    CAPTURE(name);
    if (executed[name] > 0) continue;
    std::vector<wf::transform> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    bool matters = false;
    for (const wf::graph& g : workflows)
      matters = matters || grown_by(all, g) != grown_by(others, g);
    CHECK(matters);
  }
  MESSAGE(plans << " plans");
}
