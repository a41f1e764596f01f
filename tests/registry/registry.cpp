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
