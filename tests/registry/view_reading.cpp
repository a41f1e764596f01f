// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/view_reading.hpp>

#include <random>
#include <set>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

#include "reference.hpp"

namespace {

using one_node::integer;
using wf::view_reading;

struct sample {
  const char* op;
  wf::shape operand;
  one_node::attributes with;
};

wf::attribute_value dimension(wf::text_view name, std::int64_t extent) {
  return wf::attribute_value::dimension(name, extent);
}

// Random operands and attributes for every built-in view.
std::vector<sample> random_samples(std::mt19937& random) {
  const auto any = [&](int most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  const std::int64_t a = any(3), b = any(3), c = any(3);
  const auto axis = static_cast<std::int64_t>(random() % 3);
  const wf::shape abc = wf::shape::of(a, b, c);
  const auto times = [&](std::int64_t n) {
    wf::shape s = abc;
    s.extents[axis] = s[static_cast<std::size_t>(axis)].size() * n;
    return s;
  };
  const int turn = static_cast<int>(random() % 3);
  const auto parts = static_cast<std::int64_t>(1 + random() % 4);
  return {
      {"transpose", abc, {}},
      {"reshape", abc, {dimension("d0", c), dimension("d1", a * b)}},
      {"permute",
       abc,
       {integer("p0", turn), integer("p1", (turn + 1) % 3), integer("p2", (turn + 2) % 3)}},
      {"slice", wf::shape::of(a + 2, b, c), {integer("start", any(3) - 1), integer("length", a)}},
      {"broadcast_to", wf::shape::of(1, b), {dimension("d0", a), dimension("d1", b)}},
      {"split", times(2), {integer("axis", axis)}},
      {"split", times(parts), {integer("parts", parts), integer("axis", axis)}},
      {"after", abc, {}},
      {"barrier", abc, {}},
      {"check", abc, {}},
      {"as_class", wf::shape::of(a), {wf::attribute_value::string("class", "servers")}},
      {"rearrange", abc, {wf::attribute_value::string("equation", "ijk->jki")}},
  };
}

// The element of the operand to which element `e` of a result refers by the reading.
std::size_t element_of(const view_reading& r, const wf::shape& from, const wf::shape& to,
                       std::size_t e) {
  if (r.how == view_reading::way::flat) return e;
  std::vector<std::int64_t> at(to.rank);
  for (std::size_t d = to.rank, rest = e; d-- > 0; rest /= static_cast<std::size_t>(to[d].size()))
    at[d] = static_cast<std::int64_t>(rest) % to[d].size();
  std::int64_t out = 0;
  for (std::size_t p = 0; p < from.rank; ++p) {
    const std::int64_t walked = r.walker[p] == view_reading::none ? 0 : at[r.walker[p]];
    out = out * from[p].size() + r.start[p] + walked;
  }
  return static_cast<std::size_t>(out);
}

reference::tensors results_of(const sample& s, const reference::tensor& x) {
  const std::string op = s.op;
  if (op == "after" || op == "barrier" || op == "check" || op == "as_class") return {x};
  reference::integers with;
  for (const wf::attribute_value& a : s.with)
    with[std::string(a.name)] = static_cast<int>(a.number);
  if (op == "rearrange") with = {{"p0", 1}, {"p1", 2}, {"p2", 0}};
  return reference::operators().at(op == "rearrange" ? "permute" : op)({x}, with);
}

}  // namespace

TEST_CASE("every built-in view says how it reads, and reads what its definition computes") {
  std::mt19937 random(20270308);
  std::set<std::string> seen;
  const wf::registry kernels = wf::builtin_registry();
  for (int round = 0; round < 60; ++round)
    for (const sample& s : random_samples(random)) {
      CAPTURE(std::string(s.op));
      seen.insert(s.op);
      const wf::kernel_spec& k = *kernels.find(s.op);
      REQUIRE(k.is_view);
      REQUIRE(static_cast<bool>(k.reading));
      one_node::operands operands{{wf::dtype::f64, {}, s.operand}};
      if (std::string(s.op) == "as_class") operands[0].type = wf::dtype::peer;
      if (std::string(s.op) == "after") operands.push_back(one_node::f64());
      if (std::string(s.op) == "check") operands.push_back(one_node::of(wf::dtype::boolean));
      const auto types = one_node::inferred(k, operands, s.with);
      REQUIRE(types);
      std::vector<int> extents;
      for (std::size_t d = 0; d < s.operand.rank; ++d)
        extents.push_back(static_cast<int>(s.operand[d].size()));
      reference::tensor x(extents);
      for (std::size_t i = 0; i < x.size(); ++i) x(i) = static_cast<double>(i);
      const reference::tensors wanted = results_of(s, x);
      REQUIRE(wanted.size() == types->count);
      const wf::signature declared = *wf::parse_signature(k.signature);
      for (std::uint32_t r = 0; r < types->count; ++r) {
        const view_reading how = k.reading({{operands.data(), operands.size()},
                                            {s.with.data(), s.with.size()},
                                            nullptr,
                                            nullptr,
                                            &declared},
                                           r);
        REQUIRE(how.how != view_reading::way::copied);
        for (std::size_t e = 0; e < wanted[r].size(); ++e)
          REQUIRE(static_cast<double>(element_of(how, s.operand, types->results[r].shape, e)) ==
                  wanted[r](e).real());
      }
    }
  for (const wf::kernel_spec* k : kernels.kernels())
    if (k->is_view) CHECK_MESSAGE(seen.count(std::string(k->name)) == 1, std::string(k->name));
}

TEST_CASE("what an equation sums over, or has twice in the result, is no view") {
  const wf::kernel_spec& k = *wf::builtin_registry().find("rearrange");
  const auto reading = [&](const wf::shape& s, wf::text_view equation) {
    const wf::value_type operand{wf::dtype::f64, {}, s};
    const wf::attribute_value with = wf::attribute_value::string("equation", equation);
    return k.reading({{&operand, 1}, {&with, 1}}, 0);
  };
  CHECK(reading(wf::shape::of(3, 3), "ii->i").walker[0] == 0);
  CHECK(reading(wf::shape::of(3, 3), "ii->i").walker[1] == 0);
  CHECK(reading(wf::shape::of(3, 1), "ij->i").walker[1] == view_reading::none);
  CHECK(reading(wf::shape::of(3, 2), "ij->i").how == view_reading::way::copied);
  CHECK(reading(wf::shape::of(3), "i->ii").how == view_reading::way::copied);
  CHECK(reading(wf::shape::of(3), "").how == view_reading::way::copied);
}

TEST_CASE("readings of every dimension, and of none") {
  const view_reading straight = view_reading::straight(3);
  CHECK(straight.how == view_reading::way::walked);
  for (std::uint8_t p = 0; p < 3; ++p) CHECK(straight.walker[p] == p);
  CHECK(straight.walker[3] == view_reading::none);
  CHECK(view_reading::flat().how == view_reading::way::flat);
  CHECK(wf::read_flat({}, 0).how == view_reading::way::flat);
  CHECK(view_reading().how == view_reading::way::copied);
}
