// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/simplex_basis.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_model;
using wf::detail::simplex_basis;
using wf::detail::sparse_vector;

// Makes the first value of each class its key.
static void set_keys(simplex_basis& basis, const packing_model& m) {
  for (std::uint32_t k = 0; k < m.classes; ++k) basis.key_.push_back(m.first[k]);
}

TEST_CASE("every slot of the empty basis has its own slack") {
  std::mt19937 random(622);
  const packing_model m = random_model(random);
  const simplex_basis basis(m);
  for (std::uint32_t r = 0; r < basis.all_; ++r) {
    CHECK(basis.basic_[r] == m.values + r);
    CHECK(basis.slot_of_[m.values + r] == r);
  }
  for (std::uint32_t v = 0; v < m.values; ++v) CHECK(basis.slot_of_[v] == packing_model::none);
}

TEST_CASE("the factors turn the column of a basic variable into the unit of its slot") {
  std::mt19937 random(623);
  int inverted = 0;
  for (int round = 0; round < 1'500; ++round) {
    CAPTURE(round);
    const packing_model m = random_model(random);
    simplex_basis basis(m);
    if (basis.all_ == 0) continue;
    set_keys(basis, m);
    // A value replaces the slack of one of its rows.
    const std::uint32_t v = below(random, m.values), k = m.owner[v];
    if (v == basis.key_[k]) continue;
    sparse_vector column(basis.all_);
    basis.add_column(v, 1, column);
    const std::uint32_t row = below(random, basis.all_);
    if (column[row] < 0.01 && column[row] > -0.01) continue;
    basis.slot_of_[m.values + row] = packing_model::none;
    basis.basic_[row] = v;
    basis.slot_of_[v] = row;
    REQUIRE(basis.invert());
    CHECK(basis.factored_);
    ++inverted;
    for (std::uint32_t slot = 0; slot < basis.all_; ++slot) {
      CHECK(basis.slot_of_[basis.basic_[slot]] == slot);
      sparse_vector unit(basis.all_);
      basis.add_column(basis.basic_[slot], 1, unit);
      basis.factor_.solve(unit);
      for (std::uint32_t i = 0; i < basis.all_; ++i)
        CHECK(unit[i] == doctest::Approx(i == slot ? 1.0 : 0.0));
    }
  }
  CHECK(inverted > 100);
}

TEST_CASE("a value that is in no row makes the basis singular") {
  wf::detail::packing_model m;
  for (int k = 0; k < 3; ++k) {
    m.add_class();
    for (int v = 0; v < 2; ++v) m.add_value(v, packing_model::none);
  }
  const std::uint32_t row[] = {0, 2};
  m.add_row(row);
  finish_flat(m);
  simplex_basis basis(m);
  set_keys(basis, m);
  CHECK(basis.invert());
  basis.slot_of_[m.values] = packing_model::none;
  basis.basic_[0] = 5;
  basis.slot_of_[5] = 0;
  CHECK_FALSE(basis.invert());
  CHECK_FALSE(basis.factored_);
}
