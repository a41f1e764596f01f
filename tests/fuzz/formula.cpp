// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/formula/language/symbolic.hpp>

#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  return {"2*M*N*K",
          "sum_over(step, 1, M, 2*M + M + M*N)",
          "min(M, N, 3) >= 2 and not K == 0 ? 8KiB : 2us",
          "ceil(log2(M + 1)) // 2 % 7 - -2**2",
          "pow(M, 1/2) + sqrt(16) * abs(-0.125) / 1e-3",
          "(M + N)**3 - M*(M - 1)//2",
          "sum_over(i, 0, M - 1, sum_over(j, i, N, i*j))",
          "(M + N - (a + b_1 + c + d + e + f)**5)**6",
          "round(2.5) + floor(N/3) + max(1, 2) + exp(0) + log(1)"};
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"M",    "N",     "K",     "sum_over(i, 1, ",
          "min(", "max(",  "ceil(", "floor(",
          "log2", "sqrt(", "pow(",  " and ",
          " or ", "not ",  " ? ",   " : ",
          "**",   "//",    "%",     "KiB",
          "GHz",  "1e9",   "0.1",   "(",
          ")",    ",",     "==",    "<=",
          "A.b",  "1/3",   "-",     "127"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wf;
  const text_view source(reinterpret_cast<const char*>(data), size);
  const result<formula> parsed = parse_formula(source);
  if (!parsed) {
    wf_test::fuzz_require_error(source, parsed.error());
    return 0;
  }
  const binding bindings[] = {{"M", rational(6)}, {"N", rational(4)}, {"K", rational(9)}};
  const result<rational> number = evaluate(*parsed, bindings);
  if (!number) wf_test::fuzz_require_error(source, number.error());
  const result<polynomial> symbolic = evaluate_symbolic(*parsed);
  if (!symbolic) {
    wf_test::fuzz_require_error(source, symbolic.error());
    return 0;
  }
  ++wf_test::fuzz_accepted;
  const text canonical = to_text(*symbolic);
  const result<polynomial> again = parse_polynomial(canonical);
  wf_test::fuzz_require(again && *again == *symbolic, "the canonical text is read back");
  wf_test::fuzz_require(to_text(*again) == canonical, "a polynomial has one text");
  // The closed form of a sum is valid for some bounds only; otherwise the polynomial has the value
  // of the formula.
  for (const formula_instruction& i : parsed->code)
    if (i.op == formula_op::sum) return 0;
  const result<rational> value = evaluate(*parse_formula(canonical), bindings);
  if (number && value)
    wf_test::fuzz_require(*number == *value, "the polynomial has the value of the formula");
  return 0;
}
