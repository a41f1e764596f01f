// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/check.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

constexpr wf::kernel_spec blur{
    .name = "blur",
    .domain = "imaging",
    .signature =
        "X@image: floating [..., H, W], K: floating [R, S], passes: integer = 1, "
        "mode: string = same -> Y[..., H - R + 1, W*passes]",
    .costs = {{"flops", "2*passes*Y*R*S"}, {"bytes", "X.bytes + K.bytes"}}};
static_assert(wf::check_kernel(blur));

constexpr wf::kernel_spec with_cost(const char* formula) {
  wf::kernel_spec k = blur;
  k.costs[0].formula = formula;
  return k;
}
constexpr wf::kernel_spec with_signature(const char* signature) {
  return wf::kernel_spec{.name = "blur", .domain = "imaging", .signature = signature};
}
static_assert(wf::find_fault(with_cost("2*Q")).failure.code == wf::errc::unknown_symbol);

// A fault as text, with the column of the caret: "WF303 in 'blur': ... ".
std::string told(const wf::registry_fault& f) { return std::string(wf::to_text(f.failure).view()); }

struct refused {
  wf::kernel_spec kernel;
  const char* message;
};

}  // namespace

TEST_CASE("row 3: a cost may name what the signature declares, and nothing else") {
  for (const char* formula :
       {"H*W", "R + S", "X", "Y", "K", "X.bytes", "passes", "sum_over(i, 1, H, i*W)", "7",
        "max(Y.bytes, 3KiB)", "H > W ? H : 2*W"}) {
    CAPTURE(formula);
    CHECK(wf::check_kernel(with_cost(formula)));
  }
  const refused wrong[] = {
      {with_cost("2*Y*Q"),
       "WF202 in 'blur': cost in flops: unknown symbol 'Q'; known here: H, W, "
       "R, S, passes, X, K, Y (line 1, column 5)"},
      {with_cost("passe*H"),
       "WF202 in 'blur': cost in flops: unknown symbol 'passe': did you mean "
       "'passes'? (line 1, column 1)"},
      {with_cost("h*W"),
       "WF202 in 'blur': cost in flops: unknown symbol 'h': did you mean 'H'? "
       "(line 1, column 1)"},
      {with_cost("X.byte"),
       "WF202 in 'blur': cost in flops: unknown symbol 'X.byte': did you mean "
       "'X.bytes'? (line 1, column 1)"},
      {with_cost("H.bytes"),
       "WF202 in 'blur': cost in flops: unknown symbol 'H.bytes': did you "
       "mean 'X.bytes'? (line 1, column 1)"},
      // A string is not a number; the variable of a sum is local to it.
      {with_cost("mode"),
       "WF202 in 'blur': cost in flops: unknown symbol 'mode'; known here: H, "
       "W, R, S, passes, X, K, Y (line 1, column 1)"},
      {with_cost("sum_over(i, 1, H, i) + i"),
       "WF202 in 'blur': cost in flops: unknown symbol 'i'; known here: H, W, R, S, passes, X, K, "
       "Y (line 1, column 24)"},
      {with_cost("2*(H"),
       "WF201 in 'blur': cost in flops: missing ')' for the '(' at column 3 (line 1, column 5)"},
  };
  for (const refused& r : wrong) CHECK(told(wf::find_fault(r.kernel)) == r.message);
}

TEST_CASE("row 3: signatures that contradict themselves are refused, with the place") {
  const refused wrong[] = {
      {with_signature("A[M, K] B[K] -> C[M]"),
       "WF303 in 'blur': expected ',' or '->' (line 1, column 9)"},
      {with_signature("A: flaoting [M] -> C[M]"),
       "WF303 in 'blur': unknown element type 'flaoting': did you mean 'floating'? (line 1, "
       "column 4)"},
      {with_signature("A[M], A[N] -> C[M]"),
       "WF303 in 'blur': the name 'A' is declared twice (line 1, column 7)"},
      {with_signature("A[M], M = 1 -> C[M]"),
       "WF303 in 'blur': the dimension 'M' is also an attribute (line 1, column 3)"},
      {with_signature("A[M], B[A] -> C[M]"),
       "WF303 in 'blur': the dimension 'A' is also a parameter (line 1, column 9)"},
      {with_signature("A[2*M] -> C[M]"),
       "WF303 in 'blur': a dimension of an operand is a symbol or a number, not '2*M' (line 1, "
       "column 3)"},
      {with_signature("A[Mx], k: integer -> C[2*M]"),
       "WF202 in 'blur': dimension 2*M: unknown symbol 'M': did you mean 'Mx'? (line 1, column "
       "26)"},
      {with_signature("A[M] -> C[A + 1]"),
       "WF202 in 'blur': dimension A + 1: unknown symbol 'A'; known here: M (line 1, column 11)"},
      {with_signature("A[M] -> C[2*(M]"),
       "WF303 in 'blur': expected ',' or ']' after a dimension (line 1, column 16)"},
      {with_signature("A[M] -> C[2**]"),
       "WF201 in 'blur': expected a value, found the end (line 1, column 14)"},
      {with_signature("A[12345678901234567890] -> C[]"),
       "WF303 in 'blur': the extent 12345678901234567890 is too large (line 1, column 3)"},
      {with_signature("A[M], n = M -> C[M]"),
       "WF303 in 'blur': the default of attribute 'n' is no number (line 1, column 11)"},
      {with_signature("A[M], B[M] = N -> C[M]"),
       "WF202 in 'blur': default of B: unknown symbol 'N'; known here: M, A, B, C (line 1, column "
       "14)"},
      {with_signature("A[M] -> 1C[M]"),
       "WF303 in 'blur': the name '1C' begins with a digit (line 1, column 9)"},
      {with_signature("A[M, N?], B[N] -> C[M]"),
       "WF303 in 'blur': the dimension 'N' is optional here only (line 1, column 6)"},
      {with_signature("A[M] -> C[M, N?]"),
       "WF303 in 'blur': the optional dimension 'N' is no operand's symbol (line 1, column 14)"},
      {with_signature("A[M, 3?] -> C[M, 3?]"),
       "WF303 in 'blur': the optional dimension '3' is no operand's symbol (line 1, column 6)"},
      {with_signature("A[M], k*B[M] -> m*C[M]"),
       "WF303 in 'blur': the number of results 'm' is neither an attribute nor the number of "
       "operands (line 1, column 17)"},
      {with_signature("A[M], m: string -> m*C[M]"),
       "WF303 in 'blur': the number of results 'm' is neither an attribute nor the number of "
       "operands (line 1, column 20)"},
      {with_signature("M*A[M] -> C[M]"),
       "WF303 in 'blur': the dimension 'M' is also a number (line 1, column 5)"},
      {with_signature("n*A[M], n = 1 -> C[M]"),
       "WF303 in 'blur': the name 'n' is declared twice (line 1, column 1)"},
      {with_signature("a[], b[], c[], d[], e[], f[], g[], h[], i[] -> j[]"),
       "WF303 in 'blur': has more than 8 operands, 6 results or 16 symbols"},
  };
  for (const refused& r : wrong) CHECK(told(wf::find_fault(r.kernel)) == r.message);
}

TEST_CASE("row 3: cuts are of known characters, and one part is open at most") {
  for (const char* cuts : {"c", "*-", "-*", "ccww", "*"})
    CHECK(wf::check_kernel(
        {.name = "mine", .domain = "user", .signature = "A[...] -> C[...]", .cuts = cuts}));
  for (const char* cuts : {"x", "**", "c c", "-C"})
    CHECK(wf::check_kernel(
              {.name = "mine", .domain = "user", .signature = "A[...] -> C[...]", .cuts = cuts})
              .error()
              .code == wf::errc::bad_signature);
}

TEST_CASE("row 3: names and metrics") {
  wf::kernel_spec k = blur;
  k.name = "b lur";
  CHECK(wf::find_fault(k).failure.code == wf::errc::invalid_name);
  k = blur;
  k.domain = "";
  CHECK(wf::find_fault(k).failure.code == wf::errc::invalid_name);
  k = blur;
  k.costs[1].metric = "flops";
  CHECK(told(wf::find_fault(k)) == "WF303 in 'blur': states two costs in flops (line 1, column 1)");
  k.costs[1].metric = "flops(complex)";
  CHECK(wf::find_fault(k).failure.code == wf::errc::none);
  k.costs[2] = {"flops(i32)", "3"};
  CHECK(told(wf::find_fault(k)) ==
        "WF303 in 'blur': states costs in flops for two classes of elements");
  k.costs[2] = {};
  k.costs[1].metric = "flops(complicated)";
  CHECK(
      told(wf::find_fault(k)) ==
      "WF303 in 'blur': states a cost of elements of 'complicated', which is no dtype nor a class "
      "of them");
  k.costs[1].metric = "a b";
  CHECK(wf::find_fault(k).failure.code == wf::errc::invalid_name);
  k.costs[1] = {"bytes", nullptr};
  CHECK(wf::find_fault(k).failure.code == wf::errc::formula_syntax);
}

TEST_CASE("row 3: the picture shows the text at fault with a caret") {
  CHECK(std::string(wf::picture(wf::find_fault(with_cost("2*H*pass"))).view()) ==
        "WF202 in 'blur': cost in flops: unknown symbol 'pass': did you mean 'passes'? (line 1, "
        "column 5)\n"
        "  2*H*pass\n"
        "      ^");
}

TEST_CASE("row 6: a guard may name what the costs may") {
  CHECK_FALSE(wf::find_guard_fault("split", "min(H, W) >= 512 and passes == 1", blur));
  const auto f = wf::find_guard_fault("split", "min(H, w) >= 512", blur);
  CHECK(told(f) ==
        "WF202 in 'split': guard: unknown symbol 'w': did you mean 'W'? (line 1, column 8)");
  CHECK(f.source == "min(H, w) >= 512");
  CHECK(wf::find_guard_fault("split", "H >=", blur).failure.code == wf::errc::formula_syntax);
}

TEST_CASE("row 2: an overriding kernel without a signature refines") {
  const wf::kernel_spec base = wf::kernels::add;
  const wf::kernel_spec more{.name = "add",
                             .costs = {{"energy", "3*C"}, {"flops", "2*C"}},
                             .laws = {.linear = true},
                             .overrides = true};
  const wf::kernel_spec whole = wf::refined(more, base);
  CHECK(whole.domain == base.domain);
  CHECK(whole.signature == base.signature);
  CHECK(whole.laws.commutative);
  CHECK(whole.laws.linear);
  CHECK((whole.result_properties == base.result_properties));
  CHECK(whole.adjoint == base.adjoint);
  REQUIRE(wf::costs_of(whole).size() == 1 + wf::costs_of(base).size());
  CHECK(wf::costs_of(whole)[1].formula == "2*C");
  CHECK(wf::check_kernel(whole));
  // With a different signature it is an operator of its own.
  const wf::kernel_spec other{.name = "add",
                              .domain = "mine",
                              .signature = "A: any [...], B: any [...] -> C[...]",
                              .overrides = true};
  CHECK(wf::costs_of(wf::refined(other, base)).empty());
  CHECK(wf::refined(other, base).adjoint.empty());
}

TEST_CASE("a definition that is stated replaces one that is written, and is inherited") {
  constexpr auto writes = [](const wf::rule_input&) { return wf::text("C[...] = A[...]"); };
  wf::kernel_spec base{.name = "f", .write_definition = writes};
  base.signature = "A: floating [...] -> C[...]";
  wf::kernel_spec more{.name = "f", .overrides = true};
  CHECK((wf::refined(more, base).write_definition != nullptr));
  more.definition = "C[...] = 2 A[...]";
  CHECK((wf::refined(more, base).write_definition == nullptr));
  CHECK(wf::refined(more, base).definition == more.definition);
}

TEST_CASE("an adjoint that is stated replaces one that is written, and the other way round") {
  constexpr auto writes = [](const wf::rule_input&) { return wf::text("dA = dC"); };
  wf::kernel_spec base{.name = "f", .adjoint = "dA = 0"}, more{.name = "f", .overrides = true};
  base.signature = "A: floating [...] -> C[...]";
  CHECK(wf::refined(more, base).adjoint == "dA = 0");
  more.write_adjoint = writes;
  CHECK(wf::refined(more, base).adjoint.empty());
  base = wf::kernel_spec{.name = "f", .signature = base.signature, .write_adjoint = writes};
  more = wf::kernel_spec{.name = "f", .adjoint = "dA = 0", .overrides = true};
  const bool written = wf::refined(more, base).write_adjoint != nullptr;
  CHECK_FALSE(written);
}

TEST_CASE("row 2: an override takes what the kernel took, and gives what it gave") {
  const auto fault = [](const char* ours, const char* theirs) {
    const wf::kernel_spec base = with_signature(theirs);
    return told(wf::find_override_fault(with_signature(ours), base));
  };
  const std::string none = "WF0: ";
  CHECK(fault("A: number [M] -> C[M]", "A: floating [M] -> C[M]") == none);
  // A result without a bound has the element type of its operand, which the original's operand
  // bounds.
  CHECK(fault("A[M] -> C[M]", "A: floating [M] -> C: floating [M]") == none);
  CHECK(fault("A[M] -> C: number [M]", "A: floating [M] -> C: floating [M]") ==
        "WF303 in 'blur': result C is number, but of the kernel that it overrides floating (line "
        "1, column 9)");
  CHECK(fault("A: floating [M] -> C[M]", "A: floating [M] -> C: floating [M]") == none);
  CHECK(fault("A: integer [M] -> C[M]", "A: number [M] -> C[M]") ==
        "WF303 in 'blur': operand A is integer, but of the kernel that it overrides number (line "
        "1, column 1)");
  CHECK(fault("A[M] -> C[M]", "A[M], B[M] -> C[M]") ==
        "WF303 in 'blur': overrides a kernel of 2 operands and 1 results, so it must have as many "
        "(line 1, column 1)");
  // An override must keep optional dimensions and variadic parameters.
  CHECK(fault("A[M, N?] -> C[M, N?]", "A[M, N] -> C[M, N]") == none);
  CHECK(fault("A[M, N] -> C[M, N]", "A[M, N?] -> C[M, N?]") ==
        "WF303 in 'blur': A has all dimensions, but one is optional in the kernel that it "
        "overrides (line 1, column 1)");
  CHECK(fault("n*A[M] -> C[M]", "n*A[M] -> C[M]") == none);
  CHECK(fault("A[M] -> C[M]", "n*A[M] -> C[M]") ==
        "WF303 in 'blur': overrides a kernel of 1 operands and 1 results, so it must have as many "
        "(line 1, column 1)");
}

TEST_CASE("row 3: every built-in kernel names only what it declares") {
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const wf::registry_fault f = wf::find_fault(*k);
    CHECK_MESSAGE(!f, std::string(wf::picture(f).view()));
  }
}
