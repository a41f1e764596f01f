// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/one_kernel.hpp>

#include <set>

#include <doctest/doctest.h>

#include <wf/ir/graph/validate.hpp>
#include <wf/registry/times/host_times.hpp>

namespace {

using wf::calibration::make_one, wf::calibration::one_kernel;

one_kernel made(wf::text_view op, const wf::calibration::extents& e, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  auto out = make_one(*wf::timed_registry().find(op), e, &random);
  CAPTURE(wf::to_text(out.error()).view());
  REQUIRE(out);
  return *std::move(out);
}
std::string operands(wf::text_view signature, wf::view<wf::sample_operands> samples = {}) {
  const auto out = wf::calibration::operands_of({.name = "mine", .signature = signature}, samples);
  return out ? *out : std::string(out.error().message.view());
}

}  // namespace

TEST_CASE("signatures say what operands are, where no sample does") {
  CHECK(operands("A: number [..., M, K], B: number [..., K, N] -> C[..., M, N]") == "[m,n] [n,k]");
  CHECK(operands("A: floating [...] -> C[...]") == "[m,n]");
  CHECK(operands("X: floating [..., N], g: floating [N] -> Y[..., N]") == "[m,n] [n]");
  CHECK(operands("A: floating [M, M], p: i64 [M] -> X[M]") == "d[m,m] p[m]");
  CHECK(operands("p: bool [...], A[...] -> C[...]") == "b[m,n] [m,n]");
  CHECK(operands("a: number [], x: number [N] -> y[N]") == "[] [m]");
  CHECK(operands("-> C[]").empty());
  CHECK(operands("A[M, M], B[M, N?] -> X[M, N?]") == "d[m,m] [m,n?]");
  CHECK(operands("n*A[...] -> C[...]") == "[m,n]*(1+k%4)");
  CHECK(operands("X: number [N, C, H, W] -> Y[N]").find("more than three") != std::string::npos);
  const wf::sample_operands own[] = {{"mine", "[2*m,k]"}};
  CHECK(operands("A[...] -> C[...]", own) == "[2*m,k]");
}

TEST_CASE("operands have the types that their elements have") {
  std::mt19937_64 random(11);
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    for (int round = 0; round < 5; ++round) {
      const auto extent = [&] { return 1 + static_cast<std::int64_t>(random() % 20); };
      const wf::calibration::extents e{extent(), extent(), extent(), round % 2 == 1};
      const one_kernel one = made(k.name, e, static_cast<unsigned>(round));
      const wf::graph_view g = one.workflow.view();
      REQUIRE(wf::validate(g));
      CHECK(g.op_name(g.nodes[0]) == k.name);
      std::size_t at = 0;
      for (const wf::value& v : g.values) {
        if (v.producer != wf::node_id::none) continue;
        REQUIRE(at < one.inputs.size());
        const Eigen::MatrixXd& m = one.inputs[at++];
        CHECK(m.size() == v.type.shape.elements());
        if (wf::is_integer(v.type.type)) CHECK(m == m.array().round().matrix());
        if (v.type.known.has(wf::symmetric)) CHECK(m == m.transpose());
        if (v.type.known.has(wf::lower_triangular))
          CHECK(m == Eigen::MatrixXd(m.triangularView<Eigen::Lower>()));
        if (v.type.known.has(wf::spd)) CHECK(m.llt().info() == Eigen::Success);
        if (v.type.known.has(wf::permutation)) CHECK((m * m.transpose()).isIdentity());
      }
      CHECK(at == one.inputs.size());
    }
  }
}

TEST_CASE("operands lack their optional dimension where they are to") {
  std::size_t seen = 0;
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    const auto rank = [&](bool lacks_optional) {
      const auto one =
          make_one(*wf::timed_registry().find(k.name), {6, 3, 2, lacks_optional}, nullptr);
      REQUIRE(one);
      return one->workflow.view()[one->workflow.view().outputs[0].source].type.shape.rank;
    };
    const bool optional =
        *wf::calibration::has_optional_dimension(*wf::timed_registry().find(k.name));
    CHECK(rank(true) + (optional ? 1 : 0) == rank(false));
    seen += optional ? 1 : 0;
  }
  CHECK(seen == 9);
}

TEST_CASE("a pack is measured with every number of operands") {
  std::set<std::size_t> seen;
  for (std::int64_t k = 1; k < 20; ++k) seen.insert(made("concat", {3, 2, k}).inputs.size());
  CHECK(seen == std::set<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("what cannot be made is an error") {
  const wf::kernel_spec& add = *wf::builtin_registry().find("add");
  const auto of = [&](wf::text_view words) {
    const wf::sample_operands own[] = {{"add", words}};
    std::mt19937_64 random(1);
    return make_one(add, {2, 3, 4}, &random, own);
  };
  CHECK(of("[m,n] [m,n]"));
  CHECK_FALSE(of("[m,n] [k,n]"));
  CHECK_FALSE(of("[m,n]"));
  CHECK_FALSE(of("[m,q] [m,n]"));
  CHECK_FALSE(of("[m/4,n] [m,n]"));
}

TEST_CASE("the reader of a view reads as much without it") {
  for (const wf::sample_operands& s : wf::kernels::samples) {
    CHECK(wf::calibration::has_reader(s.op) == !s.reader.empty());
    if (s.reader.empty()) continue;
    const std::string op(s.op);
    CAPTURE(op);
    const one_kernel with = made(s.op, {4, 6, 8});
    std::mt19937_64 random(2);
    const auto without = wf::calibration::make_reader(with, {4, 6, 8}, random);
    REQUIRE(without);
    const wf::graph_view a = with.workflow.view(), b = without->workflow.view();
    CHECK(a.nodes.size() == 2);
    CHECK(b.nodes.size() == 1);
    CHECK(a.op_name(a.nodes[1]) == s.reader);
    CHECK(b.op_name(b.nodes[0]) == s.reader);
    CHECK(a[a.outputs[0].source].type.shape == b[b.outputs[0].source].type.shape);
    CHECK(without->inputs.size() == 2);
  }
}
