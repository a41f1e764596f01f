// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/registry.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/choice/builtin.hpp>

namespace {

constexpr wf::result<wf::nothing> idle(wf::choice_graph&, wf::node_id) { return wf::nothing{}; }

constexpr wf::transform split{"user", "split", "", &idle, true, "matmul", "min(M, N, K) >= 512"};

constexpr bool finds() {
  wf::transform_registry r(wf::builtin_transforms());
  return r.add(split, wf::builtin_registry()) && r.find("split")->op == "matmul" &&
         r.find("chain_order") != nullptr && r.find("chain") == nullptr;
}
static_assert(finds());

}  // namespace

TEST_CASE("row 6: transforms are registered by value, after those they begin with") {
  const wf::registry kernels = wf::builtin_registry();
  wf::transform_registry r(wf::builtin_transforms());
  const std::size_t before = r.transforms().size();
  REQUIRE(r.add(split, kernels));
  REQUIRE(r.transforms().size() == before + 1);
  CHECK(r.transforms()[before].name == "split");
  wf::transform again = split;
  again.guard = "M >= 2";
  CHECK(r.add(again, kernels).error().code == wf::errc::duplicate_kernel);
  CHECK(r.find("split")->guard == split.guard);
  REQUIRE(r.add(again, kernels, true));
  CHECK(r.find("split")->guard == "M >= 2");
  CHECK(r.transforms().size() == before + 1);
}

TEST_CASE("row 6: what is wrong with a transform is an error that changes nothing") {
  const wf::registry kernels = wf::builtin_registry();
  wf::transform_registry r;
  const auto refused = [&](wf::transform t, bool overrides = false) {
    const auto added = r.add(t, kernels, overrides);
    CHECK(r.transforms().empty());
    return added ? std::string("ok") : std::string(wf::to_text(added.error()).view());
  };
  wf::transform t = split;
  t.guard = "min(M, P) >= 512";
  CHECK(refused(t) ==
        "WF202 in 'split': guard: unknown symbol 'P'; known here: M, K, N, A, B, C "
        "(line 1, column 8)");
  CHECK(r.fault_of(t, kernels).source == "min(M, P) >= 512");
  t = split;
  t.op = "matmull";
  CHECK(refused(t) == "WF301 in 'split': unknown kernel 'matmull': did you mean 'matmul'?");
  t = split;
  t.name = "a b";
  CHECK(refused(t).substr(0, 5) == "WF105");
  CHECK(refused(split, true).substr(0, 48) == "WF301 in 'split': overrides nothing: unknown tra");
}
