// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/strata.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

namespace {

using wf::errc;
using wf::logic::recursion;
using wf::logic::stratified_program;
using wf::logic::stratum;

constexpr wf::result<stratified_program> stratified(wf::text_view source) {
  auto p = wf::logic::read_program(source);
  if (!p) return p.error();
  return wf::logic::stratify(static_cast<wf::logic::tensor_program&&>(*p), source);
}
constexpr bool orders_while_compiling() {
  const auto s = stratified("B(x) = A(x) !P(x,x)\nP(x,z) = E(x,z) + E(x,y) P(y,z)");
  return s && s->strata.size() == 2 && s->strata[0].recursion == recursion::logical &&
         s->strata[1].recursion == recursion::none && s->stratum_of[s->program.find("B")] == 1;
}
static_assert(orders_while_compiling());
static_assert(stratified("P(x) = A(x) !P(x)").error().code == errc::not_stratified);

stratified_program ordered(wf::text_view source) {
  auto s = stratified(source);
  REQUIRE_MESSAGE(s, std::string(wf::to_text(s.error())));
  return *static_cast<wf::result<stratified_program>&&>(s);
}
const stratum& stratum_of(const stratified_program& s, wf::text_view name) {
  return s.strata[s.stratum_of[s.program.find(name)]];
}
recursion kind(wf::text_view source, wf::text_view name) {
  return stratum_of(ordered(source), name).recursion;
}

// A random program over one input, with what its rules read.
enum class head_kind { boolean, sum, mean, minimum, maximum };
enum class read_kind { joined, negated, compared };
struct random_read {
  std::size_t head = 0, read = 0;
  read_kind how = read_kind::joined;
};
struct random_reads {
  std::vector<head_kind> kinds;
  std::vector<random_read> reads;
  std::vector<std::size_t> heads;  // by rule
  std::string source;
};

bool is_extreme(head_kind k) { return k == head_kind::minimum || k == head_kind::maximum; }

random_reads make_reads(std::mt19937_64& random) {
  random_reads out;
  const bool logical = random() % 2 == 0;
  for (std::size_t n = 2 + random() % 5; n > 0; --n)
    out.kinds.push_back(logical && random() % 8 ? head_kind::boolean
                                                : static_cast<head_kind>(random() % 5));
  const auto name = [&](std::size_t t) {
    return "T" + std::to_string(t) + (out.kinds[t] == head_kind::boolean ? "(x)" : "[x]");
  };
  const char* const signs[] = {" = ", " += ", " avg= ", " min= ", " max= "};
  for (std::size_t t = 0; t < out.kinds.size(); ++t)
    for (std::size_t rules = 1 + random() % 2; rules > 0; --rules) {
      out.heads.push_back(t);
      const bool extreme = is_extreme(out.kinds[t]);
      out.source += name(t) + signs[static_cast<std::size_t>(out.kinds[t])];
      std::string conditions = extreme ? " + 0 In(x)" : "In(x)";
      std::string values = extreme ? "1" : "";
      for (std::size_t reads = random() % 3; reads > 0; --reads) {
        const std::size_t read = random() % out.kinds.size();
        const bool boolean = out.kinds[read] == head_kind::boolean;
        const read_kind how = random() % 5 ? read_kind::joined
                              : boolean    ? read_kind::negated
                                           : read_kind::compared;
        if (how == read_kind::compared)
          conditions += " [" + name(read) + " > 1]";
        else if (boolean)
          conditions += (how == read_kind::negated ? " !" : " ") + name(read);
        else
          values += (extreme ? " + " : " ") + name(read);
        out.reads.push_back({t, read, how});
      }
      out.source += extreme ? values + conditions : conditions + values;
      out.source += "\n";
    }
  return out;
}
// Which tensors depend on which, by Warshall's closure.
std::vector<std::vector<bool>> closure(const random_reads& p) {
  const std::size_t n = p.kinds.size();
  std::vector<std::vector<bool>> out(n, std::vector<bool>(n));
  for (const random_read& r : p.reads) out[r.head][r.read] = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i][j] = out[i][j] || (out[i][k] && out[k][j]);
  return out;
}
// True if every recursion has a meaning.
bool has_meaning(const random_reads& p, const std::vector<std::vector<bool>>& depends) {
  for (const random_read& r : p.reads) {
    if (!depends[r.read][r.head]) continue;  // of another stratum
    const head_kind head = p.kinds[r.head], read = p.kinds[r.read];
    const bool iterated = head == head_kind::sum || head == head_kind::mean;
    const bool total = read == head_kind::sum || read == head_kind::mean;
    if (r.how == read_kind::negated) return false;
    if (iterated != total) return false;
    if (is_extreme(head) && is_extreme(read) && head != read) return false;
    if (r.how == read_kind::compared && !iterated) return false;
  }
  // Of minimum and maximum, one at most, even if neither reads the other directly.
  for (std::size_t a = 0; a < p.kinds.size(); ++a)
    for (std::size_t b = 0; b < p.kinds.size(); ++b)
      if (depends[a][b] && depends[b][a] && p.kinds[a] == head_kind::minimum &&
          p.kinds[b] == head_kind::maximum)
        return false;
  return true;
}

}  // namespace

TEST_CASE(
    "random programs are ordered by reachability, or refused where a recursion has no meaning") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    const random_reads p = make_reads(random);
    CAPTURE(p.source);
    const auto s = stratified(wf::text_view(p.source));
    const auto depends = closure(p);
    if (!has_meaning(p, depends)) {
      ++refused;
      REQUIRE_FALSE(s);
      REQUIRE(s.error().code == errc::not_stratified);
      REQUIRE(s.error().where.line >= 1);
      REQUIRE(s.error().where.offset < p.source.size());
      continue;
    }
    REQUIRE_MESSAGE(s, std::string(wf::to_text(s.error())));
    const auto number = [&](std::size_t t) {
      return s->stratum_of[s->program.find(wf::text_view("T" + std::to_string(t)))];
    };
    REQUIRE(s->tensors.size() == p.kinds.size());
    REQUIRE(s->stratum_of[s->program.find("In")] == wf::logic::none);
    for (std::size_t a = 0; a < p.kinds.size(); ++a) {
      for (std::size_t b = 0; b < p.kinds.size(); ++b) {
        const bool together = a == b || (depends[a][b] && depends[b][a]);
        REQUIRE((number(a) == number(b)) == together);
        if (depends[a][b]) REQUIRE(number(b) <= number(a));
      }
      const recursion of = s->strata[number(a)].recursion;
      REQUIRE((of == recursion::none) == !depends[a][a]);
      if (p.kinds[a] == head_kind::sum || p.kinds[a] == head_kind::mean)
        REQUIRE((of == recursion::none || of == recursion::numeric));
      if (is_extreme(p.kinds[a])) REQUIRE((of == recursion::none || of == recursion::extreme));
    }
    std::size_t rules = 0;
    for (std::uint32_t n = 0; n < s->strata.size(); ++n) {
      const stratum& each = s->strata[n];
      REQUIRE_FALSE(each.stepped);
      for (std::uint32_t i = 0; i < each.tensors.count; ++i)
        REQUIRE(s->stratum_of[s->tensors[each.tensors.first + i]] == n);
      for (std::uint32_t i = 0; i < each.rules.count; ++i, ++rules) {
        const std::uint32_t rule = s->rules[each.rules.first + i];
        REQUIRE(number(p.heads[rule]) == n);
        if (i != 0) REQUIRE(s->rules[each.rules.first + i - 1] < rule);
      }
    }
    REQUIRE(rules == p.heads.size());
  }
  CHECK(refused > 300);
  CHECK(refused < 1500);
}

TEST_CASE("recursion is logical, extreme or numeric by the kinds of its tensors") {
  CHECK(kind("P(x) = A(x) + P(y) E(y,x)", "P") == recursion::logical);
  CHECK(kind("D[x] min= S(x)\nD[x] min= D[y] + W[y,x]", "D") == recursion::extreme);
  CHECK(kind("D[x] max= S(x) + 0 R(x)\nR(x) = D[x]", "R") == recursion::extreme);
  CHECK(kind("p[x] = b[x] + M[x,y] p[y]", "p") == recursion::numeric);
  CHECK(kind("p[x] avg= E[x,y] p[y]", "p") == recursion::numeric);
  CHECK(kind("p[x] = b[x] exp(p[x])", "p") == recursion::numeric);
  CHECK(kind("p[x] = b[x]\nq[x] = p[x]", "q") == recursion::none);
}

TEST_CASE("what has no least fixpoint is not_stratified, WF115, where it is read") {
  const auto refuses = [](wf::text_view source, wf::text_view head, wf::text_view message,
                          std::uint32_t line, std::uint32_t column) {
    const auto s = stratified(source);
    CAPTURE(std::string(source));
    REQUIRE_FALSE(s);
    CAPTURE(std::string(wf::to_text(s.error())));
    CHECK(s.error().code == errc::not_stratified);
    CHECK(s.error().subject.view() == head);
    CHECK(s.error().message.view() == message);
    CHECK(s.error().where.line == line);
    CHECK(s.error().where.column == column);
  };
  refuses("P(x) = A(x) !P(x)", "P", "depends on its own complement", 1, 14);
  refuses("P(x) = A(x) Q(x)\nQ(x) = A(x) !P(x)", "Q", "depends on its own complement, through P", 2,
          14);
  refuses("D[x] min= W[x] + 0 R(x)\nR(x) = A(x) [D[x] < 3]", "R",
          "reads a value before it is final, through D", 2, 14);
  refuses("D[x] max= W[x] + 0 [D[x] < 3]", "D", "reads a value before it is final", 1, 21);
  refuses("R(x) = S[x]\nS[x] += A[x] R(x)", "R", "reads a value before it is final, through S", 1,
          8);
  refuses("L[x] min= M[x]\nM[x] max= L[x]", "M",
          "depends on itself through tensors of another sign", 1, 11);
  refuses("R(x) = A(x) T(x)\nT(x) = R(x) S(x)\nS(x) = [q[x] > 1] A(x)\nq[x] += T(x)", "S",
          "reads a value before it is final, through q", 3, 9);
  refuses(
      "q[x] += W[x] R(x)\nR(x) = D[x]\nD[x] min= A[x] + 0 R(x)\nR(x) = In(x) q2(x)\n"
      "q2(x) = [q[x] > 0] In(x)",
      "q2", "reads a value before it is final, through q", 5, 10);
}

TEST_CASE("an extreme does not recur through values with which it falls") {
  const std::string start = "D[x] min= S(x)\nD[x] min= ";
  const auto accepts = [&](const char* right) {
    const auto s = stratified(wf::text_view(start + right));
    if (!s) CHECK(s.error().message.view() == "reads a value before it is final");
    return s.has_value();
  };
  CHECK(accepts("D[y] + W[y,x]"));
  CHECK(accepts("D[y] * W[y,x]"));
  CHECK(accepts("2 * D[y] * W[y,x] - 3"));
  CHECK(accepts("W[y,x] - -D[y]"));
  CHECK(accepts("W[y,x] - (-2) * D[y]"));
  CHECK(accepts("D[y] / W[y,x]"));
  CHECK(accepts("-(-2) * D[y] + W[y,x]"));
  CHECK_FALSE(accepts("W[y,x] - D[y]"));
  CHECK_FALSE(accepts("-D[y] + W[y,x]"));
  CHECK_FALSE(accepts("-2 * D[y] + W[y,x]"));
  CHECK_FALSE(accepts("D[y] * (-2) + W[y,x]"));
  CHECK_FALSE(accepts("-W[y,x] * D[y]"));
  CHECK(accepts("-W[y,x] * (-2) * D[y]"));
  CHECK_FALSE(accepts("W[y,x] / D[y]"));
  CHECK_FALSE(accepts("D[y] - D[x] * W[y,x]"));
}

TEST_CASE("a recursion through an earlier step is none; its strata run at every step") {
  const stratified_program s = ordered(
      "h[i,*t+1] = relu(W[i,j] h[j,*t]) + U[i,t]\nh[i,t=0] = B[i]\n"
      "y[i] = h[i,*t+1]\nz[i] = B[i]\nv[i] = y[i] + z[i]\nU[i,*t] = z[i]");
  CHECK(stratum_of(s, "h").recursion == recursion::none);
  CHECK(stratum_of(s, "h").stepped);
  CHECK(stratum_of(s, "#1").stepped);
  CHECK(stratum_of(s, "y").stepped);
  CHECK(stratum_of(s, "v").stepped);
  CHECK(stratum_of(s, "U").stepped);
  CHECK_FALSE(stratum_of(s, "z").stepped);
  const auto number = [&](wf::text_view name) { return s.stratum_of[s.program.find(name)]; };
  CHECK(number("#1") < number("h"));
  CHECK(number("h") < number("y"));
  CHECK(number("y") < number("v"));
  CHECK(number("z") < number("v"));
  // Within one step it is a recursion, which a complement must not close.
  CHECK(stratified("P(x,*t) = A(x) !P(x,t-1)"));
  CHECK_FALSE(stratified("P(x,*t) = A(x) !P(x,t)"));
}

TEST_CASE("long chains of dependencies are ordered without deep recursion") {
  std::string source;
  for (int i = 0; i < 3000; ++i)
    source += "T" + std::to_string(i) + "(x) = T" + std::to_string(i + 1) + "(x)\n";
  const stratified_program s = ordered(wf::text_view(source));
  REQUIRE(s.strata.size() == 3000);
  CHECK(s.stratum_of[s.program.find("T2999")] == 0);
  CHECK(s.stratum_of[s.program.find("T0")] == 2999);
}
