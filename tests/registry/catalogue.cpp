// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/catalogue.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr wf::kernel_spec one{.name = "one", .domain = "base", .signature = "-> C[]"};
constexpr wf::kernel_spec two{.name = "two", .domain = "base", .signature = "-> C[]"};
constexpr wf::kernel_spec three{
    .name = "three", .domain = "more", .meaning = wf::meaning::constant, .signature = "-> C[]"};
constexpr const wf::kernel_spec* base[] = {&one, &two};
constexpr const wf::kernel_spec* more[] = {&three};
constexpr wf::kernel_list domains[] = {base, more};
constexpr wf::kernel_catalogue<4> catalogue(domains);
static_assert(wf::registry(catalogue).find("two") == &two);
static_assert(wf::registry(catalogue).find("four") == nullptr);
static_assert(wf::registry(catalogue).find("") == nullptr);
static_assert(wf::registry().find("one") == nullptr);
static_assert(wf::registry(catalogue).meaning_of("three") == wf::meaning::constant);
static_assert(wf::registry(catalogue).meaning_of("two") == wf::meaning::other);
static_assert(wf::registry(catalogue).meaning_of("four") == wf::meaning::other);

}  // namespace

TEST_CASE("a registry of a catalogue lists its kernels in the order of the domains") {
  const wf::registry r(catalogue);
  REQUIRE(r.kernels().size() == 3);
  CHECK(r.kernels()[0] == &one);
  CHECK(r.kernels()[2] == &three);
}

TEST_CASE("a catalogue that is nearly full finds everything, and nothing else") {
  std::vector<std::string> names;
  for (int i = 0; i < 63; ++i) names.push_back("kernel" + std::to_string(i));
  std::vector<wf::kernel_spec> kernels(63);
  std::vector<const wf::kernel_spec*> list;
  for (std::size_t i = 0; i < 63; ++i) {
    kernels[i].name = names[i];
    list.push_back(&kernels[i]);
  }
  const wf::kernel_list all[] = {list};
  const wf::kernel_catalogue<64> c(all);
  const wf::registry r(c);
  for (const auto& k : kernels) CHECK(r.find(k.name) == &k);
  CHECK(r.find("kernel63") == nullptr);
}
