// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/registry.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr wf::kernel_spec clip{.name = "clip", .domain = "user", .signature = "A[...] -> C[...]"};

constexpr bool finds() {
  wf::registry r;
  return r.add(clip) && r.find("clip") != nullptr && r.find("clap") == nullptr;
}
static_assert(finds());

}  // namespace

TEST_CASE("a duplicate is an error unless it overrides") {
  wf::registry r;
  REQUIRE(r.add(clip));
  const auto again = r.add(clip);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == wf::errc::duplicate_kernel);
  wf::kernel_spec better = clip;
  better.domain = "other";
  better.overrides = true;
  REQUIRE(r.add(better));
  CHECK(r.find("clip")->domain == "other");
  CHECK(r.kernels().size() == 1);
}

TEST_CASE("names of one hash are different kernels") {
  wf::kernel_spec one = clip, other = clip;
  one.name = "fqcripbbnncnrd";
  other.name = "ztphmuppdlzvxb";
  REQUIRE(wf::hash_text(one.name) == wf::hash_text(other.name));
  wf::registry r;
  REQUIRE(r.add(one));
  CHECK(r.find(one.name) != nullptr);
  CHECK(r.find(other.name) == nullptr);
  REQUIRE(r.add(other));
  CHECK(r.find(one.name)->name == one.name);
  CHECK(r.find(other.name)->name == other.name);
}

TEST_CASE("a thousand kernels") {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("kernel" + std::to_string(i));
  wf::registry r;
  for (const auto& name : names) {
    wf::kernel_spec k = clip;
    k.name = name;
    REQUIRE(r.add(k));
  }
  for (const auto& name : names) CHECK(r.find(name)->name == wf::text_view(name));
}

TEST_CASE("row 2: a registry over a catalogue finds both, and overrides without touching it") {
  static constexpr wf::kernel_spec one{.name = "one", .domain = "base", .signature = "-> C[]"};
  static constexpr wf::kernel_spec two{.name = "two", .domain = "base", .signature = "-> C[]"};
  static constexpr const wf::kernel_spec* both[] = {&one, &two};
  static constexpr wf::kernel_list domains[] = {both};
  static constexpr wf::kernel_catalogue<8> catalogue(domains);
  wf::registry r(catalogue);
  CHECK(r.find("one") == &one);
  CHECK(r.find("clip") == nullptr);
  REQUIRE(r.add(clip));
  wf::kernel_spec again{.name = "two", .domain = "mine", .signature = "-> C[]"};
  REQUIRE_FALSE(r.add(again));
  again.overrides = true;
  REQUIRE(r.add(again));
  CHECK(r.find("two")->domain == "mine");
  CHECK(two.domain == "base");
  const auto all = r.kernels();
  REQUIRE(all.size() == 3);
  CHECK(all[0]->name == "one");
  CHECK(all[1]->domain == "mine");
  CHECK(all[2]->name == "clip");
}

TEST_CASE("row 2: an error leaves the registry as it was") {
  wf::registry r;
  REQUIRE(r.add(clip));
  wf::kernel_spec wrong = clip, fine = clip, other = clip;
  wrong.name = "wrong";
  wrong.costs[0] = {"flops", "2*Q"};
  fine.name = "fine";
  other.name = "clip";
  const auto refused = r.add(wrong);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::unknown_symbol);
  // Either all kernels are added or none.
  const wf::kernel_spec batch[] = {fine, wrong};
  CHECK_FALSE(r.add(batch));
  const wf::kernel_spec twice[] = {fine, fine};
  CHECK(r.add(twice).error().code == wf::errc::duplicate_kernel);
  const wf::kernel_spec* const listed[] = {&fine, &other};
  CHECK_FALSE(r.add(wf::kernel_list(listed)));
  REQUIRE(r.kernels().size() == 1);
  CHECK(r.find("fine") == nullptr);
  CHECK(r.find("clip")->signature == clip.signature);
}

TEST_CASE("row 2: what overrides must have something to override, and refines it") {
  wf::registry r;
  REQUIRE(r.add(clip));
  const wf::kernel_spec typo{.name = "clib", .overrides = true};
  const auto refused = r.add(typo);
  REQUIRE_FALSE(refused);
  CHECK(std::string(wf::to_text(refused.error()).view()) ==
        "WF301 in 'clib': overrides nothing: unknown kernel 'clib': did you mean 'clip'?");
  const wf::kernel_spec dear{.name = "clip", .costs = {{"energy", "3*C"}}, .overrides = true};
  REQUIRE(r.add(dear));
  CHECK(r.find("clip")->signature == clip.signature);
  CHECK(r.find("clip")->domain == "user");
  CHECK(wf::costs_of(*r.find("clip"))[0].metric == "energy");
  // A second refinement adds to the first.
  const wf::kernel_spec more{.name = "clip", .costs = {{"flops", "C"}}, .overrides = true};
  REQUIRE(r.add(more));
  CHECK(wf::costs_of(*r.find("clip")).size() == 2);
  wf::kernel_spec full{.name = "clip", .overrides = true};
  const char* const metrics[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  for (std::size_t i = 0; i < 9; ++i) full.costs[i] = {metrics[i], "1"};
  static_assert(9 + 2 > wf::max_kernel_costs);
  CHECK(r.add(full).error().code == wf::errc::bad_signature);
  wf::kernel_spec narrow = clip;
  narrow.signature = "A: f32 [...] -> C[...]";
  narrow.overrides = true;
  CHECK(r.add(narrow).error().code == wf::errc::bad_signature);
}
