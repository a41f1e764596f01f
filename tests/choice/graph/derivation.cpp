// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/derivation.hpp>

#include <doctest/doctest.h>

namespace {

using wf::derivation_step, wf::derivations, wf::node_id, wf::origin_id;

constexpr origin_id first{1}, second{2};

// Nodes 0 and 1 are captured; 2 was made at 1, 3 at 2, 4 at 3, and 5 at 0.
constexpr derivations example() {
  derivations d;
  d.add(origin_id::captured, node_id{0});
  d.add(origin_id::captured, node_id{0});
  d.add(first, node_id{1});
  d.add(second, node_id{2});
  d.add(first, node_id{3});
  d.add(second, node_id{0});
  return d;
}
constexpr bool has_steps(const derivations& d, std::uint32_t node,
                         std::initializer_list<derivation_step> wanted) {
  const auto steps = d.steps_of(node_id{node});
  if (steps.size() != wanted.size()) return false;
  std::size_t i = 0;
  for (const derivation_step& s : wanted)
    if (!(steps[i++] == s)) return false;
  return true;
}

static_assert(derivations{}.size() == 0 && example().size() == 6);
static_assert(example().origin_of(node_id{1}) == origin_id::captured);
static_assert(example().origin_of(node_id{3}) == second);
// Steps in reverse order.
static_assert(has_steps(example(), 0, {}) && has_steps(example(), 1, {}));
static_assert(has_steps(example(), 4,
                        {{first, node_id{3}}, {second, node_id{2}}, {first, node_id{1}}}));
static_assert(has_steps(example(), 5, {{second, node_id{0}}}));
static_assert(example().times(node_id{4}, first) == 2 && example().times(node_id{4}, second) == 1);
static_assert(example().times(node_id{5}, first) == 0 && example().times(node_id{1}, first) == 0);

}  // namespace

TEST_CASE("copies keep their derivations, also over nodes that are gone") {
  const derivations all = example();
  // Nodes 0 and 4 are copied in another order; 1 is removed, 3 is merged into 0; 2 and 5 are
  // dropped.
  derivations kept;
  kept.add(origin_id::captured, node_id{0});
  kept.add(origin_id::captured, node_id{0});
  constexpr node_id none = node_id::none, copy_of_4{0}, copy_of_0{1};
  const node_id copies[] = {copy_of_0, none, none, none, copy_of_4, none};
  const node_id sites[] = {copy_of_0, none, none, copy_of_0, copy_of_4, none};
  kept.copy(all, {copies, 6}, {sites, 6});
  CHECK(kept.size() == 2);
  CHECK(kept.origin_of(copy_of_0) == origin_id::captured);
  CHECK(has_steps(kept, 1, {}));
  CHECK(has_steps(kept, 0, {{first, copy_of_0}, {second, none}, {first, none}}));
  CHECK(kept.times(copy_of_4, first) == 2);
  // Nodes that are added afterwards derive from the copies.
  kept.add(second, copy_of_4);
  CHECK(
      has_steps(kept, 2, {{second, copy_of_4}, {first, copy_of_0}, {second, none}, {first, none}}));
}
