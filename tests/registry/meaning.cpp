// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/meaning.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace {

using wf::meaning;

static_assert(wf::name_of(meaning::other).empty());
static_assert(wf::name_of(meaning::inverse) == "inverse");
static_assert(wf::name_of(meaning::identity) == "identity");
static_assert(wf::has_arity(meaning::other, 7, 3));
static_assert(wf::has_arity(meaning::subtraction, 2, 1));
static_assert(!wf::has_arity(meaning::subtraction, 1, 1));
static_assert(!wf::has_arity(meaning::subtraction, 2, 2));
static_assert(wf::has_arity(meaning::identity, 3, 1));
static_assert(wf::has_arity(meaning::concatenation, 1, 1, true));
static_assert(!wf::has_arity(meaning::concatenation, 0, 1));
static_assert(wf::has_arity(meaning::probability, 2, 1));
static_assert(!wf::has_arity(meaning::probability, 0, 1));
static_assert(!wf::has_arity(meaning::subtraction, 2, 1, true));
static_assert(!wf::has_arity(meaning::subtraction, 2, 1, false, true));
static_assert(wf::has_arity(meaning::parts, 1, 1, false, true));
static_assert(wf::has_arity(meaning::parts, 1, 4));
static_assert(!wf::has_arity(meaning::parts, 1, 0));

}  // namespace

TEST_CASE("every meaning has a name of its own, and a built-in operator") {
  std::set<std::string> names;
  std::set<meaning> had;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) had.insert(k->meaning);
  for (std::size_t i = 0; i < wf::meaning_count; ++i) {
    const auto m = static_cast<meaning>(i);
    names.emplace(wf::name_of(m));
    CHECK_MESSAGE(had.count(m) == 1, std::string(wf::name_of(m)));
  }
  CHECK(names.size() == wf::meaning_count);
}

TEST_CASE("a kernel takes the operands of what it means, and one that refines keeps the meaning") {
  wf::registry r = wf::builtin_registry();
  const auto refused = r.add(wf::kernel_spec{.name = "minus",
                                             .domain = "own",
                                             .meaning = meaning::subtraction,
                                             .signature = "A: number [...] -> C[...]"});
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::bad_signature);
  CHECK(refused.error().message.view() ==
        "takes 1 operands and gives 1 results, as no subtraction does");
  REQUIRE(
      r.add(wf::kernel_spec{.name = "subtract", .costs = {{"flops", "2*C"}}, .overrides = true}));
  CHECK(r.find("subtract")->meaning == meaning::subtraction);
}
