// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/text.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace {

constexpr std::size_t statements_of(wf::text_view source) {
  const auto program = wf::parse_equations(source);
  return program ? program->statements.size() : 0;
}
static_assert(statements_of("input A : f64[3, M] {spd}; Y[i,k] = A[i,j] A[j,k]; export Y") == 3);

std::string right_side(wf::text_view source) {
  const auto p = wf::parse_equations(source);
  REQUIRE_MESSAGE(p, wf::to_text(p.error()).data());
  return wf_test::prefix_form(*p, p->statements[p->statements.size() - 1].root);
}
wf::error failure(wf::text_view source) {
  const auto p = wf::parse_equations(source);
  REQUIRE_FALSE(p);
  return p.error();
}

}  // namespace

TEST_CASE("juxtaposition is a product, and products bind tighter than sums") {
  CHECK(right_side("Y[i,k] = A[i,j] B[j,k]") == "(* A[ij] B[jk])");
  CHECK(right_side("y = a b c") == "(* (* a b) c)");
  CHECK(right_side("y = a (b c)") == "(* a (* b c))");
  CHECK(right_side("y = a + b * c - d / e") == "(- (+ a (* b c)) (/ d e))");
  CHECK(right_side("y = -a b + 2") == "(+ (* (neg a) b) 2)");
  CHECK(right_side("y = 2 a - 1.5e0") == "(- (* 2 a) 1.5)");
  CHECK(right_side("y = a * -b / -2") == "(/ (* a (neg b)) (neg 2))");
  CHECK(right_side("y = a - -b") == "(- a (neg b))");
  CHECK(right_side("y = A - 1") == "(- A 1)");
  CHECK(right_side("p' = p r''") == "(* p r'')");
}

TEST_CASE("a name next to a parenthesis is a call, with a space a product") {
  CHECK(right_side("y = relu(A x + b)") == "(relu (+ (* A x) b))");
  CHECK(right_side("y = A (x + b)") == "(* A (+ x b))");
  CHECK(right_side("y = conv2d(x, w, stride = 2, padding=1)") == "(conv2d x w stride=2 padding=1)");
  const auto p = wf::parse_equations("y = clip(x, lo = -0.5, n = M, mode = \"same\", k = -3)");
  REQUIRE(p);
  REQUIRE(p->attributes.size() == 4);
  CHECK(p->attributes[0].kind == wf::attribute_kind::real);
  CHECK(p->attributes[0].real == -0.5);
  CHECK(p->attributes[1].kind == wf::attribute_kind::extent);
  CHECK(p->attributes[2].characters == "same");
  CHECK(p->attributes[3].number == -3);
}

TEST_CASE("a reduction reaches as far right as it can") {
  CHECK(right_side("y[i] = reduce(max, k, l) A[i,k] B[k,l] + c[i]") ==
        "(max:kl (+ (* A[ik] B[kl]) c[i]))");
  CHECK(right_side("y[i] = (reduce(sum, k) A[i,k]) + c[i]") == "(+ (sum:k A[ik]) c[i])");
}

TEST_CASE("inputs have types, symbols and properties") {
  const auto p = wf::parse_equations("input A : f32[3, Mn_1] {spd, diagonal}\ninput s : i64[]");
  REQUIRE(p);
  const wf::value_type& t = p->statements[0].type;
  CHECK(t.type == wf::dtype::f32);
  CHECK(t.shape == wf::shape::of(3, wf::extent("Mn_1")));
  CHECK(t.known.has(wf::spd));
  CHECK(t.known.has(wf::diagonal));
  CHECK(p->statements[1].type.shape == wf::shape::of());
}

TEST_CASE("statements are lines; brackets, comments and semicolons are heeded") {
  CHECK(statements_of("# nothing\n\n;;\n") == 0);
  CHECK(statements_of("a = b # the rest = is a comment\n c = d;e = f") == 3);
  CHECK(statements_of("a = relu(b +\n  c)\nd[i,\n  j] = e[j,\ni]") == 2);
  CHECK(statements_of("input = output\nexport = input") == 2);  // keywords are names where a name
                                                                // is expected
}

TEST_CASE("opaque functions are declared with signature and costs") {
  const auto p = wf::parse_equations(
      "opaque f = \"lib.f\", \"x[N] -> y[N]\", flops = \"5*N\", pure, scratch = \"0\"");
  REQUIRE(p);
  CHECK(p->statements[0].function == "lib.f");
  CHECK(p->statements[0].pure);
  REQUIRE(p->costs.size() == 2);
  CHECK(p->costs[1].metric == "scratch");
}

TEST_CASE("a repetition has a first value, rounds and a tolerance") {
  const auto p = wf::parse_equations("repeat x = b until 100, 1e-9\nrepeat y = c until n");
  REQUIRE(p);
  REQUIRE(p->statements.size() == 2);
  CHECK(p->statements[0].kind == wf::equation_statement_kind::repetition);
  CHECK(p->statements[0].name == "x");
  CHECK(p->statements[0].function == "b");
  CHECK(p->statements[0].type.shape == wf::shape::of(100));
  CHECK(p->statements[0].tolerance == 1e-9);
  CHECK(p->statements[1].type.shape == wf::shape::of(wf::extent("n")));
  CHECK(p->statements[1].tolerance == 0);
  CHECK(statements_of("repeat = b") == 1);  // a name where one is expected
}

TEST_CASE("errors have a position") {
  const auto at = [](wf::text_view source, wf::text_view message, std::uint32_t line,
                     std::uint32_t column) {
    const wf::error e = failure(source);
    CAPTURE(std::string(source));
    CAPTURE(std::string(e.message));
    CHECK(e.code == wf::errc::equation_syntax);
    CHECK(e.message.view() == message);
    CHECK(e.where.line == line);
    CHECK(e.where.column == column);
  };
  at("repeat x", "'=' and the first value are missing: repeat x = b until 100, 1e-9", 1, 9);
  at("repeat x = 3", "the name of the first value is missing", 1, 12);
  at("repeat x = b for 3",
     "'until' and the number of rounds are missing: repeat x = b until 100, 1e-9", 1, 17);
  at("repeat x = b until -1", "an extent is a number, or a symbol of 1 to 10 characters", 1, 20);
  at("repeat x = b until 3 4", "the statement should end here", 1, 22);
  at("Y A", "'=' is missing after the left side", 1, 3);
  at("Y[i] A", "'=' is missing after the left side", 1, 6);
  at("Y = ", "a name, a number or '(' is missing", 1, 5);
  at("a = b\nY = (a + b", "')' is missing", 2, 11);
  at("Y = A[.]", "an index is a name, as in A[i,j]", 1, 7);
  at("Y = A[i;", "',' or ']' is missing after an index", 1, 8);
  at("3 = A", "a statement begins with a name", 1, 1);
  at("Y = a = b", "the statement should end here", 1, 7);
  at("input A : f65[3]", "wf knows no such element type", 1, 11);
  at("input A : f64[3] {shiny}", "wf knows no such property", 1, 19);
  at("input A f64[3]", "':' and a type are missing after the input's name", 1, 9);
  at("input A : f64[99999999999999999999]", "the extent is too large", 1, 15);
  at("Y = reduce(min, i) A[i]", "reduce takes sum, max or mean, then indices", 1, 15);
  at("Y = reduce(max) A[i]", "reduce needs an index: reduce(sum, k) A[i,k]", 1, 15);
  at("Y = 1.2.3", "this is not a number", 1, 5);
  at("Y = f(x, mode = \"same)", "the string is not closed on its line", 1, 17);
  at("opaque f = lib.f", "a string in quotes is missing", 1, 12);
  at("Y = A[i,i,i,i,i,i,i,i,i]", "at most 8 indices", 1, 24);
  at("export ", "a name is missing after 'export'", 1, 8);
}

TEST_CASE("deep nesting is an error, not a crash") {
  const std::string deep = "y = " + std::string(100000, '(') + "x";
  CHECK(failure(wf::text_view(deep.data(), deep.size())).message.view() ==
        "the expression is nested too deeply");
}

TEST_CASE("arbitrary text parses or fails, with a position inside it") {
  const std::uint64_t seed = 20;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::string characters = "ABij[](),=+-*/ ;\n#\"12.e'{}:";
  const std::string words[] = {"input ", "export ", "opaque ", "reduce(", "sum,",
                               "f64[3]", "A[i,j]",  "B[j,k]",  " = "};
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (std::size_t n = random() % 12; n > 0; --n)
      source += random() % 2 ? words[random() % std::size(words)]
                             : std::string(1, characters[random() % characters.size()]);
    const auto p = wf::parse_equations(wf::text_view(source.data(), source.size()));
    if (p) continue;
    REQUIRE(p.error().where.line > 0);
    REQUIRE(p.error().where.offset <= source.size());
  }
}

TEST_CASE("a relation is read as a call, its complement and comparisons as factors") {
  CHECK(right_side("P(x,z) = E(x,y) P(y,z)") == "(* (E x y) (P y z))");
  CHECK(right_side("P(x) = Q(x) !R(x,'a') [x != 3]") == "(* (* (Q x) (! (R x 'a'))) [!= x 3])");
  CHECK(right_side("P(x) = Q(x) [d[x] + 1 <= 5] R(x)") == "(* (* (Q x) [<= (+ d[x] 1) 5]) (R x))");
  CHECK(right_side("P(i,j) = S(i,k) S(k+1,j)") == "(* (S i k) (S (+ k 1) j))");
  CHECK(right_side("H() = D(i,v) [v > 1000]") == "(* (D i v) [> v 1000])");
  CHECK(right_side("N(x) = A(x) !B()") == "(* (A x) (! (B)))");
}

TEST_CASE("the sign of a definition says how it projects, its brackets whether it is Boolean") {
  using wf::projection;
  const auto first = [](wf::text_view source) {
    const auto p = wf::parse_equations(source);
    REQUIRE_MESSAGE(p, wf::to_text(p.error()).data());
    return p->statements[0];
  };
  CHECK(first("y[i] = a[i]").projection == projection::plain);
  CHECK(first("y[i] += a[i,j]").projection == projection::sum);
  CHECK(first("y[i] max= a[i,j]").projection == projection::maximum);
  CHECK(first("y[] min= a[i,j]").projection == projection::minimum);
  CHECK(first("y avg= a[i,j]").projection == projection::mean);
  CHECK(first("y[i] gcd= a[i,j]").projection == projection::combined);
  CHECK(first("y[i] gcd= a[i,j]").function == "gcd");
  CHECK(first("y gcd=a[i,j]").function == "gcd");
  CHECK(first("y[i] = a[i]").function.empty());
  CHECK(first("axis i=10").kind == wf::equation_statement_kind::axis);
  for (const char* wrong : {"y[i] gcd a[i]", "y[i] gcd == a[i]", "y[i] gcd = a[i]", "y[i] 2= a[i]"})
    CHECK(wf::parse_equations(wrong).error().message.view() ==
          "'=' is missing after the left side");
  CHECK(first("max = a").name == "max");  // a name, where a name is expected
  CHECK(first("input max= a").name == "input");
  CHECK(first("R(i) = S(i)").boolean);
  CHECK(first("R() = S(i)").labelled);
  CHECK_FALSE(first("R[] += S(i)").boolean);
  CHECK_FALSE(first("R += S(i)").labelled);
}

TEST_CASE("an entry of an index list is a name with a shift, a position, a slice or a step") {
  const auto index = [](std::string entry) {
    const std::string source = "y[a," + entry + "] = x";
    const auto p = wf::parse_equations(source);
    REQUIRE_MESSAGE(p, wf::to_text(p.error()).data());
    REQUIRE(p->statements[0].indices.count == 2);
    wf::index_term t = p->indices[1];
    CHECK(t.offset == 4);
    t.name = {};  // the source is gone
    return t;
  };
  using wf::index_kind;
  CHECK(index("i").is_plain());
  CHECK(index("p''").is_plain());
  CHECK(index("i + 2").shift == 2);
  CHECK(index("i-1").shift == -1);
  CHECK(index("*t").streams);
  CHECK(index("*t+1").shift == 1);
  CHECK(index("q.").dotted);
  CHECK(index("t=0").kind == index_kind::initial);
  CHECK(index("t = 3").shift == 3);
  CHECK(index("-7").kind == index_kind::number);
  CHECK(index("-7").shift == -7);
  CHECK(index("'a b'").kind == index_kind::symbol);
  CHECK(index("0:2").kind == index_kind::slice);
  CHECK(index("0:2").last == 2);
  CHECK_FALSE(index(":").has_first);
  CHECK_FALSE(index("::2").has_last);
  CHECK(index("::2").step == 2);
  CHECK(index("1:9:3").first == 1);
}

TEST_CASE("a wrong entry of an index list is pointed at") {
  const auto message = [](wf::text_view source) { return std::string(failure(source).message); };
  CHECK(message("y[i+] = x") == "a whole number is missing in the index");
  CHECK(message("y[i+j] = x") == "a whole number is missing in the index");
  CHECK(message("y[0:2:0] = x") == "the step of a slice is positive");
  CHECK(message("y[0:2:-1] = x") == "the step of a slice is positive");
  CHECK(message("y['a] = x") == "the string is not closed on its line");
  CHECK(message("y[99999999999999999999] = x") == "the number is too large for an index");
  CHECK(message("R(x) = S(x) [x 3]") == "a comparison is missing: [i < j]");
  CHECK(message("R(x) = S(x) [x < 3") == "']' is missing after a comparison");
  CHECK(message("R(x) = !3") == "a name, a number or '(' is missing");
  CHECK(message("R(x = S(x)") == "a whole number is missing in the index");
  CHECK(message("R(x] = S(x)") == "',' or ')' is missing after an index");
  CHECK(failure("R(x) = S(x)\nT(x) = S(x) [x 3]").where == wf::text_position{2, 17, 28});
}
