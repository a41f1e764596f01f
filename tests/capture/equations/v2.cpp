// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/v2.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "mutated.hpp"
#include "prefix_form.hpp"

namespace {

constexpr bool inlines_while_compiling() {
  const auto p = wf::parse_v2_equations(
      "fn dot(a[d], b[d]) -> s { s = a[d]*b[d]; }; g[i,j] = dot(E[i,d], E[j,d])");
  return p && p->statements.size() == 2 && p->statements[0].name == "__fn1_s" &&
         p->statements[0].indices.count == 2;
}
static_assert(inlines_while_compiling());
static_assert(wf::parse_v2_equations("x = 1 +").error().where == wf::text_position{1, 8, 7});

constexpr bool imports_while_compiling() {
  const auto p = wf::parse_v2_equations(
      "import \"lib\" as q\ny[i] = q::sq(x[i])", [](wf::text_view path) -> wf::result<wf::text> {
        return wf::text() << "fn sq(a) -> s { s = a ** 2 }  # " << path;
      });
  return p && p->statements.size() == 2 && p->nodes[0].name == "x";
}
static_assert(imports_while_compiling());

wf::result<wf::text> library(wf::text_view path) {
  if (path == "lib")
    return wf::text(
        "const two = 1 + 1\n"
        "fn sq(a) -> s { s = a ** two }\n"
        "fn norm(x[d]) -> n { let q = reduce(sum, d) sq(x[d]); n = q ** 0.5 }\n"
        "other[i] = x[i]  # is no function\n");
  if (path == "deep") return wf::text("import \"lib\" as l\nfn twice(x) -> y { y = l::sq(x) * 2 }");
  if (path == "self") return wf::text("import \"self\"");
  if (path == "wrong") return wf::text("fn f(a) -> s {\n  s = a * ;\n}");
  if (path == "late")
    return wf::text("fn f(a) -> s { s = g::h(a) }\nfn g(a[i]) -> s { s = a[i,i] }");
  return wf::make_error(wf::errc::bad_equation, "", "there is no such file");
}

std::string v2(wf::text_view source) {
  const auto p = wf::parse_v2_equations(source, library);
  return p ? wf_test::program_form(*p) : wf_test::characters(wf::to_text(p.error()).view());
}

// A random expression: its text, its prefix form, and how tightly it binds.
struct v2_sample {
  std::string text, form;
  int level = 7;  // 0: choices and reductions, 1: ||, 2: &&, 3: + -, 4: * /, 5: **, 6: - !
};

class v2_generator {
 public:
  explicit v2_generator(std::uint64_t seed) : random_(seed) {}

  v2_sample expression(int depth, int kind = -1) {
    if (depth == 0) return leaf();
    if (kind < 0) kind = static_cast<int>(below(12));
    const v2_sample a = expression(depth - 1), b = expression(depth - 1);
    const auto joined = [&](const char* sign, const char* name, int level, bool right = false) {
      return v2_sample{at(a, level + right) + sign + at(b, level + !right),
                       "(" + std::string(name) + " " + a.form + " " + b.form + ")", level};
    };
    switch (kind) {
      case 0: {
        const v2_sample c = expression(depth - 1);
        return {at(c, 1) + " ? " + a.text + ":" + b.text,
                "(case " + c.form + " " + a.form + " " + b.form + ")", 0};
      }
      case 1:
        return {"reduce(avg, k,l)" + a.text, "(mean:kl " + a.form + ")", 0};
      case 2:
        return {at(a, 2) + " || " + at(b, 2), "(case " + a.form + " 1 " + b.form + " 1 0)", 1};
      case 3:
        return joined("&&", "*", 2);
      case 4:
        return below(2) ? joined(" + ", "+", 3) : joined("-", "-", 3);
      case 5:
        return below(2) ? joined("*", "*", 4) : joined(" / ", "/", 4);
      case 6:
        return joined("**", "**", 5, true);
      case 7:
        return below(2) ? v2_sample{"-" + at(a, 6), "(neg " + a.form + ")", 6}
                        : v2_sample{"! " + at(a, 6), "(case " + a.form + " 0 1)", 6};
      case 8:
        return {"case { " + a.text + " -> " + b.text +
                    (wf::detail::is_letter(b.text[0]) ? " " : ";") + b.text + "->3\n}",
                "(case " + a.form + " " + b.form + " " + b.form + " 3)"};
      case 9:
        return {"case{" + a.text + "->1;default->" + b.text + "}",
                "(case " + a.form + " 1 " + b.form + ")"};
      case 10:
        return {"f( " + a.text + ",2,\nm= " + b.text + ",n=0.5, axis=q)",
                "(f " + a.form + " 2 m=" + b.form + " n=real 0.5 axis=\"q\")"};
      default:
        return {"@softmax(" + a.text + ")", "(softmax " + a.form + ")"};
    }
  }
  // In parentheses where it binds less tightly than its place needs.
  static std::string at(const v2_sample& s, int level) {
    return s.level >= level ? s.text : "(" + s.text + " )";
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

 private:
  v2_sample leaf() {
    const char* const leaves[][2] = {{"x", "x"},
                                     {"a[i]", "a[i]"},
                                     {"b[i, j]", "b[ij]"},
                                     {"c'[ i+1,*t-2]", "c'[i+1*t-2]"},
                                     {"d[0:2,3]", "d[0:23]"}};
    const std::size_t n = below(std::size(leaves));
    return {leaves[n][0], leaves[n][1]};
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("every statement of the v2 grammar is read, on lines of its own or behind ;") {
  CHECK(v2("# nothing\n;;\n") == "");
  CHECK(v2("x = a; y[i] = b[i]\nexport y") == "x = a; y[i] = b[i]; export y");
  CHECK(v2("param n; param m : f32\nparam k : int = 3; x = k") == "param n; param m; x = 3");
  CHECK(v2("axis i; axis j = 2*5; const k = 4; axis l = k / 2") == "axis j 10; axis l 2");
  CHECK(v2("y[i] when m[i] = a[i] + 1; y[i] when n[i] = 2") ==
        "y[i] = (* (+ a[i] 1) m[i]); y[i] = (* 2 n[i])");
  CHECK(v2("let x = a\n{ let y = b; { z = c }\n\n export z }") == "x = a; y = b; z = c; export z");
  CHECK(v2("fn f(a) -> s { s = a }") == "");
  CHECK(v2("import \"lib\" as q\nimport \"lib\"") == "");
}

TEST_CASE("operators bind as the grammar lists them") {
  CHECK(v2("x = a ? b : c ? d : e") == "x = (case a b (case c d e))");
  CHECK(v2("x = a || b && c + d * e ** -f") ==
        "x = (case a 1 (* b (+ c (* d (** e (neg f))))) 1 0)");
  CHECK(v2("x = a || b || c") == "x = (case a 1 b 1 c 1 0)");
  CHECK(v2("x = a - b - c + d") == "x = (+ (- (- a b) c) d)");
  CHECK(v2("x = a / b * c") == "x = (* (/ a b) c)");
  CHECK(v2("x = a ** b ** c") == "x = (** a (** b c))");
  CHECK(v2("x = -a ** b; y = !a * b") == "x = (** (neg a) b); y = (* (case a 0 1) b)");
  CHECK(v2("x = - -a + !!b") == "x = (+ (neg (neg a)) (case (case b 0 1) 0 1))");
  CHECK(v2("x = (a + b) * c") == "x = (* (+ a b) c)");
}

TEST_CASE("case takes its first arm that holds") {
  CHECK(v2("y[i] = case { m[i] -> a[i] default -> b[i] }") == "y[i] = (case m[i] a[i] b[i])");
  CHECK(v2("y = case {\n a -> 1\n\n b -> -2;\n default -> c\n}") == "y = (case a 1 b -2 c)");
  CHECK(v2("y = case { a -> b }") == "y = (case a b)");
  CHECK(v2("y = select(c, a, b)") == "y = (case c a b)");
}

TEST_CASE("trap: a reduction extends as far to the right as possible") {
  CHECK(v2("z[i] = reduce(sum, j) x[i,j] * w[j] + c") == "z[i] = (sum:j (+ (* x[ij] w[j]) c))");
  CHECK(v2("z = (reduce(max, j, k) a[j,k]) ** 2") == "z = (** (max:jk a[jk]) 2)");
  CHECK(v2("z = b * reduce(avg, j) a[j] ? 1 : 2") == "z = (* b (mean:j (case a[j] 1 2)))");
  CHECK(v2("z = reduce(prod, j) a[j]") ==
        "WF113: Unsupported reduce op 'prod' (line 1, column 12)");
}

TEST_CASE("constants and defaults of parameters are folded, in arguments by name, too") {
  CHECK(v2("const D = 4 ** 2; const h = D/8 - 1; x = f(a, k=D/8, l=h/4, m=-D)") ==
        "x = (f a k=2 l=real 0.25 m=-16)");
  CHECK(v2("param n = 2 * 3; x = n + y") == "x = (+ 6 y)");
  CHECK(v2("x = 1.5 + 2 * 3 - y; z = -2 ** 2") == "x = (- 7.5 y); z = 4");
}

TEST_CASE("trap: powers of whole numbers are real") {
  CHECK(v2("const k = 2 ** -1; x = k") == "x = 0.5");
  CHECK(v2("x = pow(i, -1)") == "x = (** i -1)");
}

TEST_CASE("what is no finite number is not folded") {
  CHECK(v2("x = 1 / 0; y = 0 ** -1; z = 2 ** 0.5") == "x = (/ 1 0); y = (** 0 -1); z = (** 2 0.5)");
  CHECK(v2("x = 10 ** 1000") == "x = (** 10 1000)");
  for (const char* wrong : {"const k = 1/0", "const k = a", "const k = k", "const k = 2 ** 0.5"})
    CHECK(v2(wrong) ==
          "WF113: a constant consists of numbers, constants defined before it and + - * / **, with "
          "finite values (line 1, column 11)");
}

TEST_CASE("trap: the index list of a left side is decoded as on the right") {
  CHECK(v2("y[q., *t+1, i+1] = x") == "y[q.*t+1i] = x");
  CHECK(v2("y[0:2] = x[0:2]") == "y[0:2] = x[0:2]");
}

TEST_CASE("macros become calls") {
  CHECK(v2("x = @softmax(l[q]) + @softmax(l[q], mask = m[q], axis=q)") ==
        "x = (+ (softmax l[q]) (masked_softmax l[q] mask=m[q] axis=\"q\"))");
  CHECK(v2("x = @layer_norm(a) * @layernorm(b) * @own(c)") ==
        "x = (* (* (lnorm a) (lnorm b)) (own c))");
}

TEST_CASE("a call of a function is replaced by its body") {
  CHECK(v2("fn dot(a[d],b[d]) -> s { s = a[d]*b[d]; }; g[i,j]=dot(E[i,d],E[j,d])") ==
        "__fn1_s[ij] = (* E[id] E[jd]); g[ij] = __fn1_s[ij]");
  CHECK(v2("y[i] = f(X[i]) + f(Y[i])\nfn f(a) -> s { s = relu(a) }") ==
        "__fn1_s[i] = (relu X[i]); __fn2_s[i] = (relu Y[i]); y[i] = (+ __fn1_s[i] __fn2_s[i])");
  CHECK(v2("fn id(a[d]) -> a[d] { }; y[i] = id(X[i])") == "y[i] = X[i]");
  CHECK(v2("fn q::f(a) -> s { s = a when_ }") ==
        "WF112: the statement should end here (line 1, column 25)");
  CHECK(v2("fn q::f(a) -> s { s when a = 2 }; y = q::f(b)") == "__fn1_s = (* 2 b); y = __fn1_s");
}

TEST_CASE("formals bind the last axes of arguments, the others become axes of every local name") {
  CHECK(v2("fn scale(x[k], by) -> y[k] { let t[k] = x[k] * by; y[k] = t[k+1] + y }\n"
           "h[i,c] = scale(X[i,c], b[n])") ==
        "__fn1_t[inc] = (* X[ic] b[n]); __fn1_y[inc] = (+ __fn1_t[inc+1] __fn1_y[inc]); "
        "h[ic] = __fn1_y[inc]");
  // So functions can be composed.
  CHECK(v2("fn f(a[d]) -> s[d] { s[d] = a[d] + 1 }; y[b,i] = f(f(X[b,i]))") ==
        "__fn1_s[bi] = (+ X[bi] 1); __fn2_s[bi] = (+ __fn1_s[bi] 1); y[bi] = __fn2_s[bi]");
  // An axis that one argument adds may be that of another one.
  CHECK(v2("fn f(a[d], b[e]) -> s[e] { s[e] = a[d]*b[e] }; x[m] = f(X[m,k], Y[m])") ==
        "__fn1_s[m] = (* X[mk] Y[m]); x[m] = __fn1_s[m]");
  // A name without indices stands for all of its own.
  CHECK(v2("fn n(x[d]) -> y[d] { y[d] = softmax(x, axis=d) * even(d) }; z[i,k] = n(X[i,k])") ==
        "__fn1_y[ik] = (* (softmax X[ik] axis=\"k\") even:k); z[ik] = __fn1_y[ik]");
}

TEST_CASE("an argument that is more than a reference gets a name") {
  CHECK(v2("fn f(a[d]) -> s { s = a[d] * a[d] }; y[i] = f(X[i,j] * W[j] + 1)") ==
        "__fn1_a[ij] = (+ (* X[ij] W[j]) 1); __fn1_s[i] = (* __fn1_a[ij] __fn1_a[ij]); "
        "y[i] = __fn1_s[i]");
  CHECK(v2("fn f(a) -> s { s = a }; y = f(reduce(sum, j) X[i+1,j,0,*t])") ==
        "__fn1_a[i] = (sum:j X[i+1j0*t]); __fn1_s[i] = __fn1_a[i]; y = __fn1_s[i]");
  CHECK(v2("fn f(a[d]) -> s { s = a[d] }; y = f(X[i,i])") ==
        "__fn1_a[i] = X[ii]; __fn1_s = __fn1_a[i]; y = __fn1_s");
  CHECK(v2("fn f(a) -> s { s = a }; y = f(2)") == "__fn1_a = 2; __fn1_s = __fn1_a; y = __fn1_s");
}

TEST_CASE("axes of a body do not meet those of arguments by accident") {
  CHECK(v2("fn f(a[d]) -> s { s = reduce(sum, k) (a[d] * W[d,k]) }; x[k] = f(A[k])") ==
        "__fn1_s = (sum:__fn1_k (* A[k] W[k__fn1_k])); x[k] = __fn1_s");
  CHECK(v2("fn f(a[d]) -> s { s = reduce(sum, k) W[d,k] }; x[i] = f(A[i])") ==
        "__fn1_s = (sum:k W[ik]); x[i] = __fn1_s");
  CHECK(v2("fn f(a[d]) -> s[k] { s[k] = a[d] * W[d,k] }; x[k] = f(A[i])") ==
        "__fn1_s[k] = (* A[i] W[ik]); x[k] = __fn1_s[k]");
}

TEST_CASE("functions call functions, in any order, and constants are those of their text") {
  CHECK(
      v2("y[i] = f(X[i])\nfn f(a) -> s { s = g(a) + k }\nfn g(a) -> s { s = a * k }; const k=2") ==
      "__fn2_s[i] = (* X[i] 2); __fn1_s[i] = (+ __fn2_s[i] 2); y[i] = __fn1_s[i]");
  CHECK(v2("import \"lib\" as q; const two = 3; y[i] = q::norm(X[i,k]) + two") ==
        "__fn2_s[ik] = (** X[ik] 2); __fn1_q[i] = (sum:k __fn2_s[ik]); "
        "__fn1_n[i] = (** __fn1_q[i] 0.5); y[i] = (+ __fn1_n[i] 3)");
  CHECK(v2("import \"lib\"; import \"deep\" as d; y = sq(x) + d::twice(x)") ==
        "__fn1_s = (** x 2); __fn3_s = (** x 2); __fn2_y = (* __fn3_s 2); "
        "y = (+ __fn1_s __fn2_y)");
}

TEST_CASE("names stay valid when a program is copied and moved, without the reader and its texts") {
  wf::equation_program copy;
  {
    const std::string away = "lib";
    auto p = wf::parse_v2_equations("import \"lib\"; y = norm(X[k])", library);
    REQUIRE(p);
    copy = *p;
    *p = {};
  }
  wf::equation_program moved = std::move(copy);
  CHECK(wf_test::program_form(moved) ==
        "__fn2_s[k] = (** X[k] 2); __fn1_q = (sum:k __fn2_s[k]); __fn1_n = (** __fn1_q 0.5); "
        "y = __fn1_n");
}

TEST_CASE("errors of functions name the function, at the call or the argument") {
  const std::string f = "fn f(a[d], b[d]) -> s { s = a[d]*b[d] }\n";
  const auto fails = [&](const std::string& call, const std::string& message) {
    CHECK(v2(wf::text_view(f + call)) == "WF113: " + message);
  };
  fails("x = f(A[i])", "Function 'f' expects 2 args; got 1 (line 2, column 5)");
  fails("x = f(A[i], 2)", "Function argument has fewer axes than formal dims (line 2, column 13)");
  fails("x = f(A[i], B[j])",
        "Inconsistent binding for axis 'd' across arguments (line 2, column 13)");
  fails("x = f(A[i], b=B[i])", "Function 'f' takes no arguments by name (line 2, column 5)");
  fails("fn g(a) { s = a }; x = g(2)",
        "Function 'g' missing return declaration (line 2, column 24)");
  fails("fn g(a) -> s { s = h(a) }; fn h(a) -> s { s = g(a) }; x = g(2)",
        "function 'g' calls itself (line 2, column 47)");
  fails("fn f(a) -> s { s = a }", "function 'f' is defined twice (line 2, column 4)");
  fails("fn g(a) -> t { s = a }", "unknown result 't'; known here: a, s (line 2, column 12)");
  fails("fn g(aa) -> aaa { s = aa }",
        "unknown result 'aaa': did you mean 'aa'? (line 2, column 13)");
  fails("fn g(a, a) -> s { s = a }", "the function has two arguments 'a' (line 2, column 9)");
  fails("fn g(a[i+1]) -> s { s = a }",
        "the indices of an argument or result are names (line 2, column 8)");
  fails("fn g(a) -> s { s = a[i] }; x = g(b)", "'a' has 0 indices, not 1 (line 2, column 20)");
  fails("fn g(a) -> s { a = 2; s = a }; x = g(b)",
        "'a' is an argument of the function (line 2, column 16)");
  fails("fn g(a[d]) -> s[k] { s[k] = W[d,k] }; x[k] = g(A[k])",
        "the result of function 'g' has an axis 'k', as an argument has (line 2, column 22)");
  fails("fn g(a[i], b[j]) -> s[i,j] { s[i,j] = a[i] * b[j] }; x[k] = g(A[k], B[k])",
        "two axes of 's' are both 'k' in this call (line 2, column 30)");
  for (const char* impure : {"export a", "param a", "axis i", "const k = 2", "{ s = a }",
                             "import \"lib\"", "fn h(a) -> s { s = a }"})
    fails(std::string("fn g(a) -> s { ") + impure + " }",
          "Only let/equations are allowed in pure functions (line 2, column 16)");
  fails("x = q::f(2)", "unknown function 'q::f'; known here: f (line 2, column 5)");
}

TEST_CASE("an import that cannot be read is an error, and what is wrong in it, too") {
  CHECK(v2("x = a\nimport \"nix\" as q") ==
        "WF113: \"nix\" cannot be imported: there is no such file (line 2, column 1)");
  CHECK(v2("import \"self\"") ==
        "WF113: in \"self\", line 1, column 1: \"self\" imports itself (line 1, column 1)");
  CHECK(v2("import \"wrong\"") ==
        "WF112: in \"wrong\", line 2, column 11: a name, a number or '(' is missing "
        "(line 1, column 1)");
  CHECK(v2("import \"late\"\nx = 2 * f(3)") ==
        "WF113: in \"late\", line 1, column 20: unknown function 'g::h'; known here: f, g "
        "(line 2, column 9)");
  CHECK(v2("import \"late\"; x[i] = g(A[i])") ==
        "WF113: in \"late\", line 2, column 23: 'a' has 1 index, not 2 (line 1, column 23)");
  CHECK(v2("import \"lib\"; import \"lib\"") ==
        "WF113: function 'sq' is defined twice (line 1, column 15)");
  const auto p = wf::parse_v2_equations("import \"lib\" as q");
  REQUIRE_FALSE(p);
  CHECK(wf_test::characters(p.error().message.view()) ==
        "nothing says where the text of \"lib\" is: give the parser a function that finds it");
}

TEST_CASE("what imported texts make has the position of the call") {
  const auto p = wf::parse_v2_equations("import \"lib\" as q\ny = q::norm(X[k])", library);
  REQUIRE(p);
  for (const wf::equation_node& n : p->nodes) CHECK(n.offset >= 18);
  for (const wf::equation_statement& s : p->statements) CHECK(s.offset >= 18);
}

TEST_CASE("functions that multiply their calls are refused before memory ends") {
  std::string source = "fn f0(a) -> s { s = a }\n";
  for (int i = 1; i < 40; ++i)
    source += "fn f" + std::to_string(i) + "(a) -> s { s = f" + std::to_string(i - 1) + "(a) + f" +
              std::to_string(i - 1) + "(a) }\n";
  source += "x = f39(y)";
  CHECK(v2(wf::text_view(source)).find("the bodies of functions make the program too long") !=
        std::string::npos);
}

TEST_CASE("errors of the v2 reader have a position") {
  const auto fails = [](const char* source, const std::string& message) {
    CHECK(v2(source) == message);
  };
  fails("x", "WF112: '=' is missing after the left side (line 1, column 2)");
  fails("x =", "WF112: a name, a number or '(' is missing (line 1, column 4)");
  fails("x += a", "WF112: '=' is missing after the left side (line 1, column 3)");
  fails("3 = a", "WF112: a name is missing (line 1, column 1)");
  fails("x = \"s\"", "WF112: a name, a number or '(' is missing (line 1, column 5)");
  fails("x = a b", "WF112: the statement should end here (line 1, column 7)");
  fails("x = (a", "WF112: ')' is missing (line 1, column 7)");
  fails("x = a ? b", "WF112: ':' is missing after '?' (line 1, column 10)");
  fails("x = a < b", "WF112: the statement should end here (line 1, column 7)");
  fails("x[] = a", "WF112: a scalar is written without brackets (line 1, column 2)");
  fails("x = s[]", "WF112: a scalar is written without brackets (line 1, column 6)");
  fails("x = s['a']", "WF112: an index is a name, a position or a slice (line 1, column 7)");
  fails("x(i) = a", "WF112: '=' is missing after the left side (line 1, column 2)");
  fails("x = case { }", "WF112: a case needs a condition and a value (line 1, column 5)");
  fails("x = case { a b }", "WF112: '->' and a value are missing (line 1, column 14)");
  fails("x = case { default -> b a -> c }",
        "WF112: '}' is missing after the default (line 1, column 25)");
  fails("x = case { a -> b", "WF112: '}' is missing after a case (line 1, column 18)");
  fails("x = reduce(sum) a",
        "WF112: reduce needs an index: reduce(sum, k) A[i,k] (line 1, column 15)");
  fails("x = @softmax", "WF112: a macro is called: @softmax(x) (line 1, column 5)");
  fails("{ x = a", "WF112: '}' is missing after a block (line 1, column 8)");
  fails("x = a }", "WF112: a name is missing (line 1, column 7)");
  fails("fn f(a { }", "WF112: ',' or ')' is missing after an argument (line 1, column 8)");
  fails("fn f(a) -> s s = a", "WF112: '{' and the function's body are missing (line 1, column 14)");
  fails("fn f(a) -> s { s = a",
        "WF112: '}' is missing after the function's body (line 1, column 21)");
  fails("param n : f65", "WF112: wf knows no such element type (line 1, column 11)");
  fails("axis i = 1.5", "WF113: the extent of an axis is a whole number (line 1, column 10)");
  fails("axis i = -1", "WF113: the extent of an axis is a whole number (line 1, column 10)");
  fails("const k = 1; const k = 2", "WF113: constant 'k' is defined twice (line 1, column 20)");
  fails("const k = 1; k[i] = 2", "WF113: 'k' is a constant (line 1, column 14)");
  fails("const k = 1; x = k[i]", "WF113: 'k' is a constant, without indices (line 1, column 18)");
  fails("x = relu", "WF113: 'relu' is the name of a function (line 1, column 5)");
  fails("when = 2", "WF113: 'when' is a keyword (line 1, column 1)");
  fails("x = f(a, k=1, k=2)", "WF113: Duplicate keyword argument 'k' (line 1, column 15)");
}

TEST_CASE("random v2 programs are read back as they were made") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    v2_generator made(seed);
    CAPTURE(seed);
    std::string source, form;
    for (std::size_t statements = 1 + made.below(3); statements > 0; --statements) {
      const v2_sample e = made.expression(4), guard = made.expression(2);
      const bool guarded = made.below(4) == 0;
      source += std::string(made.below(3) ? "" : "let ") + "y[i]" +
                (guarded ? " when " + guard.text : "") + " = " + e.text +
                (made.below(2) ? ";" : " # end\n");
      form += (form.empty() ? "y[i] = " : "; y[i] = ") +
              (guarded ? "(* " + e.form + " " + guard.form + ")" : e.form);
    }
    CAPTURE(source);
    REQUIRE(v2(wf::text_view(source.data(), source.size())) == form);
  }
}

TEST_CASE("changed v2 programs are read, or fail at a position") {
  const std::vector<std::string> seeds = {
      "const k = 2**3; axis i = k; param n : f64\nfn f(a[d], b[d]) -> s { let s = a[d]*b[d] }\n"
      "g[i,j] = f(E[i,d], 2 * E[j,d]) ; export g",
      "y[i] when m[i] = case { a[i] -> b; default -> -c ** 2 } ? x : !z || w && v",
      "import \"lib\" as q; { x = q::norm(reduce(sum, j) X[i,j,0:2]) }; z=@softmax(l, mask=m[i])"};
  CHECK(wf_test::read_mutated(seeds, 6, 10000, [](wf::text_view source) {
          return wf::parse_v2_equations(source, library);
        }) > 300);
}

TEST_CASE("deep nesting is an error of the v2 reader, not a crash") {
  for (const char* opening : {"(", "f(", "-", "!", "a**", "a ? ", "case { ", "reduce(sum,k) "}) {
    std::string deep = "y = ";
    for (int i = 0; i < 100000; ++i) deep += opening;
    const auto p = wf::parse_v2_equations(wf::text_view(deep.data(), deep.size()));
    REQUIRE_FALSE(p);
    CHECK(p.error().message == "the expression is nested too deeply");
  }
  const std::string blocks(100000, '{');
  CHECK_FALSE(wf::parse_v2_equations(wf::text_view(blocks.data(), blocks.size())));
}
