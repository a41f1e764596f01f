// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/tree.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>

namespace {

static_assert(wf::sign_of(wf::projection::plain) == "=");
static_assert(wf::index_term().is_plain());

void lies_in(wf::range r, std::size_t size) { REQUIRE(r.first + std::size_t{r.count} <= size); }

}  // namespace

TEST_CASE("the sign of a projection is what a definition of its kind is written with") {
  for (const wf::projection p :
       {wf::projection::plain, wf::projection::sum, wf::projection::maximum,
        wf::projection::minimum, wf::projection::mean}) {
    const std::string source = "y[i] " + std::string(wf::sign_of(p)) + " A[i,j]";
    const auto program = wf::parse_equations(source);
    REQUIRE_MESSAGE(program, source);
    CHECK(program->statements[0].projection == p);
  }
}

TEST_CASE("only a name without shift, star or dot is plain") {
  wf::index_term t;
  CHECK(t.is_plain());
  t.shift = 1;
  CHECK_FALSE(t.is_plain());
  t = {};
  t.streams = true;
  CHECK_FALSE(t.is_plain());
  t = {};
  t.dotted = true;
  CHECK_FALSE(t.is_plain());
  for (const wf::index_kind k : {wf::index_kind::number, wf::index_kind::symbol,
                                 wf::index_kind::slice, wf::index_kind::initial}) {
    t = {};
    t.kind = k;
    CHECK_FALSE(t.is_plain());
  }
}

TEST_CASE(
    "runs of a parsed program lie within its tables, and children stand before their parents") {
  const auto program = wf::parse_equations(
      "input A : f64[3, N]; axis i = 4; export Y\n"
      "opaque f = \"m.f\", \"x[N] -> y[N]\", flops = \"5*N\", pure\n"
      "Y[i,t=0] += -A[i,'k'] relu(B[0:2, *t-1] + 1, axis = 1) / reduce(max, k, l) C[k,l]\n"
      "R(i) = S(i+1) !T(i, 'a') [i < 3]");
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  for (const wf::equation_statement& s : program->statements) {
    lies_in(s.indices, program->indices.size());
    lies_in(s.costs, program->costs.size());
    if (s.kind == wf::equation_statement_kind::definition) REQUIRE(s.root < program->nodes.size());
  }
  for (std::uint32_t n = 0; n < program->nodes.size(); ++n) {
    const wf::equation_node& node = program->nodes[n];
    lies_in(node.children, program->children.size());
    lies_in(node.indices, program->indices.size());
    lies_in(node.attributes, program->attributes.size());
    for (std::uint32_t i = 0; i < node.children.count; ++i)
      REQUIRE(program->children[node.children.first + i] < n);
  }
}
