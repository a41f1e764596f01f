// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/literal.hpp>
#include <wf/run/operators/operators.hpp>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../apply.hpp"
#include "../more_references.hpp"

namespace {

using reference::tensor, reference::tensors;
using wf::dtype;

// True for operators without implementation: their elements are not real numbers, or come from a
// peer.
bool is_refused(const wf::kernel_spec& k) {
  static const std::set<std::string> names{"conjugate", "fft", "inverse_fft", "butterflies"};
  return k.domain == "quantum" || k.domain == "wire" || names.count(std::string(k.name)) == 1;
}

// True for literals, whose result depends on attributes alone (registry/literal), and for what runs
// a body (run/plan/body_run).
bool has_own_tests(const wf::kernel_spec& k) {
  return k.name == wf::kernels::literal.name || !k.repeats.empty();
}

// Random operands and attributes of an operator, by rows of a table, of which it has one for each
// of its ranks and numbers of operands.
//
// Operands are separated by spaces: extents in brackets, preceded by the kind of elements: nothing
// for numbers, i<n for indices below n, b for booleans, t for true, d for a definite matrix, y for
// a symmetric indefinite one, l for a triangular one, g for a diagonal one, p for a permutation, ^
// for the transpose of the previous operand. An extent is a sum of letters, each a random number
// from 1 to 4, of numbers, and of products of an optional number and letters. Attributes:
// name=integer, name<n for one below n, name:extent, name"text.
struct sample_row {
  const char* op;
  const char* operands;
  const char* attributes = "";
  double low = -2, high = 2;
};
constexpr sample_row rows[] = {
    {"constant", "", "value=a"},
    {"divide", "[a,b,c] [b,1]", "", 0.5},
    {"power", "[b,1] [a,b,c]", "", 0.5},
    {"reciprocal", "[a,b]", "", 0.5},
    {"sqrt", "[a,b]", "", 0.5},
    {"log", "[a,b]", "", 0.5},
    {"logical_and", "b[a,b] b[a,1]"},
    {"logical_or", "b[b] b[a,b]"},
    {"logical_not", "b[a,b]"},
    {"where", "b[b,1] [a,b,c] [c]"},
    {"after", "[a,b] b[]"},
    {"check", "[a,b] t[]"},
    {"positions", "[a,b,c]", "axis<3"},

    {"matmul", "[2,3,m,k] [2,3,k,n]"},
    {"matmul_add", "[m,k] [k,n] [m,n]"},
    {"matmul_subtract", "[m,k] [k,n] [m,n]"},
    {"matmul_strassen", "[2m,2k] [2k,2n]"},
    {"gemmt", "[m,k] ^[k,m]"},
    {"syr2k", "[m,k] [k,m]"},
    {"matmul_half", "d[m,m] [m,n]"},
    {"matmul_symmetric", "d[m,m] [m,n]"},
    {"matmul_triangular", "l[m,m] [m,n]"},
    {"matmul_diagonal", "g[m,m] [m,n]"},
    {"matmul_permutation", "s[m,m] [m,n]"},
    {"matvec_permutation", "s[m,m] [m]"},
    {"matvec", "[m,k] [k]"},
    {"matvec_symmetric", "d[m,m] [m]"},
    {"dot", "[m] [m]"},
    {"outer", "[m] [n]"},
    {"axpy", "[] [m] [m]"},
    {"norm", "[m]"},
    {"transpose", "[2,m,n]"},
    {"trace", "[m,m]"},
    {"diagonal", "[m,m]"},
    {"product_diagonal", "[m,k] [k,m]"},
    {"identity_like", "[m,m]"},
    {"inverse", "d[m,m]"},
    {"inverse_cholesky", "d[m,m]"},
    {"inverse_symmetric", "d[m,m]"},
    {"inverse_triangular", "l[m,m]"},
    {"inverse_diagonal", "g[m,m]"},
    {"cholesky", "d[m,m]"},
    {"lu", "[m,m]"},
    {"lu_factor", "d[m,m]"},
    {"solve_lu", "d[m,m] p[m] [m,n]"},
    {"solve_lu", "d[m,m] p[m] [m]"},
    {"solve_lu_transposed", "d[m,m] p[m] [m,n]"},
    {"solve_lu_transposed", "d[m,m] p[m] [m]"},
    {"ldl_factor", "y[m,m]"},
    {"solve_ldl", "d[m,m] p[m] [m,n]"},
    {"solve_ldl", "d[m,m] p[m] [m]"},
    {"qr", "[m+n,n]"},
    {"least_squares", "[m+n,n] [m+n,k]"},
    {"least_squares", "[m+n,n] [m+n]"},
    {"solve", "d[m,m] [m,n]"},
    {"solve_cholesky", "d[m,m] [m,n]"},
    {"solve", "d[m,m] [m]"},
    {"solve_cholesky", "d[m,m] [m]"},
    {"solve_symmetric", "d[m,m] [m,n]"},
    {"solve_symmetric", "d[m,m] [m]"},
    {"solve_right", "[n,m] d[m,m]"},
    {"solve_right_cholesky", "[n,m] d[m,m]"},
    {"solve_triangular", "l[m,m] [m,n]"},
    {"solve_triangular", "l[m,m] [m]"},
    {"solve_diagonal", "g[m,m] [m,n]"},
    {"solve_diagonal", "g[m,m] [m]"},
    {"einsum", "[a,b] [b,c]", "equation\"ij,jk->ki points=abc"},
    {"rearrange", "[a,b,c]", "equation\"ijk->jki"},

    {"bit_reversal", "[a,8]"},

    {"causal_softmax", "[2,a,a+b]"},
    {"masked_softmax", "[2,a,b] b[a,b]"},
    {"masked_softmax", "[a,b] b[a,b]"},
    {"causal_mask", "", "d0:a d1:b"},
    {"layer_norm", "[a,b,c] [c] [c]"},
    {"rms_norm", "[a,b,c] [c]"},
    {"batch_norm", "[a,b,c,d] [b] [b] [b] [b]", "", 0.5},
    {"linear", "[2,a,b] [b,c] [c]"},
    {"conv2d", "[a,b,r+c,s+d] [e,b,r,s]", "stride=m padding<3"},
    {"depthwise_conv2d", "[a,b,r+c,s+d] [b,r,s]", "stride=m padding<3"},
    // The reference pads with zero, which is below all positive elements.
    {"max_pool2d", "[a,b,r+c,r+d]", "window=r stride=m padding<r", 0.5},
    {"average_pool2d", "[a,b,r+c,r+d]", "window=r stride=m padding<3"},
    {"global_average_pool", "[a,b,c,d]"},
    {"embedding", "[a,b] i<a[2,c]"},
    {"cross_entropy", "[2,a,b] i<b[2,a]"},

    {"reshape", "[2a,b]", "d0:b d1:2a"},
    {"broadcast_to", "[1,b]", "d0:a d1:b"},
    {"permute", "[a,b,c]", "p0=1 p1=2 p2=0"},
    {"slice", "[a+b,c]", "start=a length=b"},
    {"pad", "[a,b]", "before=b after=c"},
    {"split", "[2a,2b,2c]", "axis<3"},
    {"split", "[a,b,c]", "axis<3 parts=1"},
    {"split", "[3a,3b,3c]", "axis<3 parts=3"},
    {"split", "[4a,4b,4c]", "parts=4 axis<3"},
    {"concat", "[a,b] [c,b]"},
    {"concat", "[a,b] [c,b] [a,b]"},
    {"concat", "[a,b] [c,b] [a,b] [b,b]"},
    {"concat", "[a,b]"},
    {"concat", "[a,b] [c,b] [a,b] [b,b] [d,b] [a,b] [c,b] [1,b]"},
    {"gather", "[a+2,b+2,c+2] i<3[d,2]", "axis<3"},
    {"scatter_add", "[a,b] i<a[c] [c,b]"},
    {"update_slice", "[a+b,c] [b,c] i<a+1[]"},
    {"cast", "[a,b]", "dtype\"f64"},
    {"sum", "[a,b,c]", "axis<3"},
    {"mean", "[a,b,c]", "axis<3"},
    {"max", "[a,b,c]", "axis<3"},
    {"arg_max", "[a,b,c]", "axis<3"},
};

std::vector<sample_row> rows_of(const wf::kernel_spec& k) {
  std::vector<sample_row> out;
  for (const sample_row& r : rows)
    if (k.name == r.op) out.push_back(r);
  return out;
}
// Number of the ways in which an operator is sampled.
std::size_t variants_of(const wf::kernel_spec& k) {
  return std::max<std::size_t>(rows_of(k).size(), 1);
}

struct operand {
  wf::value_type type;
  char content = ' ';
  int below = 0;  // the upper bound of an index
};
struct sample {
  sample_row row;
  std::vector<operand> in;
  one_node::attributes with;
};

std::vector<std::string> words_of(const std::string& line, char separator) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, separator);) words.push_back(word);
  return words;
}

class sampler {
 public:
  // `most`: the largest value of a letter; small ones are more frequent.
  explicit sampler(std::mt19937& random, int most = 4) : random_(random) {
    for (int& letter : letters_) letter = 1 + below(most <= 4 ? most : 1 + below(most));
  }

  // As row number `variant` of the table says, counted round; without a row one operand of any
  // shape, or two that broadcast.
  sample of(const wf::kernel_spec& k, std::size_t variant) {
    const bool two = wf::parse_signature(k.signature)->inputs == 2;
    sample out{{k.name.data(), two ? "[a,1,c] [b,1]" : "[a,b,c]"}, {}, {}};
    const std::vector<sample_row> own = rows_of(k);
    if (!own.empty()) out.row = own[variant % own.size()];
    for (const std::string& word : words_of(out.row.operands, ' '))
      out.in.push_back(operand_of(word));
    for (const std::string& word : words_of(out.row.attributes, ' '))
      out.with.push_back(attribute_of(word));
    return out;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  int number_of(const std::string& expression) const {
    int sum = 0;
    for (const std::string& term : words_of(expression, '+')) {
      int product = 1;
      std::size_t at = 0;
      if (std::isdigit(static_cast<unsigned char>(term[0]))) product = std::stoi(term, &at);
      for (; at < term.size(); ++at) product *= letters_[term[at] - 'a'];
      sum += product;
    }
    return sum;
  }
  operand operand_of(const std::string& word) {
    const std::size_t bracket = word.find('[');
    operand out{{dtype::f64, {}, {}}, word[0]};
    for (const std::string& e : words_of(word.substr(bracket + 1, word.size() - bracket - 2), ','))
      out.type.shape.push_back(number_of(e));
    if (out.content == 'i') out.below = number_of(word.substr(2, bracket - 2));
    if (out.content == 'i' || out.content == 'p') out.type.type = dtype::i64;
    if (out.content == 'b' || out.content == 't') out.type.type = dtype::boolean;
    return out;
  }
  wf::attribute_value attribute_of(const std::string& word) {
    const std::size_t at = word.find_first_of("=<:\"");
    names_.push_back(word.substr(0, at));
    const wf::text_view name = names_.back();
    const std::string value = word.substr(at + 1);
    if (word[at] == '"') return wf::attribute_value::string(name, names_.emplace_back(value));
    if (word[at] == ':') return wf::attribute_value::dimension(name, number_of(value));
    return one_node::integer(name, word[at] == '<' ? below(number_of(value)) : number_of(value));
  }

  std::mt19937& random_;
  int letters_[26];
  std::deque<std::string> names_;  // storage for names that attributes refer to
};

tensor random_tensor(const operand& o, const sample& from, const tensors& before,
                     std::mt19937& random) {
  if (o.content == '^') return reference::transposed(before.back());
  std::vector<int> s;
  for (std::uint32_t d = 0; d < o.type.shape.rank; ++d)
    s.push_back(static_cast<int>(o.type.shape[d].size()));
  tensor out(s);
  std::uniform_real_distribution<double> real(from.row.low, from.row.high);
  const auto fit = [&](reference::number& e) { e = wf::compute::rounded(o.type.type, e.real()); };
  for (reference::number& e : out.at) {
    e = real(random);
    if (wf::is_integer(o.type.type)) e = std::trunc(4 * e.real());  // from 2 or -8 to 8
    if (o.content == 'i') e = static_cast<double>(random() % static_cast<unsigned>(o.below));
    if (o.type.type == dtype::boolean) e = o.content == 't' ? 1 : static_cast<double>(random() % 2);
    fit(e);
  }
  if (o.content == 'd') {
    out = reference::product_of(out, reference::transposed(out));
    for (int i = 0; i < out.last(); ++i) reference::matrix{out}(i, i) = out(0).real() + 7 + i;
    std::for_each(out.at.begin(), out.at.end(), fit);
  }
  if (o.content == 'y') {  // zeros on the diagonal, so that 2x2 blocks occur
    const reference::matrix a{out};
    for (int i = 0; i < out.last(); ++i)
      for (int j = 0; j <= i; ++j) {
        const double away = std::copysign(1.0, a(i, j).real());  // of either sign, away from zero
        a(i, j) = a(j, i) = i == j ? (i + 1 == out.last() ? 5.0 : 0.0) : a(i, j).real() + away;
      }
    std::for_each(out.at.begin(), out.at.end(), fit);
  }
  if (o.content == 'l') {
    const bool lower = random() % 2 == 0;
    for (int i = 0; i < out.last(); ++i)
      for (int j = 0; j < out.last(); ++j) {
        if (i == j) reference::matrix{out}(i, i) = 4 + i;
        if (lower ? j > i : j < i) reference::matrix{out}(i, j) = 0;
      }
  }
  if (o.content == 'g')
    for (int i = 0; i < out.last(); ++i)
      for (int j = 0; j < out.last(); ++j) reference::matrix{out}(i, j) = i == j ? 4 + i : 0;
  if (o.content == 's') {
    std::vector<int> places(reference::u(out.last()));
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    for (int i = 0; i < out.last(); ++i)
      for (int j = 0; j < out.last(); ++j)
        reference::matrix{out}(i, j) = j == places[reference::u(i)] ? 1 : 0;
  }
  if (o.content == 'p') {
    out = reference::counted(out.last())[0];
    std::shuffle(out.at.begin(), out.at.end(), random);
  }
  return out;
}

apply::tensor as_applied(const tensor& t, const wf::value_type& type) {
  apply::tensor out(type.shape, type.type);
  for (std::size_t i = 0; i < t.size(); ++i) out.elements[i] = t(i).real();
  return out;
}

std::vector<wf::value_type> types_of(const sample& s) {
  std::vector<wf::value_type> out;
  for (const operand& o : s.in) out.push_back(o.type);
  return out;
}

// Makes the diagonal of R positive: the signs of a factorisation are arbitrary.
void normalise_signs(std::vector<apply::tensor>& made) {
  apply::tensor &q = made[0], &r = made[1];
  const auto n = static_cast<std::size_t>(r.dims[0].size());
  for (std::size_t k = 0; k < n; ++k) {
    if (r.elements[k * n + k] > 0) continue;
    for (std::size_t i = k; i < q.elements.size(); i += n) q.elements[i] *= -1;
    for (std::size_t j = 0; j < n; ++j) r.elements[k * n + j] *= -1;
  }
}

// Checks that an operator gives the same, up to rounding, for all layouts of its matrices.
void check_layouts(const wf::kernel_spec& k, const sample& s,
                   const std::vector<apply::tensor>& arguments,
                   const std::vector<wf::value_type>& results,
                   const std::vector<apply::tensor>& expected, std::mt19937& random) {
  const wf::compute::operator_implementation<double>* o =
      wf::compute::find_operator<double>(k.name);
  const std::size_t matrices = arguments.size() + results.size();
  for (unsigned bits = 0; bits < 1u << matrices; ++bits) {
    if (matrices > 4 && random() % 4 != 0) continue;
    CAPTURE(bits);
    const apply::layout lies{bits, static_cast<int>(random() % 3)};
    const auto made = apply::run({o, 1}, k.name, arguments, results, s.with, {}, lies);
    REQUIRE(made.why == "");
    for (std::size_t r = 0; r < results.size(); ++r) {
      const dtype d = results[r].type;
      const double digits = d == dtype::f64 ? 1e-12 : d == dtype::f32 ? 1e-6 : 2e-2;
      for (std::size_t i = 0; i < expected[r].elements.size(); ++i) {
        const double x = made.results[r].elements[i], y = expected[r].elements[i];
        CHECK(std::abs(x - y) <= (wf::is_floating(d) ? digits * (1 + std::abs(y)) : 0));
      }
    }
  }
}

// Applies an operator to a sample and compares the results with the reference.
void check_sample(const wf::kernel_spec& k, const sample& s, const wf::inference& types,
                  std::mt19937& random) {
  const std::string op(k.name);
  tensors operands;
  std::vector<apply::tensor> arguments;
  for (const operand& o : s.in)
    arguments.push_back(
        as_applied(operands.emplace_back(random_tensor(o, s, operands, random)), o.type));
  std::vector<wf::value_type> results(types.types().begin(), types.types().end());
  for (wf::value_type& t : results)
    if (t.type == dtype::unknown) t.type = dtype::f64;  // a constant may have any type
  auto made = apply::run({wf::compute::find_operator<double>(k.name), 1}, k.name, arguments,
                         results, s.with);
  REQUIRE(made.why == "");
  check_layouts(k, s, arguments, results, made.results, random);
  if (op == "qr") normalise_signs(made.results);

  reference::integers with;
  for (const wf::attribute_value& a : s.with)
    with[std::string(a.name)] = static_cast<int>(a.number);
  const auto& known = reference::operators();
  const auto& function = known.count(op) == 1 ? known.at(op) : reference::more_operators().at(op);
  const tensors wanted = function(operands, with);
  REQUIRE(wanted.size() == made.results.size());
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    const dtype d = results[r].type;
    const bool exact = wf::is_integer(d) || d == dtype::boolean;
    const double digits = d == dtype::f64 ? 1e-10 : d == dtype::f32 ? 1e-6 : 1e-2;
    const std::vector<double>& is = made.results[r].elements;
    REQUIRE(wanted[r].size() == is.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
      const double should = wanted[r](i).real(),
                   cut = std::trunc(should + std::copysign(1e-9, should));
      const double difference = is[i] - (exact ? cut : wf::compute::rounded(d, should));
      CHECK(std::abs(difference) <= (exact ? 0 : digits * (1 + std::abs(should))));
    }
  }
}

// The part of a dimension from `first` on.
apply::tensor part_of(const apply::tensor& t, std::uint32_t dimension, std::int64_t first,
                      std::int64_t count) {
  wf::shape shape;
  for (std::uint32_t d = 0; d < t.dims.rank; ++d)
    shape.push_back(d == dimension ? count : t.dims[d].size());
  apply::tensor out(shape, t.type);
  std::size_t next = 0;
  apply::for_each_index(shape, [&](std::vector<std::int64_t> index) {
    index[dimension] += first;
    out.elements[next++] = t.at(index);
  });
  return out;
}

// The first result of an operator on parts of its operands, cut in the dimensions whose bits are
// set; dimensions are numbered across all operands.
std::optional<apply::tensor> result_of_parts(const wf::kernel_spec& k, const sample& s,
                                             const std::vector<apply::tensor>& arguments,
                                             unsigned dimensions, std::int64_t extent,
                                             std::int64_t first, std::int64_t count) {
  std::vector<apply::tensor> parts;
  std::vector<wf::value_type> types;
  unsigned at = 0;
  for (const apply::tensor& whole : arguments) {
    apply::tensor part = whole;
    for (std::uint32_t d = 0; d < whole.dims.rank; ++d)
      if ((dimensions >> at++ & 1) != 0) part = part_of(part, d, first, count);
    types.push_back({part.type, {}, part.dims});
    parts.push_back(std::move(part));
  }
  one_node::attributes with = s.with;
  for (wf::attribute_value& a : with)
    if (a.name == "points") a.number = a.number / extent * count;
  const auto made = one_node::inferred(k, types, with);
  if (!made) return std::nullopt;
  const std::vector<wf::value_type> results(made->types().begin(), made->types().end());
  auto out =
      apply::run({wf::compute::find_operator<double>(k.name), 1}, k.name, parts, results, with);
  if (!out.why.empty()) return std::nullopt;
  return out.results[0];
}

// True if the results of two parts, concatenated along a dimension, are the whole result.
bool joins(const apply::tensor& whole, std::uint32_t dimension,
           const std::optional<apply::tensor>& front, const std::optional<apply::tensor>& back,
           std::int64_t middle) {
  for (const bool second : {false, true}) {
    const auto& part = second ? back : front;
    const std::int64_t size = whole.dims[dimension].size();
    const apply::tensor wanted =
        part_of(whole, dimension, second ? middle : 0, second ? size - middle : middle);
    if (!part || !(part->dims == wanted.dims)) return false;
    for (std::size_t i = 0; i < wanted.elements.size(); ++i)
      if (!(std::abs(part->elements[i] - wanted.elements[i]) <=
            1e-9 * (1 + std::abs(wanted.elements[i]))))
        return false;
  }
  return true;
}

// True if some dimensions of the operands can be cut in two such that the results of the parts are
// the parts of the result, cut along one of its dimensions.
bool can_be_cut(const wf::kernel_spec& k, const sample& s,
                const std::vector<apply::tensor>& arguments, const apply::tensor& whole,
                std::uint32_t dimension) {
  const std::int64_t size = whole.dims[dimension].size(), middle = size / 2;
  std::vector<unsigned> candidates;
  unsigned at = 0;
  for (const apply::tensor& t : arguments)
    for (std::uint32_t d = 0; d < t.dims.rank; ++d, ++at)
      if (t.dims[d].size() == size) candidates.push_back(1u << at);
  for (unsigned choice = 1; choice < 1u << candidates.size(); ++choice) {
    unsigned dimensions = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if ((choice >> i & 1) != 0) dimensions |= candidates[i];
    const auto part = [&](std::int64_t first, std::int64_t count) {
      return result_of_parts(k, s, arguments, dimensions, size, first, count);
    };
    if (joins(whole, dimension, part(0, middle), part(middle, size - middle), middle)) return true;
  }
  return false;
}

// The sample with elements of another type instead of f64.
sample retyped(sample s, dtype d) {
  for (operand& o : s.in)
    if (o.type.type == dtype::f64) o.type.type = d;
  for (wf::attribute_value& a : s.with)
    if (a.name == "dtype") a.characters = wf::name_of(d);
  return s;
}

}  // namespace

TEST_CASE(
    "every operator of the registry executes and agrees with its definition, or says why not") {
  const unsigned seed = 4711;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::size_t ran = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    REQUIRE((wf::compute::find_operator<double>(k->name) == nullptr) == is_refused(*k));
    if (is_refused(*k) || has_own_tests(*k)) continue;
    for (std::size_t round = 0; round < 12 * variants_of(*k); ++round) {
      sampler samples(random);
      const sample s = samples.of(*k, round);
      const auto types = one_node::inferred(*k, types_of(s), s.with);
      REQUIRE_MESSAGE(types, wf::to_text(types.error()).view());
      check_sample(*k, s, *types, random);
    }
    ran += variants_of(*k);
  }
  CHECK(ran >= 95);
}

TEST_CASE("what a kernel says may be cut is computed from parts of its operands") {
  std::mt19937 random(4713);
  std::set<std::pair<std::string, std::size_t>> cut, offered;  // with the variant
  std::set<std::string> whole_only;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    if (is_refused(*k) || has_own_tests(*k) || k->is_view) continue;
    for (std::size_t round = 0; round < 24 * variants_of(*k); ++round) {
      sampler samples(random, 5);
      const sample s = samples.of(*k, round);
      const auto types = one_node::inferred(*k, types_of(s), s.with);
      REQUIRE(types);
      tensors operands;
      std::vector<apply::tensor> arguments;
      for (const operand& o : s.in)
        arguments.push_back(
            as_applied(operands.emplace_back(random_tensor(o, s, operands, random)), o.type));
      std::vector<wf::value_type> results(types->types().begin(), types->types().end());
      if (arguments.empty() || results[0].type == dtype::unknown) continue;
      const auto made = apply::run({wf::compute::find_operator<double>(k->name), 1}, k->name,
                                   arguments, results, s.with);
      REQUIRE(made.why == "");
      const wf::shape& shape = results[0].shape;
      for (std::uint32_t d = 0; d < shape.rank; ++d) {
        CAPTURE(d);
        const wf::cut allowed = wf::cut_of(*k, shape.rank, d);
        if (allowed == wf::cut::parts) offered.emplace(op, round % variants_of(*k));
        if (shape[d].size() < 2) continue;
        if (allowed == wf::cut::parts) {
          cut.emplace(op, round % variants_of(*k));
          CHECK(can_be_cut(*k, s, arguments, made.results[0], d));
        } else if (op == "softmax" || op == "layer_norm" || op == "rms_norm") {
          whole_only.insert(op);
          CHECK_FALSE(can_be_cut(*k, s, arguments, made.results[0], d));
        }
      }
    }
  }
  // Every kernel that states a cut is tested, in each variant that has a dimension to be cut.
  std::set<std::string> tested;
  for (const auto& [op, variant] : cut) tested.insert(op);
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels())
    if (!is_refused(*k) && !k->is_view && !k->cuts.empty())
      CHECK_MESSAGE(tested.count(std::string(k->name)) == 1, std::string(k->name));
  CHECK(cut == offered);
  CHECK(cut.size() >= 50);
  CHECK(whole_only.size() == 3);
}

TEST_CASE("operators execute on every type of element that they take") {
  std::mt19937 random(4712);
  std::size_t ran = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    if (is_refused(*k) || has_own_tests(*k)) continue;
    for (const dtype d :
         {dtype::f32, dtype::f16, dtype::bf16, dtype::i64, dtype::i32, dtype::i16, dtype::boolean})
      for (std::size_t variant = 0; variant < variants_of(*k); ++variant) {
        CAPTURE(wf::name_of(d));
        sampler samples(random);
        const sample s = retyped(samples.of(*k, variant), d);
        const auto types = one_node::inferred(*k, types_of(s), s.with);
        const bool sums = op == "scatter_add" || op == "einsum";  // one and one is no boolean
        if (!types || types->count == 0 || (d == dtype::boolean && sums)) continue;
        check_sample(*k, s, *types, random);
        ++ran;
      }
  }
  CHECK(ran > 350);
}

TEST_CASE("no operator asks for more scratch storage than its kernel states") {
  const unsigned seed = 4713;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const wf::registry kernels = wf::builtin_registry();
  constexpr wf::metric_spec scratch{"scratch", "B"};
  std::int64_t asked = 0;
  for (const wf::kernel_spec* k : kernels.kernels()) {
    const std::string op(k->name);
    CAPTURE(op);
    const wf::compute::operator_implementation<double>* o =
        wf::compute::find_operator<double>(k->name);
    if (o == nullptr || o->scratch == nullptr) continue;
    for (std::size_t round = 0; round < 600 * variants_of(*k); ++round) {
      sampler samples(random, round % 3 == 0 ? 20 : round % 3 == 1 ? 150 : 1500);
      sample s = samples.of(*k, round / 12);  // all sizes and types of each
      if (round % 4 == 0 && k->signature.find(':') != k->signature.size())
        if (const sample other = retyped(s, dtype::i64);
            one_node::inferred(*k, types_of(other), other.with))
          s = other;
      if (!one_node::inferred(*k, types_of(s), s.with)) continue;
      const wf::graph g = one_node::graph_of(*k, types_of(s), s.with);
      const std::int64_t elements = o->scratch(g.view(), g.view().nodes[0]);
      const auto stated = wf::price(g.view(), scratch, kernels);
      INFO(std::string(wf::to_text(g.view()).view()));
      REQUIRE_MESSAGE(stated, std::string(wf::to_text(stated.error())));
      REQUIRE(8 * elements <= *stated);
      asked += elements != 0 ? 1 : 0;
    }
  }
  CHECK(asked > 10'000);
}

TEST_CASE("the tables name registered operators, each once") {
  namespace compute = wf::compute;
  std::set<std::string> names;
  for (const auto& family :
       {compute::elementwise_operators<double>(), compute::linalg_operators<double>(),
        compute::movement_operators<double>(), compute::neural_operators<double>(),
        compute::reduction_operators<double>()})
    for (const compute::operator_implementation<double>& o : family) {
      CAPTURE(std::string(o.name));
      CHECK(wf::builtin_registry().find(o.name) != nullptr);
      CHECK(names.insert(std::string(o.name)).second);
      CHECK(compute::find_operator<double>(o.name) == &o);
    }
  CHECK(compute::find_operator<double>("mystery") == nullptr);
}
