// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/wire.hpp>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>

// A message has an effect, and what merges equal nodes leaves it alone.
static_assert(wf::kernels::send.effects == wf::effect::external);
static_assert(wf::kernels::receive.effects == wf::effect::external);
static_assert(wf::kernels::as_class.effects == wf::effect::pure);

TEST_CASE("messages state their meaning, with its operands and results") {
  for (const wf::kernel_spec* k : wf::kernels::wire_domain) {
    CAPTURE(k->name.data());
    CHECK_FALSE(wf::find_fault(*k));
    CHECK(k->meaning != wf::meaning::other);
  }
  CHECK(wf::has_arity(wf::meaning::sending, 2, 3));
  CHECK_FALSE(wf::has_arity(wf::meaning::sending, 2, 2));
  CHECK_FALSE(wf::has_arity(wf::meaning::sending, 1, 3));
  CHECK(wf::has_arity(wf::meaning::receiving, 0, 2));
  CHECK_FALSE(wf::has_arity(wf::meaning::receiving, 1, 2));
  CHECK(wf::has_arity(wf::meaning::membership, 1, 1));
}
