// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/scratch.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/registry/domain/builtin.hpp>

// That no operator needs more scratch memory than its kernel states is tested in
// tests/run/operators/operators.cpp.

namespace {

// An environment in which every name has this size; integers may be counted.
struct all_of_size {
  std::int64_t size;
  bool integers;
  constexpr bool operator()(wf::text_view name, wf::rational& out) const {
    const bool counts = name.size() > 9 && name.part(name.size() - 9) == ".integers";
    out = wf::rational(counts ? (integers ? size : 0) : name == "stride" ? 1 : size);
    return true;
  }
};

}  // namespace

TEST_CASE(
    "scratch storage grows with the sizes, is a whole number of elements, and is more for "
    "integers") {
  int seen = 0;
  const wf::registry all = wf::builtin_registry();
  for (const wf::kernel_spec* kernel : all.kernels()) {
    const wf::kernel_spec& k = *kernel;
    for (const wf::cost_formula& c : wf::costs_of(k)) {
      if (c.metric != "scratch") continue;
      CAPTURE(std::string(k.name));
      ++seen;
      const auto formula = wf::parse_formula(c.formula);
      REQUIRE(formula);
      wf::rational last(0);
      for (const std::int64_t size : {1, 2, 7, 15, 16, 17, 31, 48, 64, 65, 127, 128, 300, 400}) {
        CAPTURE(size);
        const auto floating = wf::evaluate(*formula, all_of_size{size, false});
        const auto whole = wf::evaluate(*formula, all_of_size{size, true});
        REQUIRE(floating);
        REQUIRE(whole);
        const auto bytes = wf::to_int64(*floating), most = wf::to_int64(*whole);
        REQUIRE(bytes);
        REQUIRE(most);
        CHECK(*bytes >= 0);
        CHECK(*most >= *bytes);
        CHECK(*bytes % 8 == 0);
        CHECK(!(*floating < last));
        last = *floating;
      }
    }
  }
  CHECK(seen > 30);
}
