// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/tree.hpp>

#include <utility>

#include <doctest/doctest.h>

static_assert(wf::name_of(wf::equation_kind::number) == "a number");
static_assert(wf::name_of(wf::equation_kind::comparison) == "a comparison");
static_assert(wf::name_of(wf::equation_kind::power) == "a power");
static_assert(wf::name_of(wf::equation_kind::entry) == "an index that is more than a name");
static_assert(wf::sign_of(wf::projection::plain) == "=");
static_assert(wf::sign_of(wf::projection::mean) == "avg=");

TEST_CASE("an index is plain if it is a name and nothing else") {
  wf::index_term t;
  t.name = "i";
  CHECK(t.is_plain());
  wf::index_term shifted = t, stepped = t, dotted = t, position = t;
  shifted.shift = -1;
  stepped.streams = true;
  dotted.dotted = true;
  position.kind = wf::index_kind::number;
  for (const wf::index_term& other : {shifted, stepped, dotted, position})
    CHECK_FALSE(other.is_plain());
}

TEST_CASE("a program keeps the texts that were made up for it, when it is copied and moved") {
  wf::equation_program copy;
  {
    wf::equation_program p;
    wf::equation_node n;
    n.kind = wf::equation_kind::reference;
    n.name = p.made.keep(wf::text() << "__fn" << 1 << "_s");
    p.nodes.push_back(n);
    copy = p;
  }
  const wf::equation_program moved = std::move(copy);
  CHECK(moved.nodes[0].name == "__fn1_s");
}
