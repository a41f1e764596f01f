// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/legacy.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "mutated.hpp"
#include "prefix_form.hpp"

namespace {

constexpr std::size_t legacy_statements(wf::text_view source) {
  const auto p = wf::detail::legacy_reader(source).read();
  return p ? p->statements.size() : 0;
}
static_assert(legacy_statements("Y[i,j] = A[i,k] B[k,j] + C[i,j] - 1\nexport Y") == 4);
static_assert(wf::parse_legacy_equations("Y[i] =").error().where == wf::text_position{1, 7, 6});

std::string legacy(wf::text_view source) {
  const auto p = wf::detail::legacy_reader(source).read();
  return p ? wf_test::program_form(*p) : wf_test::characters(wf::to_text(p.error()).view());
}

// A random expression: its text, its prefix form, and how tightly it binds.
struct legacy_sample {
  std::string text, form;
  int level = 2;  // 0: a sum, 1: a product, 2: a factor
};

class legacy_generator {
 public:
  explicit legacy_generator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  legacy_sample expression(int depth) {
    if (depth == 0 || below(4) == 0) return leaf();
    if (below(5) == 0) return call(depth);
    if (below(8) == 0) return list(depth);
    const std::size_t kind = below(5);
    const legacy_sample a = expression(depth - 1), b = expression(depth - 1);
    if (kind < 2)
      return {at(a, 0) + (kind == 0 ? " + " : "- ") + at(b, 1),
              (kind == 0 ? "(+ " : "(- ") + a.form + " " + b.form + ")", 0};
    if (kind == 2) return {"-" + at(a, 2), "(neg " + a.form + ")", 1};
    const char* const signs[] = {" * ", "*-", "/", " "};
    const std::size_t sign = below(4);
    const std::string right = sign == 1 ? "(neg " + b.form + ")" : b.form;
    return {at(a, 1) + signs[sign] + at(b, 2),
            (sign == 2 ? "(/ " : "(* ") + a.form + " " + right + ")", 1};
  }
  // In parentheses where it binds less tightly than its place needs.
  static std::string at(const legacy_sample& s, int level) {
    return s.level >= level ? s.text : "( " + s.text + ")";
  }

 private:
  std::string one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }
  legacy_sample leaf() {
    if (below(4) == 0) {
      const std::string n = std::to_string(below(50));
      return {n, n};
    }
    if (below(6) == 0) return {"\"p/q\"", "\"p/q\""};
    if (below(6) == 0) return {one_of({"True", "TRUE", "true"}), "1"};
    if (below(6) == 0) return {one_of({"Even(i)", "even( axis=\"i\" )"}), "even:i"};
    const std::string name = one_of({"A", "Bc", "x_1", "T'"});
    std::string text = name, form = name;
    if (below(2) == 0) {
      const std::size_t count = below(4);
      text += "[", form += "[";
      for (std::size_t i = 0; i < count; ++i) {
        const std::string index =
            one_of({"i", "p'", "q.", "*t", "*t+1", "*t-12", "k-1", "0:2", "::2", ":", "3", "i+1"});
        text += (i == 0 ? "" : below(2) ? "," : " , ") + index;
        form += index;
      }
      text += "]", form += "]";
    }
    return {text, form};
  }
  legacy_sample call(int depth) {
    const std::string name = one_of({"relu", "softmax", "concat", "f", "Related"});
    legacy_sample out{name + "(", "(" + name};
    const std::size_t count = below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const legacy_sample a = expression(depth - 1);
      out.text += (i == 0 ? "" : ",\n ") + a.text;
      out.form += " " + a.form;
    }
    if (below(3) == 0) {
      out.text += std::string(count == 0 ? "" : ", ") + "axis = -1, T = 0.5, causal=false, m=\"s\"";
      out.form += " axis=-1 T=real 0.5 causal=0 m=\"s\"";
    }
    return {out.text + ")", out.form + ")"};
  }
  legacy_sample list(int depth) {
    const legacy_sample a = expression(depth - 1), b = expression(depth - 1);
    // Behind a name it would be an index list.
    return {"([" + a.text + ", -2,\n" + b.text + ", ])",
            "(list " + signed_form(a) + " -2 " + signed_form(b) + ")"};
  }
  // In a list a sign belongs to its number.
  static std::string signed_form(const legacy_sample& s) {
    if (!s.form.starts_with("(neg ")) return s.form;
    const std::string inner = s.form.substr(5, s.form.size() - 6);
    return inner.find_first_not_of("0123456789") == std::string::npos ? "-" + inner : s.form;
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("every statement of the legacy grammar has its kind") {
  CHECK(legacy("\n\n# nothing\n") == "");
  CHECK(legacy("Y[i,j] = A[i,k] B[k,j] # a product\n\nexport Y") ==
        "Y[ij] = (* A[ik] B[kj]); export Y");
  CHECK(legacy("T[i,j] = \"data/t.npy\"\nS = \"s.json\"\nParent(x,y) = \"p.tsv\"") ==
        "T[ij] = \"data/t.npy\"; S = \"s.json\"; Parent(xy) = \"p.tsv\"");
  CHECK(legacy("\"out.jsonl\" = topk(Y[i], k=5)") == "\"out.jsonl\" = (topk Y[i] k=5)");
  CHECK(legacy("Ancestor(x,z) = Parent(x,y) Ancestor(y,z)") ==
        "Ancestor(xz) = (* (Parent x y) (Ancestor y z))");
  CHECK(legacy("Y = a\nY += b\nM max= c\nV avg= d") == "Y = a; Y = b; M max= c; V avg= d");
  CHECK(legacy("s[] = 3") == "s[] = 3");
}

TEST_CASE("the dialect's example programs are read") {
  CHECK(legacy("M[i] max= X[i,j] W[j]\nV[i] avg= X[i,j] W[j]\nS[i] = X[i,j] W[j]") ==
        "M[i] max= (* X[ij] W[j]); V[i] avg= (* X[ij] W[j]); S[i] = (* X[ij] W[j])");
  CHECK(legacy("Soft[i.] = In[j]\nE[i]=X[i] Even(i)") ==
        "Soft[i.] = In[j]; E[i] = (* X[i] even:i)");
  CHECK(legacy("O[p,h]=attention(Q[p,d],K[q,d],V[q,h],causal=true,scale=1.0)") ==
        "O[ph] = (attention Q[pd] K[qd] V[qh] causal=1 scale=real 1)");
  CHECK(legacy("Input[i]=const([0.2,-0.1])\nPre[i]=W[i,j] H[j,*t]\nH[i,*t+1]=relu(Sum[i])") ==
        "Input[i] = (list 0.2 -0.1); Pre[i] = (* W[ij] H[j*t]); "
        "H[i*t+1] = (relu Sum[i])");
  CHECK(legacy("M[s]=A0[s'] T[s',s]") == "M[s] = (* A0[s'] T[s's])");
}

TEST_CASE("each term of the right side is a definition, and the values of all are added") {
  const auto p =
      wf::parse_legacy_equations("Y[i] max= A[i,j] + B[i,j] - C[i,j]\nR(i) = S(i) + U(i)");
  REQUIRE(p);
  CHECK(wf_test::program_form(*p) ==
        "Y[i] max= A[ij]; Y[i] max= B[ij]; Y[i] max= (neg C[ij]); R(i) = (S i); R(i) = (U i)");
  for (const wf::equation_statement& s : p->statements) CHECK(s.adds == !s.boolean);
}

TEST_CASE("an index is a name, perhaps shifted, stepped through or dotted, a position or a slice") {
  CHECK(legacy("Y = X[i+1, i-1, p'] X[*t, *t+1, *t-2, q.] X[0:2, ::2, :]") ==
        "Y = (* (* X[i+1i-1p'] X[*t*t+1*t-2q.]) X[0:2::2:])");
  CHECK(legacy("S[0:2] = X[ 0:2 , 1:]") == "S[0:2] = X[0:21:]");
  const auto p = wf::detail::legacy_reader("E[1:7:2, 4:] = X").read();
  REQUIRE(p);
  CHECK(p->indices[0].first == 1);
  CHECK(p->indices[0].last == 7);
  CHECK(p->indices[0].step == 2);
  CHECK(p->indices[1].has_first);
  CHECK_FALSE(p->indices[1].has_last);
}

TEST_CASE("a shift has no effect on the left, but where the axis is stepped through") {
  CHECK(legacy("Y[i+1, *t+1] = X[i+1, *t]") == "Y[i*t+1] = X[i+1*t]");
}

TEST_CASE("index functions are known in any case, with one axis") {
  CHECK(legacy("E[i] = X[i] Even(i) ODD(axis=\"i\")") == "E[i] = (* (* X[i] even:i) odd:i)");
  for (const char* wrong : {"Y = even()", "Y = even(i, j)", "Y = even(X[i])", "Y = even(i+1)"})
    CHECK(legacy(wrong) == "WF113: even requires exactly one axis (line 1, column 5)");
  CHECK(legacy("Y = Odd(i, axis=\"i\")") ==
        "WF113: odd requires exactly one axis (line 1, column 5)");
}

TEST_CASE("literals are numbers, strings, truth values, none, lists and dictionaries") {
  CHECK(legacy("W[i,j] = const([[0.5, -0.3],\n [.1, 4e-1]])") ==
        "W[ij] = (list (list 0.5 -0.3) (list 0.1 0.4))");
  CHECK(legacy("Y = f({\"a\": 1, b: [-2],})") == "Y = (f (dictionary \"a\" 1 \"b\" (list -2)))");
  CHECK(legacy("Y = f(TRUE, False, none, \"s\", [])") == "Y = (f 1 0 none \"s\" (list))");
}

TEST_CASE("arguments by name are attributes if they are literals, else operands") {
  CHECK(legacy("O = attention(Q[p,d], K[q,d], causal=true, scale=1.0, axis=\"p\", n=-3)") ==
        "O = (attention Q[pd] K[qd] causal=1 scale=real 1 axis=\"p\" n=-3)");
  CHECK(legacy("O = softmax(L[p,q], axis=q, mask=M[p,q], fill=none,)") ==
        "O = (softmax L[pq] mask=M[pq] fill=none axis=\"q\")");
}

TEST_CASE("choices and powers are nodes of their own") {
  CHECK(legacy("Y = case(a, 1, b, 2, c)") == "Y = (case a 1 b 2 c)");
  CHECK(legacy("Y = select(a, 1, 2) pow(x[i], -1)") == "Y = (* (case a 1 2) (** x[i] (neg 1)))");
  CHECK(legacy("Y = pow(x)") == "WF113: pow takes two arguments: pow(a, b) (line 1, column 5)");
  CHECK(legacy("Y = select(c, a)") ==
        "WF113: select takes three arguments: select(c, a, b) (line 1, column 5)");
  CHECK(legacy("Y = case(a)") ==
        "WF113: case takes conditions and values: case(c, a, b) (line 1, column 5)");
  CHECK(legacy("Y = case(a, b, default=c)") ==
        "WF113: case takes no arguments by name (line 1, column 5)");
}

TEST_CASE("trap 1: equal equations are all kept, so that X + X is 2 X") {
  CHECK(legacy("Y[i] = X[i] + X[i]\nY[i] = X[i]") == "Y[i] = X[i]; Y[i] = X[i]; Y[i] = X[i]");
}

TEST_CASE("trap 2: numbers have no sign, + - * / are operators with precedence") {
  CHECK(legacy("Y[i] = A[i] -1") == "Y[i] = A[i]; Y[i] = (neg 1)");
  CHECK(legacy("Y[i] = A[i] - B[i]") == "Y[i] = A[i]; Y[i] = (neg B[i])");
  CHECK(legacy("Y[i] = A[i] +1") == "Y[i] = A[i]; Y[i] = 1");
  CHECK(legacy("Y[i] = -A[i] B[i]/2 * -C") == "Y[i] = (* (/ (* (neg A[i]) B[i]) 2) (neg C))");
  CHECK(legacy("Y[i] = a (b + c*d)") == "Y[i] = (* a (+ b (* c d)))");
  CHECK(legacy("Y[i] = relu(A[i] - 1)") == "Y[i] = (relu (- A[i] 1))");
}

TEST_CASE("trap 3: an index can be a whole number") {
  CHECK(legacy("Y[d] = X[0,d] X[-1,d]") == "Y[d] = (* X[0d] X[-1d])");
  CHECK(legacy("Y[3] = X") == "Y[3] = X");
}

TEST_CASE("trap 4: known functions and keywords win over references and names") {
  const auto p = wf::detail::legacy_reader("Y = relu(X) R(X)").read();
  REQUIRE(p);
  CHECK(wf_test::program_form(*p) == "Y = (* (relu X) (R X))");
  CHECK(legacy("Y = f(x, causal=false)") == "Y = (f x causal=0)");
  CHECK(legacy("Y = relu X") == "WF113: 'relu' is the name of a function (line 1, column 5)");
  CHECK(legacy("softmax[i] = X[i]") ==
        "WF113: 'softmax' is the name of a function (line 1, column 1)");
  CHECK(legacy("a = b\nEven(i) = X(i)") ==
        "WF113: 'Even' is the name of a function (line 2, column 1)");
  CHECK(legacy("True = X") == "WF113: 'True' is a keyword (line 1, column 1)");
  CHECK(legacy("export = X") == "WF113: 'export' is a keyword (line 1, column 1)");
  CHECK(legacy("export pow") == "WF113: 'pow' is the name of a function (line 1, column 8)");
}

TEST_CASE("a relation has entries of index lists as arguments") {
  CHECK(legacy("R(i,*t+1) = Q(i+1, *t-2, 0:2, q., 3)") ==
        "R(i*t+1) = (Q (+ i 1) <*t-2> <0:2> <q.> 3)");
}

TEST_CASE("trap 5: errors have the texts of the dialect, and a position") {
  const auto at = [](wf::text_view source, wf::text_view message, std::uint32_t line,
                     std::uint32_t column) {
    const auto p = wf::parse_legacy_equations(source);
    CAPTURE(std::string(source));
    REQUIRE_FALSE(p);
    CHECK(wf_test::characters(p.error().message.view()) == wf_test::characters(message));
    CHECK(p.error().where.line == line);
    CHECK(p.error().where.column == column);
  };
  at("Y[a b] = X", "Invalid index token 'a b'", 1, 3);
  at("Y = X[i, 'a']", "Invalid index token ''a''", 1, 10);
  at("Y = X[t=0]", "Invalid index token 't=0'", 1, 7);
  at("Y = X[i+]", "Invalid index token 'i+'", 1, 7);
  at("Y = X[]\nZ = X[i,]", "Invalid index token ''", 2, 9);
  at("Y = X[99999999999999999999]", "Invalid index token '99999999999999999999'", 1, 7);
  at("Y = X[*]", "Invalid streaming index syntax", 1, 7);
  at("Y = X[*t*2]", "Invalid streaming index syntax", 1, 7);
  at("Y = X[0:n]", "Slice bounds must be integers: n", 1, 7);
  at("Y = X[0:2-1]", "Slice bounds must be integers: 2-1", 1, 7);
  at("Y = X[i:2]", "Slice bounds must be integers: i", 1, 7);
  at("Y = X[0:2:0]", "Invalid slice specifier", 1, 7);
  at("Y = X[0:2:1:1]", "Invalid slice specifier", 1, 7);
  at("Y = f(a, k=1, k=2)", "Duplicate keyword argument 'k'", 1, 15);
  at("Y = f(a, k=b, k=2)", "Duplicate keyword argument 'k'", 1, 15);
  at("Y = ()", "Parentheses must resolve to a single expression", 1, 5);
  at("Y = relu(,)", "Argument of 'relu' must resolve to a single expression", 1, 10);
  at("Y = relu(a, k=)", "Argument of 'relu' must resolve to a single expression", 1, 15);
  const std::string generic = "Syntax error while parsing program: ";
  const auto syntax = [&](wf::text_view source, const char* rest, std::uint32_t line,
                          std::uint32_t column) {
    at(source, wf::text_view(generic + rest), line, column);
  };
  syntax("Y =", "a name, a literal or '(' is missing", 1, 4);
  syntax("3 = Y", "a statement begins with a name, or with a path in quotes", 1, 1);
  syntax("Y min= X", "'=', '+=', 'max=' or 'avg=' is missing after the left side", 1, 3);
  syntax("Y = A = B", "the statement should end here", 1, 7);
  syntax("Y = !R(x)", "a name, a literal or '(' is missing", 1, 5);
  syntax("a = b\nY = (a", "')' is missing", 2, 7);
  syntax("Y = f(a b", "',' or ')' is missing after an argument", 1, 10);
  syntax("Y = [a, b", "',' or ']' is missing after an element", 1, 10);
  syntax("Y = {a 1}", "':' is missing after a key", 1, 9);
  syntax("Y = {a: 1", "',' or '}' is missing after a value", 1, 10);
  syntax("Y = \"path", "the string is not closed on its line", 1, 5);
  syntax("Y max= \"path\"", "a file is read by '='", 1, 8);
  syntax("\"path\" Y", "'=' is missing after the path", 1, 8);
  syntax("export Y Z", "the statement should end here", 1, 10);
  syntax("Y = X[a,b,c,d,e,f,g,h,i]", "at most 8 indices", 1, 24);
}

TEST_CASE("an error is printed with its line and a caret") {
  const wf::text_view source = "Y[i] = X[i]\nZ[i] = X[*]\n";
  const auto p = wf::parse_legacy_equations(source);
  REQUIRE_FALSE(p);
  CHECK(wf::legacy_error_text(p.error(), source) ==
        "Invalid streaming index syntax (line 2, col 10)\n  Z[i] = X[*]\n           ^");
}

TEST_CASE("random legacy programs are read back as they were made") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    legacy_generator made(seed);
    CAPTURE(seed);
    std::string source, form;
    for (std::size_t statements = 1 + made.below(3); statements > 0; --statements) {
      const std::string left = made.below(2) ? "Y[i, j] max= " : "Z= ";
      source += left;
      for (std::size_t terms = 1 + made.below(3), i = 0; i < terms; ++i) {
        const legacy_sample s = made.expression(3);
        const bool minus = i > 0 && made.below(2) == 0;
        // A string alone is a file.
        const std::string text = legacy_generator::at(s, 1), alone = terms == 1 ? " 1" : "";
        source += (i == 0 ? "" : minus ? " -" : "+ ") + text + alone;
        const std::string value = alone.empty() ? s.form : "(* " + s.form + " 1)";
        form += (form.empty() ? "" : "; ") + std::string(left[0] == 'Y' ? "Y[ij] max= " : "Z = ") +
                (minus ? "(neg " + value + ")" : value);
      }
      source += "\n";
    }
    CAPTURE(source);
    REQUIRE(legacy(wf::text_view(source.data(), source.size())) == form);
  }
}

TEST_CASE("changed legacy programs are read, or fail at a position") {
  const std::vector<std::string> seeds = {
      "Y[i,j] max= A[i,k] B[k,j] - f(X, k=[1, -2], m={a: none})\nexport Y",
      "T[0:2, *t-1] = \"path\"\n\"out\" = topk(T[q.], k = 5)",
      "R(x,z) = P(x+1,*t) R(0:2,z)\nE[i] = Even(axis=\"i\") case(a, b) # end"};
  CHECK(wf_test::read_mutated(seeds, 5, 10000, [](wf::text_view source) {
          return wf::parse_legacy_equations(source);
        }) > 500);
}

TEST_CASE("deep nesting is an error of the legacy reader, not a crash") {
  for (const char* opening : {"(", "f(", "[", "{a: ", "-("}) {
    std::string deep = "y = ";
    for (int i = 0; i < 100000; ++i) deep += opening;
    const auto p = wf::parse_legacy_equations(wf::text_view(deep.data(), deep.size()));
    REQUIRE_FALSE(p);
    CHECK(p.error().message ==
          "Syntax error while parsing program: the expression is nested too deeply");
  }
}
