// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/hash.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

// The published test vector of FNV-1a for "a", before the length is folded in.
static_assert(wf::hasher{}.byte('a').value() == 0xaf63dc4c8601ec8cULL);
static_assert(wf::hash_text("ab") != wf::hash_text("ba"));
static_assert(wf::hasher{}.characters("ab").characters("c").value() !=
              wf::hasher{}.characters("a").characters("bc").value());
static_assert(wf::hasher{}.word(1).value() != wf::hasher{}.word(2).value());

TEST_CASE("words and texts rarely collide") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    seen.insert(wf::hasher{}.word(i).value());
    seen.insert(wf::hash_text(std::to_string(i)));
  }
  CHECK(seen.size() == 40000);
}
