// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/law.hpp>

#include <limits>
#include <random>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

#include <wf/calibrate/one_kernel.hpp>
#include "../run/more_references.hpp"

#include "one_node.hpp"
#include "reference.hpp"

namespace {

using reference::integers, reference::number, reference::tensor, reference::tensors;

// Operands for the tests of an operator: shapes and element types, attributes, and the range of the
// elements.
struct sample {
  one_node::operands in;
  one_node::attributes with = {};
  double low = -2, high = 2;
};

wf::value_type f64(auto... e) { return one_node::f64(e...); }
wf::value_type c128(auto... e) { return one_node::of(wf::dtype::c128, e...); }
wf::value_type logic(auto... e) { return one_node::of(wf::dtype::boolean, e...); }
wf::value_type i64(auto... e) { return one_node::of(wf::dtype::i64, e...); }
wf::attribute_value integer(wf::text_view n, std::int64_t v) { return one_node::integer(n, v); }
wf::attribute_value size(wf::text_view n, int v) { return wf::attribute_value::dimension(n, v); }

sample sample_of(const wf::kernel_spec& k) {
  const std::string op(k.name);
  const one_node::attributes pool{integer("window", 2), integer("stride", 1),
                                  integer("padding", 1)};
  const one_node::attributes stride{integer("stride", 2), integer("padding", 1)};
  if (k.domain == "elementwise") {
    const std::size_t arity = wf::parse_signature(k.signature)->inputs;
    const auto t = op.starts_with("logical") ? logic(4, 3)
                   : op == "conjugate"       ? c128(4, 3)
                                             : f64(4, 3);
    const bool positive =
        op == "log" || op == "sqrt" || op == "power" || op == "reciprocal" || op == "divide";
    return {one_node::operands(arity, t), {}, positive ? 0.5 : -2, 2};
  }
  if (op == "matmul" || op == "matmul_strassen") return {{f64(2, 2), f64(2, 2)}};
  if (op == "product_diagonal") return {{f64(2, 3), f64(3, 2)}};
  if (op == "matvec") return {{f64(3, 3), f64(3)}};
  if (op == "dot" || op == "outer") return {{f64(3), f64(3)}};
  if (op == "axpy") return {{f64(), f64(3), f64(3)}};
  if (op == "norm") return {{f64(3)}};
  if (op == "inverse" || op == "inverse_cholesky" || op == "inverse_symmetric" ||
      op == "transpose" || op == "trace" || op == "diagonal")
    return {{f64(3, 3)}};
  if (k.domain == "signal") return {{c128(2, 8)}, {integer("stage", 1)}};
  if (op == "linear") return {{f64(2, 3), f64(3, 3), f64(3)}};
  if (op == "layer_norm") return {{f64(2, 3), f64(3), f64(3)}};
  if (op == "rms_norm") return {{f64(2, 3), f64(3)}};
  if (op == "batch_norm") return {{f64(2, 3, 2, 2), f64(3), f64(3), f64(3), f64(3)}, {}, 0.5, 2};
  if (op == "conv2d") return {{f64(1, 2, 4, 4), f64(2, 2, 3, 3)}, stride};
  if (op == "depthwise_conv2d") return {{f64(1, 2, 4, 4), f64(2, 3, 3)}, stride};
  if (op == "max_pool2d" || op == "average_pool2d") return {{f64(1, 2, 4, 4)}, pool};
  if (op == "global_average_pool") return {{f64(1, 2, 4, 4)}};
  if (op == "embedding" || op == "gather") return {{f64(4, 3), i64(3)}};
  if (op == "cross_entropy") return {{f64(3, 4), i64(3)}};
  if (op == "causal_softmax") return {{f64(3, 3)}};
  if (op == "masked_softmax") return {{f64(4, 3), logic(4, 3)}};
  if (k.domain == "nn") return {{f64(4, 3)}};
  if (op == "where") return {{logic(4, 3), f64(4, 3), f64(4, 3)}};
  if (op == "reshape") return {{f64(4, 3)}, {size("d0", 6), size("d1", 2)}};
  if (op == "broadcast_to") return {{f64(1, 3)}, {size("d0", 4), size("d1", 3)}};
  if (op == "permute")
    return {{f64(2, 2, 2)}, {integer("p0", 1), integer("p1", 2), integer("p2", 0)}};
  if (op == "slice") return {{f64(4, 3)}, {integer("start", 1), integer("length", 2)}};
  if (op == "pad") return {{f64(4, 3)}, {integer("before", 1), integer("after", 2)}};
  if (op == "concat") return {{f64(2, 3), f64(2, 3)}};
  if (op == "scatter_add") return {{f64(4, 3), i64(2), f64(2, 3)}};
  if (op == "update_slice") return {{f64(4, 3), f64(2, 3), i64()}};
  if (op == "sum" || op == "mean" || op == "max" || op == "arg_max")
    return {{f64(4, 3)}, {integer("axis", 1)}};
  return {{f64(4, 3)}};
}

integers values_of(const one_node::attributes& with) {
  integers out;
  for (const wf::attribute_value& a : with) out[std::string(a.name)] = static_cast<int>(a.number);
  return out;
}

class laboratory {
 public:
  explicit laboratory(const wf::kernel_spec& k)
      : kernel(k), given(sample_of(k)), with(values_of(given.with)) {}

  tensor random_like(const wf::value_type& t) {
    std::vector<int> s;
    for (std::uint32_t i = 0; i < t.shape.rank; ++i)
      s.push_back(static_cast<int>(t.shape[i].size()));
    tensor out(s);
    std::uniform_real_distribution<double> real(given.low, given.high);
    for (number& e : out.at) {
      if (t.type == wf::dtype::boolean)
        e = number(static_cast<double>(random() % 2));
      else if (t.type == wf::dtype::i64 || kernel.name == "equal")
        e = number(static_cast<double>(random() % 3));
      else if (t.type == wf::dtype::c128)
        e = number(std::complex<double>(real(random), real(random)));
      else
        e = number(real(random));
    }
    // An inverse needs nonzero pivots.
    if (kernel.name.starts_with("inverse") && kernel.domain == "linalg")
      for (int i = 0; i < s[0]; ++i)
        out(reference::u(i * s[0] + i)) = out(reference::u(i * s[0] + i)) + 7;
    return out;
  }
  tensors operands() {
    tensors out;
    for (const wf::value_type& t : given.in) out.push_back(random_like(t));
    return out;
  }
  tensors apply(const tensors& x) { return apply(std::string(kernel.name), x); }
  tensors apply(const std::string& op, const tensors& x) {
    return reference::operators().at(op)(x, with);
  }
  bool is_data(std::size_t k) const {  // neither an index nor a condition
    return wf::is_floating(given.in[k].type) || wf::is_complex(given.in[k].type);
  }

  const wf::kernel_spec& kernel;
  sample given;
  integers with;
  std::mt19937 random{17};
};

bool near(const tensors& a, const tensors& b, double tolerance = 1e-9) {
  if (a.size() != b.size()) return false;
  for (std::size_t t = 0; t < a.size(); ++t) {
    if (a[t].shape != b[t].shape) return false;
    for (std::size_t i = 0; i < a[t].size(); ++i)
      if (std::abs(a[t](i).v - b[t](i).v) > tolerance * (1 + std::abs(b[t](i).v))) return false;
  }
  return true;
}
tensor mix(std::complex<double> x, const tensor& a, std::complex<double> y, const tensor& b) {
  tensor out(a.shape);
  for (std::size_t i = 0; i < a.size(); ++i) out(i) = number(x * a(i).v + y * b(i).v);
  return out;
}
tensors mix(std::complex<double> x, const tensors& a, std::complex<double> y, const tensors& b) {
  tensors out;
  for (std::size_t t = 0; t < a.size(); ++t) out.push_back(mix(x, a[t], y, b[t]));
  return out;
}

bool commutes(laboratory& lab) {
  const tensors x = lab.operands();
  return x.size() == 2 && x[0].shape == x[1].shape && near(lab.apply(x), lab.apply({x[1], x[0]}));
}
bool associates(laboratory& lab) {
  const tensors x = lab.operands();
  if (x.size() != 2) return false;
  const tensor a = x[0], b = x[1], c = lab.random_like(lab.given.in[1]);
  const tensor ab = lab.apply(x)[0];
  if (lab.kernel.name != "concat" && ab.shape != a.shape) return false;
  if (one_node::inferred(lab.kernel, lab.given.in, lab.given.with)->results[0].type !=
      lab.given.in[0].type)
    return false;
  return near(lab.apply({ab, c}), lab.apply({a, lab.apply({b, c})[0]}));
}
bool is_idempotent(laboratory& lab, double tolerance = 1e-9) {
  const tensors x = lab.operands();
  if (x.size() == 2) {
    if (x[0].shape != x[1].shape || lab.given.in[0].type != lab.given.in[1].type) return false;
    const tensors y = lab.apply({x[0], x[0]});
    return near(y, {x[0]}, tolerance);
  }
  if (x.size() != 1) return false;
  const tensors y = lab.apply(x);
  if (y.size() != 1 || (y[0].shape != x[0].shape && lab.given.with.empty())) return false;
  if (y[0].shape.size() != x[0].shape.size()) return false;
  if (lab.kernel.name == "slice" || lab.kernel.name == "pad" || lab.kernel.domain == "nn")
    if (y[0].shape != x[0].shape) return false;
  return near(lab.apply(y), y, tolerance);
}
bool selects(laboratory& lab) {
  const tensors x = lab.operands();
  if (x.size() != 2 || x[0].shape != x[1].shape || !lab.kernel.laws.elementwise) return false;
  const tensors y = lab.apply(x);
  for (std::size_t i = 0; i < y[0].size(); ++i)
    if (y[0](i).v != x[0](i).v && y[0](i).v != x[1](i).v) return false;
  return true;
}
// True if a number leaves every operand as it is.
bool is_neutral(laboratory& lab, double e) {
  const tensors x = lab.operands();
  if (x.size() != 2 || x[0].shape != x[1].shape || !lab.kernel.laws.elementwise) return false;
  tensor all = x[0];
  for (std::size_t i = 0; i < all.size(); ++i) all(i) = number(e);
  return near(lab.apply({x[0], all}), {x[0]}, 0) && near(lab.apply({all, x[0]}), {x[0]}, 0);
}
bool is_involution(laboratory& lab, double tolerance = 1e-9) {
  const tensors x = lab.operands();
  if (x.size() != 1) return false;
  const tensors y = lab.apply(x);
  return y.size() == 1 && y[0].shape == x[0].shape && near(lab.apply(y), x, tolerance);
}
bool is_linear(laboratory& lab) {
  bool any = false;
  for (std::size_t k = 0; k < lab.given.in.size(); ++k) {
    if (!lab.is_data(k)) continue;
    any = true;
    tensors a = lab.operands(), b = a, both = a;
    b[k] = lab.random_like(lab.given.in[k]);
    const double imaginary = wf::is_complex(lab.given.in[k].type) ? 0.5 : 0;
    const std::complex<double> p(1.5, imaginary), q(-0.25, imaginary);
    both[k] = mix(p, a[k], q, b[k]);
    if (!near(lab.apply(both), mix(p, lab.apply(a), q, lab.apply(b)))) return false;
  }
  return any;
}
bool is_elementwise(laboratory& lab) {
  const tensors x = lab.operands();
  const tensors y = lab.apply(x);
  for (const tensor& t : x)
    if (y.size() != 1 || t.shape != y[0].shape) return false;
  for (std::size_t i = 0; i < y[0].size(); ++i) {  // changing everything except position i leaves
                                                   // position i
    tensors other = lab.operands();
    for (std::size_t k = 0; k < x.size(); ++k) other[k](i) = x[k](i);
    if (std::abs(lab.apply(other)[0](i).v - y[0](i).v) > 1e-12) return false;
  }
  return true;
}
bool is_monotone(laboratory& lab) {
  for (int round = 0; round < 50; ++round) {
    const tensors x = lab.operands(), other = lab.operands();
    tensors low = x, high = x;
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t i = 0; i < x[k].size(); ++i) {
        low[k](i) = number(std::min(x[k](i).real(), other[k](i).real()));
        high[k](i) = number(std::max(x[k](i).real(), other[k](i).real()));
      }
    const tensors a = lab.apply(low), b = lab.apply(high);
    for (std::size_t t = 0; t < a.size(); ++t)
      for (std::size_t i = 0; i < a[t].size(); ++i)
        if (a[t](i).real() > b[t](i).real() + 1e-12) return false;
  }
  return true;
}
bool distributes(laboratory& lab, const std::string& over) {
  const tensors x = lab.operands();
  const tensor a = x[0], a2 = lab.random_like(lab.given.in[0]);
  const tensor b = x[1], b2 = lab.random_like(lab.given.in[1]);
  const auto g = [&](const tensors& pair) { return lab.apply(over, pair); };
  return near(lab.apply({a, g({b, b2})[0]}), g({lab.apply({a, b})[0], lab.apply({a, b2})[0]})) &&
         near(lab.apply({g({a, a2})[0], b}), g({lab.apply({a, b})[0], lab.apply({a2, b})[0]}));
}

bool has_reference(const wf::kernel_spec& k) {
  return reference::operators().count(std::string(k.name)) == 1;
}

// The operands of the node in a workflow of one kernel, in the reference's row-major order. They
// are its first inputs.
tensors operands_of(const wf::calibration::one_kernel& one) {
  tensors out;
  const wf::graph_view g = one.workflow.view();
  for (const wf::value_id id : g.inputs_of(g.nodes[0])) {
    const wf::value& v = g[id];
    const Eigen::MatrixXd& m = one.inputs[out.size()];
    std::vector<int> s;
    for (std::uint32_t d = 0; d < v.type.shape.rank; ++d)
      s.push_back(static_cast<int>(v.type.shape[d].size()));
    tensor t(s);
    for (std::size_t i = 0; i < t.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      t(i) = s.size() == 2 ? m(at / m.cols(), at % m.cols()) : m.data()[i];
    }
    out.push_back(t);
  }
  return out;
}

// Operations that a formula may count in addition to the reference: rows of attention are priced in
// full, with a scale that is an attribute, and the first element of a row is neither compared nor
// added.
std::int64_t uncounted(const std::string& op, const tensor& x, std::int64_t counted) {
  const auto elements = static_cast<std::int64_t>(x.size());
  if (op == "softmax") return 2 * elements / x.last();
  if (op == "causal_softmax" || op == "masked_softmax") return 6 * elements - counted;
  return 0;
}

}  // namespace

static_assert(wf::law_set{.distributes_over = "add subtract"}.distributes("subtract"));
static_assert(!wf::law_set{.distributes_over = "add subtract"}.distributes("sub"));
static_assert(!wf::law_set{}.distributes(""));
static_assert(wf::law_set{.neutral = 0}.has_neutral() && !wf::law_set{}.has_neutral());
static_assert(wf::joined({.selective = true}, {.neutral = 1}).neutral == 1);
static_assert(wf::joined({.neutral = 1}, {.selective = true}).selective);

TEST_CASE("row 3: the laws of operators hold for what they compute, and no others are forgotten") {
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (!has_reference(*k)) continue;
    CAPTURE(std::string(k->name));
    laboratory lab(*k);
    const wf::law_set& l = k->laws;
    CHECK(commutes(lab) == l.commutative);
    CHECK(associates(lab) == l.associative);
    CHECK(is_idempotent(lab) == l.idempotent);
    CHECK(selects(lab) == l.selective);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    bool any_neutral = false;
    for (const double e : {0.0, 1.0, -1.0, infinite, -infinite}) {
      if (lab.given.in[0].type == wf::dtype::boolean && e != 0 && e != 1) continue;
      const bool neutral = is_neutral(lab, e);
      any_neutral = any_neutral || neutral;
      CHECK_MESSAGE(neutral == (l.neutral == e), e);
    }
    CHECK(any_neutral == l.has_neutral());
    CHECK(is_involution(lab) == l.involution);
    if ((l.idempotent || l.involution) && !k->name.starts_with("logical"))
      CHECK((is_idempotent(lab, 0) || is_involution(lab, 0)) == l.never_rounds);
    CHECK(is_linear(lab) == l.linear);
    CHECK(is_elementwise(lab) == l.elementwise);
    if (l.monotone) CHECK(is_monotone(lab));
    for (const char* g : {"add", "subtract", "maximum", "minimum", "logical_and", "logical_or"})
      if (l.distributes(g)) CHECK_MESSAGE(distributes(lab, g), g);
    if (l.linear && lab.given.in.size() == 2 && lab.is_data(0) && lab.is_data(1))
      CHECK((l.distributes("add") && l.distributes("subtract")));
    if (!l.inverse.empty()) {
      const tensors x = lab.operands();
      CHECK(near(lab.apply(std::string(l.inverse), lab.apply(x)), x));
    }
  }
}

TEST_CASE("what operators give of constants is what they compute of them") {
  std::mt19937_64 random(20261125);
  std::size_t tried = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (!has_reference(*k) || (k->constant == nullptr && !k->moves_elements)) continue;
    CAPTURE(std::string(k->name));
    laboratory lab(*k);
    for (int round = 0; round < 40; ++round) {
      tensors x = lab.operands();
      std::vector<double> numbers;
      for (tensor& t : x) {
        // Few digits, so that sums are exact; movement makes constants of equal elements.
        const double low = lab.given.low, high = lab.given.high;
        double one = low + (high - low) * static_cast<double>(random() % 9) / 8;
        if (lab.given.in[numbers.size()].type == wf::dtype::boolean) one = round % 2;
        if (lab.given.in[numbers.size()].type == wf::dtype::i64) one = 0;
        if (k->moves_elements && !numbers.empty()) one = numbers[0];
        for (std::size_t i = 0; i < t.size(); ++i) t(i) = number(one);
        numbers.push_back(one);
      }
      const tensors y = lab.apply(x);
      double all = numbers[0];
      if (!k->moves_elements) {
        const wf::rule_input node{lab.given.in, lab.given.with};
        const auto type = one_node::inferred(*k, lab.given.in, lab.given.with)->results[0].type;
        if (!k->constant({numbers.data(), node, type}, all)) continue;
        if (!wf::detail::settle_element(type, all)) continue;
      }
      ++tried;
      for (const tensor& t : y)
        for (std::size_t i = 0; i < t.size(); ++i) CHECK(t(i).v == all);
    }
  }
  CHECK(tried > 800);
}

TEST_CASE("row 3: laws that name operators name registered ones, and inverses are mutual") {
  const wf::registry r = wf::builtin_registry();
  for (const wf::kernel_spec* k : r.kernels()) {
    CAPTURE(std::string(k->name));
    if (!k->laws.inverse.empty()) {
      const wf::kernel_spec* other = r.find(k->laws.inverse);
      REQUIRE(other != nullptr);
      if (k->name != "sqrt") CHECK(other->laws.inverse == k->name);  // roots: one way only
    }
    if (k->laws.involution) CHECK(k->laws.inverse == k->name);
    if (k->laws.elementwise) CHECK_FALSE(k->is_view);
    std::string over(k->laws.distributes_over);
    std::istringstream words(over);
    for (std::string word; words >> word;) CHECK(r.find(word.c_str()) != nullptr);
    // Operators without laws to test have a reference in `more_operators`, except communication,
    // literals, and what runs a body (tests/run/plan/body_run.cpp).
    if (k->domain != "quantum" && k->domain != "tensor" && !has_reference(*k))
      CHECK((reference::more_operators().count(std::string(k->name)) == 1 || k->domain == "wire" ||
             k->name == "literal" || !k->repeats.empty()));
  }
}

TEST_CASE("row 3: inferred shapes are those of what operators compute") {
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (!has_reference(*k)) continue;
    CAPTURE(std::string(k->name));
    laboratory lab(*k);
    const tensors y = lab.apply(lab.operands());
    const auto made = one_node::inferred(*k, lab.given.in, lab.given.with);
    REQUIRE(made);
    REQUIRE(made->count == y.size());
    for (std::size_t r = 0; r < y.size(); ++r) {
      wf::shape s;
      for (int e : y[r].shape) s.push_back(e);
      CHECK(made->results[r].shape == s);
    }
  }
}

TEST_CASE("row 4: flops are what the definitions of operators do, counted at 20 random sizes") {
  std::set<std::string> checked, checked_complex;
  std::mt19937_64 random(31);
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    // Linear algebra is counted by its algorithms instead of its definitions (`linalg.cpp`),
    // complex transforms in real operations (`signal.cpp`); the reference reshapes to matrices
    // only.
    if (!has_reference(*k) || op == "matmul_strassen" || op.starts_with("inverse") ||
        k->domain == "signal" || op == "conjugate" || op == "reshape")
      continue;
    CAPTURE(op);
    for (int round = 0; round < 20; ++round) {
      CAPTURE(round);
      const auto extent = [&] { return 1 + static_cast<std::int64_t>(random() % 7); };
      const auto one = wf::calibration::make_one(*k, {extent(), extent(), extent()}, &random);
      REQUIRE(one);
      const wf::graph_view g = one->workflow.view();
      const wf::node& n = g.nodes[0];
      one_node::operands in;
      for (const wf::value_id id : g.inputs_of(n))
        in.push_back({g[id].type.type, {}, g[id].type.shape});
      one_node::attributes stated;
      integers with;
      for (const wf::attribute_value& a : wf::attribute_values(g, n)) {
        stated.push_back(a);
        with[std::string(a.name)] = static_cast<int>(a.number);
      }
      const auto signature = wf::parse_signature(k->signature);
      for (const wf::attribute_declaration& a : signature->attributes)
        if (wf::rational otherwise; with.count(std::string(a.name)) == 0 &&
                                    wf::detail::default_of(&*signature, a.name, otherwise))
          with[std::string(a.name)] = static_cast<int>(otherwise.numerator);
      const tensors x = operands_of(*one);
      if (op == "causal_softmax" && x[0].last(2) > x[0].last()) continue;  // queries without keys
      reference::flops = reference::multiplications = 0;
      reference::operators().at(op)(x, with);
      const std::int64_t counted = reference::flops;
      CHECK(one_node::priced(*k, "flops", in, stated) ==
            counted + uncounted(op, x.empty() ? tensor() : x[0], counted));
      // With complex elements, a multiplication or division is six flops and an addition two
      // (LAPACK Working Note 41); a magnitude is two products, a sum and a root, all real.
      bool is_complex = false, admits = signature->inputs > 0;
      for (std::uint32_t i = 0; i < in.size(); ++i) {
        if (in[i].type != wf::dtype::f64) continue;
        const wf::text_view bound = signature->operand(i, in.size()).bound;
        admits = admits && (bound.empty() || wf::satisfies(wf::dtype::c128, bound));
        in[i].type = wf::dtype::c128;
        is_complex = true;
      }
      if (!admits || !is_complex) continue;
      checked_complex.insert(op);
      CHECK(one_node::priced(*k, "flops", in, stated) ==
            (op == "abs" ? 4 * counted : 2 * counted + 4 * reference::multiplications));
    }
    checked.insert(op);
  }
  CHECK(checked.size() > 60);
  CHECK(checked_complex.size() > 30);
}

TEST_CASE("row 4: flops are what the definitions of operators do, with strides and padding") {
  std::set<std::string> checked;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    if (!has_reference(*k) || op == "matmul_strassen" || op.starts_with("inverse") ||
        k->domain == "signal")
      continue;
    CAPTURE(op);
    laboratory lab(*k);
    if (lab.given.in[0].type == wf::dtype::c128) continue;  // its costs are real operations
    reference::flops = 0;
    const tensors x = lab.operands();
    reference::flops = 0;
    lab.apply(x);
    std::int64_t counted = reference::flops;
    // The reference adds the first term of a sum to zero; rows of attention are priced in full, and
    // the scale is an attribute.
    if (op == "softmax") counted += 4 * 2;        // the first element of a row: no comparison, no
    if (op == "causal_softmax") counted = 6 * 9;  // addition
    if (op == "masked_softmax") counted = 6 * 12;
    CHECK(one_node::priced(*k, "flops", lab.given.in, lab.given.with) == counted);
    checked.insert(op);
  }
  CHECK(checked.size() > 60);
}
