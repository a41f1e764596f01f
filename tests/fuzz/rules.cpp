// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <random>
#include <utility>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/gradient/gradient.hpp>
#include <wf/logic/program/read_program.hpp>
#include <wf/logic/program/strata.hpp>
#include <wf/logic/program/unrolled.hpp>

#include "../../benchmarks/logic/random_program.hpp"
#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  std::vector<std::string> out = {
      "Path(x,z) = Edge(x,z) + Edge(x,y) Path(y,z)\nexport Path",
      "input W : f64[4, N]\naxis i = 4\nY[i] = W[i,j] relu(X[j] (Z[j,k] Z[k,j] + 2)) - S(i) / 3",
      "axis x : Node\nD[x] min= S(x)\nD[y] min= D[x] + W[x,y] # distances\nFar(x) = !Near(x)",
      "h[i,*t+1] = relu(W[i,j] h[j,*t]) + U[i,t-1]\nh[i,t=0] = B[i]",
      "S[0:2] = X[0:2] M['a', -1]; R(x) = Q(x+1, 'b', _) [x != 'a'] [A[x] >= 2]",
      "Y[i] = (reduce(max, k) A[i,k]) reduce(mean, l) B[i,l]"};
  for (std::uint64_t seed = 1; seed <= 24; ++seed)
    out.push_back(text_of(make_random_program(seed)));
  return out;
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"(",
          ")",
          "[",
          "]",
          " = ",
          " += ",
          " max= ",
          " min= ",
          "avg=",
          "!",
          "*t",
          "t=0",
          "t+1",
          "+1",
          "_",
          "'a'",
          "relu(",
          "u",
          "T2",
          "0:2",
          "::3",
          " < ",
          " != ",
          "\n",
          ";",
          "axis u ",
          ": In0",
          "export ",
          "reduce(sum, u) ",
          "input A : bool[3]\n",
          "#",
          "-",
          "/",
          "3",
          "2147483648",
          "u,u,u,u,u,u,u,u,u"};
}

// An ordered program is unrolled, and differentiated by its inputs, into programs that are ordered,
// or an operator or a name is refused.
static void fuzz_derived(const wf::logic::stratified_program& ordered, wf::text_view source) {
  using namespace wf::logic;
  const auto flat = stratify(unrolled(ordered, 2), source);
  wf_test::fuzz_require(flat.has_value(), "an unrolled program is ordered");
  for (const stratum& s : flat->strata)
    wf_test::fuzz_require(!s.stepped, "an unrolled program has no steps");
  wf::gradient_request request;
  request.seed = "#seed";
  for (const tensor_info& t : flat->program.tensors) {
    if (!t.defined || t.boolean || t.temporary) continue;
    request.output = t.name.view();
    const auto made = gradient(flat->program, request);
    if (!made) {
      const wf::errc code = made.error().code;
      wf_test::fuzz_require(code == wf::errc::no_adjoint || code == wf::errc::duplicate_name,
                            "only an operator or a name keeps a program from having a gradient");
      continue;
    }
    wf_test::fuzz_require(stratify(*made, source).has_value(), "a gradient is ordered");
  }
}

// Small inputs for a program: every position up to 3, or some in any order.
static wf::logic::database small_inputs(const wf::logic::tensor_program& p, std::mt19937& random) {
  using namespace wf::logic;
  database out;
  for (const tensor_info& t : p.tensors) {
    if (t.defined || !t.ranked || t.temporary) continue;
    const wf::table<std::int64_t> extents(t.rank, std::int64_t{3});
    relation r(t.rank, !t.boolean);
    position at[wf::max_rank] = {};
    std::size_t cells = 1;
    for (std::uint32_t c = 0; c < t.rank; ++c) cells *= 3;
    const bool all = random() % 2 == 0 && cells <= 81;
    for (std::size_t i = 0; i < cells && r.rows < 81; ++i, next_position(extents, at)) {
      if (!all && random() % 3 != 0) continue;
      r.append(at, static_cast<double>(random() % 7) - 3);
    }
    named_relation& made = out.add(t.name.view(), r);
    if (all && !t.boolean) made.extents = extents;
  }
  return out;
}

// Whether two results are the same, but for what adding numbers in another order changes.
static bool are_alike(const wf::logic::relation& a, const wf::logic::relation& b) {
  if (a.rows != b.rows || a.columns != b.columns) return false;
  for (std::size_t i = 0; a.valued && i < a.rows; ++i) {
    const double x = a.values[i], y = b.values[i];
    if (!(std::abs(x) < 1e9) || !(std::abs(y) < 1e9)) return true;  // what follows may be anything
    if (std::abs(x - y) > 1e-6 * (1 + std::abs(x))) return false;
  }
  return true;
}

// A program has the same results whatever the order of its joins, and wherever its inputs are.
static void fuzz_evaluated(const wf::logic::stratified_program& ordered, std::uint32_t seed) {
  using namespace wf::logic;
  std::mt19937 random(seed);
  const database inputs = small_inputs(ordered.program, random);
  database listed = inputs;  // its tensors are not known to be dense
  for (named_relation& r : listed.relations)
    for (std::size_t i = 1; i < r.entries.rows && !r.extents.empty(); ++i) {
      const std::size_t other = random() % (i + 1);
      for (wf::table<position>& column : r.entries.columns) std::swap(column[i], column[other]);
      if (r.entries.valued) std::swap(r.entries.values[i], r.entries.values[other]);
    }
  evaluation_options options;
  options.max_rounds = 40;
  options.max_bindings = 20'000;
  options.joins = join_method::nested;
  auto wanted = evaluate(ordered, inputs, options);
  for (const database* given : {&inputs, static_cast<const database*>(&listed)}) {
    options.joins = given == &inputs ? join_method::by_variables : join_method::cheapest;
    auto found = evaluate(ordered, *given, options);
    if (!found || !wanted) {
      const auto stops = [](const wf::result<solution>& s) {
        return !s && s.error().code == wf::errc::execution_stopped;
      };
      wf_test::fuzz_require(
          stops(found) || stops(wanted) || found.has_value() == wanted.has_value(),
          "programs are evaluated in any order, or in none");
      continue;
    }
    for (std::size_t t = 0; t < found->tensors.size(); ++t) {
      const relation& a = found->tensors[t].entries();
      const relation& b = wanted->tensors[t].entries();
      wf_test::fuzz_require(are_alike(a, b), "results do not depend on the order of joins");
    }
  }
}

// Any text is a program whose tables are whole and which is ordered or refused, or is refused with
// a position inside.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wf::logic;
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  const wf::text_view inputs[] = {"In0", "relu"};
  wf::result<tensor_program> read = read_program(source, inputs);
  if (!read) {
    wf_test::fuzz_require_error(source, read.error());
    return 0;
  }
  ++wf_test::fuzz_accepted;
  const auto known = [&](const atom& a) {
    wf_test::fuzz_require(a.tensor < read->tensors.size() &&
                              a.terms.count == read->tensors[a.tensor].rank && a.terms.count <= 8,
                          "an atom has an entry for every position of its tensor");
  };
  for (const atom& a : read->atoms) known(a);
  for (const rule& r : read->rules) {
    known(r.head);
    wf_test::fuzz_require(read->tensors[r.head.tensor].defined, "a head is defined");
  }
  for (std::uint32_t axis : read->axes_of)
    wf_test::fuzz_require(axis < read->axes.size(), "every position has an axis");
  const std::size_t rules = read->rules.size();
  const wf::result<stratified_program> ordered = stratify(*std::move(read), source);
  if (!ordered) {
    wf_test::fuzz_require_error(source, ordered.error());
    return 0;
  }
  wf_test::fuzz_require(ordered->rules.size() == rules, "every rule is in one stratum");
  fuzz_derived(*ordered, source);
  fuzz_evaluated(*ordered, static_cast<std::uint32_t>(size));
  return 0;
}
