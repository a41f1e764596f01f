// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/read_program.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/equations/legacy.hpp>
#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/run/dynamic.hpp>

#include <logic/nested.hpp>
#include <logic/random_program.hpp>

#include "../public_programs.hpp"
#include "../shown_program.hpp"

namespace {

using wf::errc;
using wf::logic::none;
using wf::logic::read_program;
using wf::logic::tensor_info;
using wf::logic::tensor_program;

constexpr bool reads_while_compiling() {
  const auto p = read_program("Path(x,z) = Edge(x,z)\nPath(x,z) = Edge(x,y) Path(y,z)");
  return p && p->rules.size() == 2 && p->tensors.size() == 2 && p->axes.size() == 1 &&
         p->tensors[p->find("Edge")].rank == 2 && !p->tensors[p->find("Edge")].defined;
}
static_assert(reads_while_compiling());
static_assert(read_program("Y(i) = !R(i)").error().code == errc::unbound_index);

tensor_program read(wf::text_view source, wf::view<wf::text_view> inputs = {}) {
  auto p = read_program(source, inputs);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  return *static_cast<wf::result<tensor_program>&&>(p);
}
std::string rules(wf::text_view source, wf::view<wf::text_view> inputs = {}) {
  return wf_test::shown_program(read(source, inputs)).text();
}
const tensor_info& tensor(const tensor_program& p, wf::text_view name) {
  REQUIRE(p.find(name) != none);
  return p.tensors[p.find(name)];
}
std::uint32_t axis(const tensor_program& p, wf::text_view name, std::uint32_t position) {
  return p.axes_of[tensor(p, name).axes.first + position];
}
void refuses(wf::text_view source, errc code, wf::text_view message, std::uint32_t line,
             std::uint32_t column, wf::view<wf::text_view> inputs = {}) {
  const auto p = read_program(source, inputs);
  CAPTURE(std::string(source));
  REQUIRE_FALSE(p);
  CAPTURE(std::string(wf::to_text(p.error())));
  CHECK(p.error().code == code);
  CHECK(p.error().message.view() == message);
  CHECK(p.error().where.line == line);
  CHECK(p.error().where.column == column);
}

// Classes of elements, by merging pairs until nothing changes; the least element names a class.
std::vector<std::size_t> merged(std::size_t elements,
                                const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::vector<std::size_t> out(elements);
  for (std::size_t i = 0; i < elements; ++i) out[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : pairs) {
      const std::size_t least = std::min(out[a], out[b]);
      changed = changed || out[a] != out[b];
      out[a] = out[b] = least;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("tensors have the kind and rank of their index lists, and are inputs without rules") {
  const tensor_program p = read(
      "input A : f64[3, N]\ninput M : bool[4]\n"
      "R(i) = A[i,j] M(j)\nY[] += R(i) W[i]\nZ[i] max= A[i,j]\nexport Y");
  const auto is = [&](wf::text_view name, std::uint32_t rank, bool boolean, bool defined) {
    const tensor_info& t = tensor(p, name);
    CAPTURE(std::string(name));
    CHECK(t.ranked);
    CHECK(t.rank == rank);
    CHECK(t.boolean == boolean);
    CHECK(t.defined == defined);
    CHECK(t.exported == (name == "Y"));
    CHECK_FALSE(t.temporary);
  };
  is("A", 2, false, false);
  is("M", 1, true, false);
  is("R", 1, true, true);
  is("Y", 0, false, true);
  is("W", 1, false, false);
  is("Z", 1, false, true);
  CHECK(tensor(p, "R").projection == wf::projection::plain);
  CHECK(tensor(p, "Y").projection == wf::projection::sum);
  CHECK(tensor(p, "Z").projection == wf::projection::maximum);
  CHECK(p.axes[axis(p, "A", 0)].extent == 3);
  CHECK(p.axes[axis(p, "A", 1)].extent == 4);  // of M, whose position has the same index
  CHECK(tensor(p, "W").offset == 69);
}

TEST_CASE("without an export, every tensor that the text defines is exported") {
  const tensor_program p = read("B(i) = A(i)\nC[i] = B(i) (D[i] + E[i,j] F[j])");
  CHECK(tensor(p, "B").exported);
  CHECK(tensor(p, "C").exported);
  CHECK_FALSE(tensor(p, "A").exported);
  CHECK_FALSE(tensor(p, "#1").exported);
  CHECK(tensor(p, "#1").temporary);
}

TEST_CASE("positions of a random program share an axis if variables tie them together") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const wf_test::random_program random = wf_test::make_random_program(seed);
    const std::string source = wf_test::text_of(random);
    CAPTURE(source);
    wf::table<wf::text_view> inputs;
    for (const auto& t : random.tensors)
      if (t.layer == 0) inputs.push_back(wf::text_view(t.name));
    const tensor_program p = read(source, inputs);
    REQUIRE(p.rules.size() == random.rules.size());
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<std::size_t> axes(p.axes_of.begin(), p.axes_of.end());
    axes.insert(axes.end(), p.axis_of_variable.begin(), p.axis_of_variable.end());
    REQUIRE(axes.size() == p.axes_of.size() + p.variables.size());
    for (std::size_t r = 0; r < random.rules.size(); ++r) {
      const wf_test::random_rule& rule = random.rules[r];
      const wf::logic::rule& read_rule = p.rules[r];
      std::map<std::string, std::size_t> variables;
      for (std::size_t v = 0; v < read_rule.variables.count; ++v) {
        const std::string name(p.variables[read_rule.variables.first + v]);
        REQUIRE(variables.emplace(name, p.axes_of.size() + read_rule.variables.first + v).second);
      }
      const auto tie = [&](const wf_test::random_atom& a) {
        const tensor_info& t = tensor(p, random.tensors[static_cast<std::size_t>(a.tensor)].name);
        REQUIRE(t.rank == a.terms.size());
        for (std::size_t i = 0; i < a.terms.size(); ++i)
          if (a.terms[i].variable >= 0)
            pairs.emplace_back(
                t.axes.first + i,
                variables.at(std::string(1, static_cast<char>('u' + a.terms[i].variable))));
      };
      tie(rule.head);
      for (const auto* list : {&rule.joins, &rule.negations, &rule.lookups})
        for (const wf_test::random_atom& a : *list) tie(a);
    }
    const std::vector<std::size_t> classes = merged(axes.size(), pairs);
    for (std::size_t i = 0; i < axes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        REQUIRE((axes[i] == axes[k]) == (classes[i] == classes[k]));
  }
}

TEST_CASE("a call is an operator, or a relation that the program or its inputs know") {
  CHECK(rules("Y[i] = relu(A[i])") == "Y[i] = relu(?A[i]) <- ?A[i]\n");
  CHECK(rules("P(i) = relu(i)\nrelu(i) = Q(i)") ==
        "P(i) = true <- relu(i)\nrelu(i) = true <- Q(i)\n");
  const wf::text_view inputs[] = {"relu"};
  CHECK(rules("P(i) = relu(i)", inputs) == "P(i) = true <- relu(i)\n");
  CHECK(rules("input relu : bool[3]\nP(i) = relu(i)") == "P(i) = true <- relu(i)\n");
  // A number of arguments that the operator does not take.
  CHECK(rules("P(i,j) = relu(i,j)") == "P(i,j) = true <- relu(i,j)\n");
}

TEST_CASE("names of inputs that nothing reads have no rank") {
  const wf::text_view inputs[] = {"A", "B"};
  const tensor_program p = read("Y(i) = A(i)", inputs);
  CHECK(tensor(p, "A").ranked);
  CHECK_FALSE(tensor(p, "B").ranked);
}

TEST_CASE("stepped tensors know the step that their rules compute") {
  const tensor_program p = read(
      "h[i,*t+1] = W[i,j] h[j,*t] + U[i,t]\nh[i,t=0] = B[i]\ny[i] = h[i,t] + g[i,*t]\n"
      "g[i,*t] = g[i,*t-1]\n");
  CHECK(tensor(p, "h").stepped);
  CHECK(tensor(p, "h").produced == 1);
  CHECK(tensor(p, "U").stepped);
  CHECK(tensor(p, "g").produced == 0);
  CHECK_FALSE(tensor(p, "W").stepped);
  CHECK_FALSE(tensor(p, "y").stepped);
  CHECK(tensor(p, "h").rank == 1);
  CHECK(wf_test::shown_program(p).text() ==
        "h[i]@1 = (W[i,j] * h[j]@0) <- W[i,j], h[j]@0\n"
        "h[i]@1 = U[i]@0 <- U[i]@0\n"
        "initial h[i]@0 = B[i] <- B[i]\n"
        "y[i] = h[i]@0 <- h[i]@0\n"
        "y[i] = g[i]@0 <- g[i]@0\n"
        "g[i]@0 = g[i]@-1 <- g[i]@-1\n");
}

TEST_CASE("a relation is read at a step by the name of the steps' axis") {
  CHECK(rules("P(x,*t+1) = P(x,t) R(x,t-1)\nP(x,t=0) = A(x)") ==
        "P(x)@1 = true <- P(x)@0, R(x)@-1\ninitial P(x)@0 = true <- A(x)\n");
}

TEST_CASE("names, ranks and kinds that do not fit together are refused where they stand") {
  const auto bad = [](wf::text_view source, wf::text_view message, std::uint32_t line,
                      std::uint32_t column) {
    refuses(source, errc::bad_equation, message, line, column);
  };
  bad("opaque f = \"m.f\", \"x[N] -> y[N]\"", "opaque functions are no part of programs of rules",
      1, 1);
  bad("A[i] = B[i]\ninput A : f64[3]", "A is an input", 1, 1);
  bad("input A : f64[3]\ninput A : f64[3, 4]\nY[i] = A[i]", "A is declared twice", 2, 1);
  bad("Y[i] += B[i]\nY[i] max= B[i]", "Y has equations with '+=' and 'max='", 2, 1);
  bad("Y(i) = B(i)\nY[i] = B(i)", "Y is Boolean: its indices stand in ( )", 2, 1);
  bad("Y[i] = B(i)\nY(i) = B(i)", "Y has values: its indices stand in [ ]", 2, 1);
  bad("Y(i) = B(i)\nZ[i] = B[i] 2", "B is Boolean: its indices stand in ( )", 2, 8);
  bad("Y(i) = B(i) B(i,j)", "B has 1 index, not 2", 1, 13);
  bad("Y(i) = B(i,j) B(i)", "B has 2 indices, not 1", 1, 15);
  bad("Y(i) = B(i)\nexport Z", "unknown name 'Z'; known here: Y, B", 2, 8);
  bad("Y[*t] = Y[*s]", "a program steps along one axis: t, so it cannot step along s", 1, 11);
  bad("Y[i] = A[i,t=0]", "the first step is stated on the left side only", 1, 12);
  bad("Y[i,t=1] = A[i]", "the first step has the number 0", 1, 5);
  bad("Y[i] = A[-2:3]", "the bounds of a slice are not negative", 1, 10);
  bad("Y[i] = A[i,2147483648]", "an index is a whole number below 2^31", 1, 12);
  bad("Y(i) = A(i,2147483648)", "an index is a whole number below 2^31", 1, 12);
  bad("Y(i) = A(i,2147483647+1)", "an index is a whole number below 2^31", 1, 22);
  bad("Y(i) = A(i,1.5)", "an index is a whole number below 2^31", 1, 12);
  bad("Y(i) = A(i) A(-i)", "an index is a name, a number or a symbol", 1, 15);
  bad("Y(i) = A(i) A(2 * i)", "an index is a name, perhaps shifted (i+1), a number or a symbol", 1,
      17);
  bad("Y(i) = A(i, b=1)", "A is a relation: it takes indices only", 1, 8);
  bad("Y(a) = A(a,b,c,d,e,f,g,h,i)", "at most 8 indices", 1, 8);
  bad("Y[a,b,c,d,e,f,g,h] = (A[a,b,c,d,e,f,g,h] + B[i,k]) C[i]",
      "the value of a nested expression has at most 8 indices", 1, 42);
  bad("Y(i) max= A(i)", "a Boolean left side is defined by '='", 1, 1);
  bad("Y(i) = A(i) / B(i)", "a Boolean has no quotients or signs", 1, 15);
  bad("Y(i) = -A(i)", "a Boolean has no quotients or signs", 1, 9);
  bad("Y(i) = A(i) 2", "a factor of a Boolean is a relation, !R(i) or [i < j]", 1, 13);
  bad("Y(i) = A(i) foo(B[i])",
      "unknown operator 'foo'; known here: add, subtract, multiply, divide, power, maximum, "
      "minimum, negate, ...",
      1, 13);
  bad("Y(i) = A(i) [j + 1 == 'a']", "a symbol is compared with an index: [x != 'a']", 1, 23);
  bad("Y[i] = A[i] / [i < 2]", "nothing is divided by a truth value", 1, 15);
  bad("Y[i] = A[i] matmul(B[i,j], C[j,i])",
      "matmul does not work element by element, and no equations define it", 1, 13);
  bad("Y[i] = A[i] softmax(B[i], C[i])", "softmax has 1 operand, not 2", 1, 13);
  bad("Y[i] max= A[i] + 'a'", "numbers, entries, indices and + - * / can stand here", 1, 18);
  bad("axis i : Y\nY(i) = A(i)",
      "the positions of an axis are listed by an input relation of one index", 1, 1);
  bad("input A : f64[3]\naxis i : A\nY(i) = B(i)",
      "the positions of an axis are listed by an input relation of one index", 2, 1);
  bad("axis i : A\nY(i) = A(i,j)", "A has 1 index, not 2", 2, 8);
  bad("axis i : A\nY[i] = A[i]", "A is Boolean: its indices stand in ( )", 2, 8);
  bad("axis k = 3\nY(i) = A(i)", "no equation has this index", 1, 1);
  refuses("Y(i) = A(i", errc::equation_syntax, "',' or ')' is missing after an argument", 1, 11);
}

TEST_CASE("an index that nothing binds is unbound_index, WF114") {
  const auto unbound = [](wf::text_view source, wf::text_view message, std::uint32_t line) {
    refuses(source, errc::unbound_index, message, line, 1);
  };
  const char* const far = " is bound by no relation, and no axis statement says how far it runs";
  unbound("Y(i) = A(j)", (wf::text("index i") << far).view(), 1);
  unbound("Z(i) = A(i)\nY(i) = A(i) !B(j)", (wf::text("index j") << far).view(), 2);
  unbound("Y[i] = A[i] !B(j)", "index j stands only in a complement or a comparison", 1);
  const char* const once =
      " stands once on the right: write += to sum over it, or put it on the left";
  unbound("Y[i] = A[i,j]", (wf::text("index j") << once).view(), 1);
  const char* const nested =
      " stands once in a nested expression: sum over it by reduce, or put it on the left";
  unbound("Y[i] = A[i] exp(B[i,j])", (wf::text("index j") << once).view(), 1);
  refuses("Y[i] = A[i] (B[i,j] + C[i])", errc::unbound_index,
          (wf::text("index j") << nested).view(), 1, 21);
  CHECK(rules("Y[i] += A[i] exp(B[i,j])") == "Y[i] += (A[i] * exp(?B[i,j])) <- A[i], ?B[i,j]\n");
  CHECK(rules("Y[i] = A[i] exp(B[i,j] C[j])") ==
        "#1[i] = (B[i,j] * C[j]) <- B[i,j], C[j]\n"
        "Y[i] = (A[i] * exp(?#1[i])) <- A[i], ?#1[i]\n");
  CHECK(read_program("Y[i] = A[i] exp(reduce(sum, j) B[i,j])"));
  CHECK(rules("Y[i] += A[i,j]") == "Y[i] += A[i,j] <- A[i,j]\n");
  CHECK(read_program("Y[i] = A[i,j] B[j]"));
  CHECK(read_program("Y[i] = A[j] exp(B[j])"));
  CHECK(read_program("Y(i) = !B(i)\naxis i = 3"));
  CHECK(read_program("Y() = !B(i)\naxis i = 3"));
  CHECK(read_program("Y(i) = !B(i)\naxis i : Node"));
}

TEST_CASE("what says how a workflow repeats a definition is refused") {
  const auto made = wf::logic::read_program("repeat x = b until 3\nx[i] = b[i] + x[i]");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::bad_equation);
  CHECK(made.error().where.line == 1);
}

TEST_CASE("mutated programs are read or refused with a position inside them") {
  const std::uint64_t seed = 10;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::string words[] = {
      "(",           ")",  "[",   "]",    " = ", " += ", " max= ", "!", "*t", "t=0",
      "+1",          "_",  "'a'", "relu", "u",   "T2",   "0:2",    "<", "\n", "axis u : In0\n",
      "export T3\n", "- ", "/",   "3"};
  std::size_t accepted = 0;
  for (std::uint64_t round = 0; round < 1500; ++round) {
    std::string source = wf_test::text_of(wf_test::make_random_program(round % 100));
    for (std::size_t n = 1 + random() % 3; n > 0 && !source.empty(); --n) {
      const std::size_t place = random() % source.size();
      if (random() % 2 == 0)
        source.erase(place, 1 + random() % 3);
      else
        source.insert(place, words[random() % std::size(words)]);
    }
    CAPTURE(source);
    const auto p = read_program(wf::text_view(source));
    accepted += p.has_value();
    if (p) continue;
    REQUIRE(p.error().where.line >= 1);
    REQUIRE(p.error().where.offset <= source.size());
    REQUIRE_FALSE(p.error().message.empty());
  }
  CHECK(accepted > 20);
}

// --- programs without recursion as workflows: the same results by rules and as graphs ---

namespace {

using wf_test::contents_of, wf_test::logic_folder;

// The type of a dense relation: all of its positions are there, up to the largest.
wf::value_type type_of(const wf::logic::relation& r) {
  wf::value_type t{wf::dtype::f64, {}, wf::shape::of()};
  for (std::uint32_t c = 0; c < r.rank; ++c) {
    wf::logic::position most = 0;
    for (std::size_t row = 0; row < r.rows; ++row) most = std::max(most, r.columns[c][row]);
    t.shape.push_back(wf::extent(std::int64_t{most} + 1));
  }
  return t;
}

// Its elements as the executor takes them: a vector as a column, a tensor of higher rank row by
// row.
wf::dynamic_matrix elements_of(const wf::logic::relation& r) {
  const wf::shape s = type_of(r).shape;
  wf::dynamic_matrix m =
      wf::dynamic_matrix::Zero(wf::detail::given_rows(s), wf::detail::given_columns(s));
  wf::logic::position at[wf::max_rank] = {};
  for (std::size_t row = 0; row < r.rows; ++row) {
    r.positions(row, at);
    if (r.rank == 2) {
      m(at[0], at[1]) = r.values[row];
      continue;
    }
    Eigen::Index place = 0;
    for (std::uint32_t d = 0; d < r.rank; ++d) place = place * s[d].size() + at[d];
    m.data()[place] = r.values[row];
  }
  return m;
}

// Runs the workflow of a program on dense inputs.
wf::result<wf::named_matrices> run_captured(const wf::equation_program& tree, wf::text_view source,
                                            const wf::logic::database& inputs) {
  std::vector<wf::named_type> types;
  wf::named_matrices at;
  for (const wf::logic::named_relation& r : inputs.relations) {
    types.push_back({r.name.view(), type_of(r.entries)});
    at[std::string(r.name.view())] = elements_of(r.entries);
  }
  const auto g = wf::equations("program", tree, source, {types.data(), types.size()});
  if (!g) return g.error();
  return wf::run_dynamic(g->view(), at);
}

// The largest difference, relative to 1 or the value.
double distance(const wf::dynamic_matrix& made, const wf::logic::relation& wanted) {
  const wf::dynamic_matrix other = elements_of(wanted);
  if (made.size() != other.size()) return HUGE_VAL;
  double most = 0;
  for (Eigen::Index i = 0; i < made.size(); ++i)
    most = std::max(most, std::abs(made.data()[i] - other.data()[i]) /
                              std::max(1.0, std::abs(other.data()[i])));
  return std::isnan(most) ? HUGE_VAL : most;
}

}  // namespace

TEST_CASE("published programs of numbers are workflows with the published results") {
  for (const char* name : wf_test::numeric_programs) {
    const auto folder = logic_folder() / "fuse" / name;
    if (!std::filesystem::exists(folder)) {
      MESSAGE("skipped: there is no WF_DATA_DIR/logic");
      return;
    }
    CAPTURE(name);
    wf::logic::database inputs, wanted;
    REQUIRE(logic_benchmark::add_nested(inputs, contents_of(folder / "facts" / "inputs.json")));
    REQUIRE(logic_benchmark::add_nested(wanted, contents_of(folder / "expected" / "results.json")));
    const std::string source = contents_of(folder / "program.tl");
    const auto tree = wf::parse_equations(source);
    REQUIRE(tree);
    const auto made = run_captured(*tree, source, inputs);
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
    for (const wf::logic::named_relation& w : wanted.relations) {
      const auto found = made->find(std::string(w.name.view()));
      REQUIRE(found != made->end());
      CHECK(distance(found->second, w.entries) <= 1e-12);
    }
  }
}

namespace {

// Random programs over dense inputs: every name has indices of its own, of fixed extents.
class dense_program {
 public:
  explicit dense_program(std::mt19937_64& random) : random_(random) {
    names_ = {{"A", "ij"}, {"B", "jk"}, {"v", "j"}, {"w", "i"}, {"C", "ijk"}, {"s", ""}};
    std::uniform_real_distribution<double> number(0.1, 1);
    for (const name& n : names_) {
      std::vector<std::int64_t> extents;
      std::size_t count = 1;
      for (char c : n.indices) {
        extents.push_back(2 + (c - 'i'));
        count *= static_cast<std::size_t>(extents.back());
      }
      std::vector<double> values(count);
      for (double& x : values) x = number(random_);
      inputs.add_dense(n.text.c_str(), {extents.data(), extents.size()},
                       {values.data(), values.size()});
    }
    const std::size_t definitions = 1 + below(4);
    std::vector<std::string> lines;
    for (std::size_t d = 0; d < definitions; ++d) lines.push_back(definition(d));
    // In any order.
    std::shuffle(lines.begin(), lines.end(), random_);
    for (const std::string& l : lines) text += l + "\n";
  }

  std::string text;
  wf::logic::database inputs;

 private:
  struct name {
    std::string text, indices;
  };

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  static std::string listed(const std::string& indices) {
    std::string out;
    for (char c : indices) out += (out.empty() ? "[" : ",") + std::string(1, c);
    return out.empty() ? out : out + "]";
  }
  std::string reference(std::string& used) {
    const name& n = names_[below(names_.size())];
    used += n.indices;
    return n.text + listed(n.indices);
  }
  // A name, or the sum or difference of two that have the same indices.
  std::string operand(std::string& used) {
    const name& n = names_[below(names_.size())];
    std::vector<const name*> alike;
    for (const name& other : names_)
      if (other.indices == n.indices) alike.push_back(&other);
    used += n.indices;
    const std::string one = n.text + listed(n.indices);
    if (below(3) != 0) return one;
    return "(" + one + (below(2) == 0 ? " + " : " - ") + alike[below(alike.size())]->text +
           listed(n.indices) + ")";
  }
  // A name that has no other indices than those.
  std::string divisor(const std::string& indices) {
    for (;;) {
      const name& n = names_[below(names_.size())];
      if (n.indices.find_first_not_of(indices) == std::string::npos)
        return n.text + listed(n.indices);
    }
  }
  std::string factor(std::string& used) {
    const std::size_t kind = below(4);
    if (kind == 1) return "tanh(" + operand(used) + ")";
    if (kind == 2) return "tanh(" + reference(used) + " " + reference(used) + ")";
    return operand(used);
  }
  std::string term(std::string& used) {
    const std::size_t kind = below(5);
    if (kind == 1) return factor(used) + " " + factor(used);
    if (kind == 2) return factor(used) + " " + factor(used) + " " + factor(used);
    if (kind == 3) {
      std::string own;
      const std::string one = operand(own), other = divisor(own);
      used += own;
      return one + " / (2 + sig(" + other + ", T=1))";
    }
    if (kind == 4) return "0.5 * " + factor(used);
    return factor(used);
  }
  std::string definition(std::size_t number) {
    constexpr const char* signs[] = {" = ", " += ", " += ", " max= ", " min= ", " avg= "};
    const std::string head = "T" + std::to_string(number);
    const char* const sign = signs[below(6)];
    const bool sums = std::string(sign).find_first_of("ma") == std::string::npos;
    std::string used, indices, out;
    const bool mean = std::string(sign) == " avg= ";
    std::string right = mean ? reference(used) + " " + reference(used) : term(used);
    for (std::size_t terms = sums ? below(3) : 0; terms > 0; --terms)
      right += (below(3) == 0 ? " - " : " + ") + term(used);
    for (char c : {'i', 'j', 'k'})
      if (used.find(c) != std::string::npos && below(2) == 0) indices += c;
    out = head + listed(indices) + sign + right;
    names_.push_back({head, indices});
    return out;
  }

  std::mt19937_64& random_;
  std::vector<name> names_;
};

}  // namespace

TEST_CASE("random programs over dense inputs have the same results by rules and as workflows") {
  std::mt19937_64 random(20261130);
  MESSAGE("seed 20261130");
  std::size_t agreed = 0, refused_rules = 0, refused_graphs = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    dense_program p(random);
    CAPTURE(p.text);
    const auto tree = wf::parse_equations(p.text);
    REQUIRE(tree);
    const auto rules = wf::logic::read_program(*tree, p.text);
    const auto made = run_captured(*tree, p.text, p.inputs);
    if (!rules || !made) {
      refused_rules += rules ? 0 : 1;
      refused_graphs += made ? 0 : 1;
      continue;
    }
    const auto strata = wf::logic::stratify(*rules);
    REQUIRE(strata);
    auto solved = wf::logic::evaluate(*strata, p.inputs);
    REQUIRE_MESSAGE(solved, std::string(wf::to_text(solved.error()).view()));
    for (wf::logic::solved_tensor& t : solved->tensors) {
      const auto found = made->find(std::string(t.name.view()));
      REQUIRE(found != made->end());
      CHECK(distance(found->second, t.entries()) <= 1e-9);
    }
    ++agreed;
  }
  MESSAGE(agreed << " agree, " << refused_rules << " are no rules, " << refused_graphs
                 << " no workflows");
  CHECK(agreed > 900);
}
