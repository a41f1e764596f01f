// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/v2.hpp>
#include <wf/logic/program/read_program.hpp>

#include "../capture/equations/prefix_form.hpp"
#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  return {"input A : f64[3, M] {spd}\nY[i,k] = relu(A[i,j] A[j,k], n = 2) + 3\nexport Y",
          "Path(x,z) = Edge(x,y) Path(y,z) !Cut(x,'a') [x != z]\nD[x] min= D[y] + E[y+1,x]",
          "opaque f = \"lib.f\", \"x[N] -> y[N]\", flops = \"5*N\", pure; axis i = 10; y[t=0] = 2",
          "y[i] = reduce(max, k) A[i,0:2] - (a[*t+1] / -b[q.]) 1.5e0",
          "T[i,j] = \"data.npy\"\nM[i] max= T[i,j] W[j] + B[i] - 1\n\"out\" = topk(M[i], k=5)",
          "O[p,h] = attention(Q[p,d], K[q,d], causal=true, mask=none, w=[[0.5, -1], {a: 2}])",
          "R(i,*t+1) = Q(i-1, *t-2, 0:2, q.) Even(axis=\"i\")\nexport R",
          "const k = 2 ** 3 / 4; axis i = k; param n : f32\n{ y[i] = f(x[i,d], 2 * x[j,d]) + k }\n"
          "fn f(a[d], b[d]) -> s { let t = a*b; s = t ** 2 }",
          "y[i] when m[i] = case { a[i] -> b; default -> -c } ? x : !z || w && v; export y",
          "import \"lib\" as q; z[i] = q::g(x[i,d]) + @softmax(l[p], mask=m[p], k=8/2)"};
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"input ",
          "export ",
          "reduce(sum, k) ",
          "case {",
          "-> ",
          "default ",
          "fn f(a[d]) -> s {",
          "when ",
          "let ",
          "const ",
          "axis ",
          "import ",
          "max= ",
          "avg= ",
          "+= ",
          "A[i,j]",
          "B(j,k)",
          "0:2",
          "*t+1",
          "q.",
          "even(i)",
          "true",
          "none",
          "[1, -2]",
          "{a: 1}",
          "\"s\"",
          "**",
          "||",
          "&&",
          "? a : b",
          "q::g(",
          "f(",
          "!",
          "[x < y]",
          "@softmax(",
          "\n",
          "; ",
          "'a'",
          "1e9",
          "pow(",
          "f64[3]",
          "export"};
}

namespace {

void check(wf::text_view source, const wf::result<wf::equation_program>& p) {
  using wf_test::fuzz_require;
  if (!p) return wf_test::fuzz_require_error(source, p.error());
  ++wf_test::fuzz_accepted;
  fuzz_require(wf_test::is_well_formed(*p), "children come before parents");
  const std::string form = wf_test::program_form(*p);
  const wf::equation_program copy = *p;
  fuzz_require(wf_test::program_form(copy) == form, "a copy has the same names");
  const auto rules =
      wf::logic::detail::program_lowering(copy, source, wf::builtin_registry()).run({});
  if (!rules) wf_test::fuzz_require_error(source, rules.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  const auto texts = [](wf::text_view path) -> wf::result<wf::text> {
    if (path == "lib") return wf::text("fn g(x[d]) -> y { y = reduce(sum, d) x[d] ** 2 }");
    return wf::make_error(wf::errc::bad_equation, "", "there is no such text");
  };
  check(source, wf::parse_equations(source));
  check(source, wf::parse_legacy_equations(source));
  check(source, wf::parse_v2_equations(source, texts));
  const auto workflow = wf::equations("fuzzed", source);
  wf_test::fuzz_require(workflow || !workflow.error().message.empty(), "an error has a sentence");
  return 0;
}
