// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>

#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>

#include "hard_blocks.hpp"
#include "packing_oracle.hpp"

// Packing models whose relaxation has a gap.
namespace enumerated {

// A small model whose relaxation is rarely integral: colours, covers, or rings.
inline wf::detail::packing_model hard_model(std::mt19937& random) {
  for (;;) {
    const auto m = model_of(problem_of_kind(random() % 3 == 0 ? 4 : 3, random));
    if (m && m->rows > 0 && choices(*m) < 20'000) return *m;
  }
}

// Minimum vertex cover of a ring: no two neighbours are outside of the cover; each vertex in it
// costs 1.
constexpr wf::detail::packing_model odd_ring(std::uint32_t size) {
  cover_model cover(wf::table<std::int64_t>(size, 1));
  for (std::uint32_t v = 0; v < size; ++v) cover.add_edge(v, (v + 1) % size);
  return cover.finish();
}

// The left side of a cut for given shares of the values.
template <class Share>
double use(const wf::detail::packing_cut& cut, Share share) {
  double sum = 0;
  for (std::size_t i = 0; i < cut.value.size(); ++i)
    sum += cut.coefficient[i] * share(cut.value[i]);
  return sum;
}

}  // namespace enumerated
