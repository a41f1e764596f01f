// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/application.hpp>

#include "../apply.hpp"

namespace {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::shape;

// A family of operators that report the attributes they see.
wf::text attributes_seen(const compute::application<double>& a) {
  CHECK(a.operands() == 1);
  CHECK(a.results() == 2);
  CHECK(a.operand_type() == dtype::f64);
  CHECK(a.result_type(0) == dtype::f64);
  CHECK(a.result_type(1) == dtype::i64);
  CHECK(a.has("axis"));
  CHECK_FALSE(a.has("start"));
  CHECK(a.axis() == 1);
  CHECK(a.integer("axis", 7) == 1);
  CHECK(a.integer("start", 7) == 7);
  CHECK(a.integer("half", 7) == 7);  // not an integer
  CHECK(a.real("half", 0) == 0.5);
  CHECK(a.real("third", 0) == 1.0 / 3);
  CHECK(a.real("axis", 0) == 1);
  CHECK(a.real("start", 0.25) == 0.25);
  CHECK(a.characters("equation") == "ij->ji");
  CHECK(a.characters("start").empty());
  a.out(0).elements[0] = a.in().elements[0];
  a.out(1).elements[0] = 3;
  return {};
}
wf::text summed(const compute::application<double>& a) {
  constexpr auto bound = [](const auto&) { return std::uint64_t{0}; };
  return compute::exact_sums(a, bound, [](const compute::application<double>& terms) {
    double sum = 0;
    for (Eigen::Index i = 0; i < terms.in().size(); ++i) sum += terms.in().elements[i];
    *terms.out().elements = sum;
    return wf::text();
  });
}
wf::text failing(const compute::application<double>&) { return "it always fails"; }

wf::view<compute::operator_implementation<double>> family() {
  static constexpr compute::operator_implementation<double> all[] = {
      {"see", &attributes_seen},
      {"sum", &summed, nullptr, &compute::exact_sums_scratch},
      {"fail", &failing},
      {"refuse", &failing,
       [](const wf::graph_view&, const wf::node&) { return wf::text_view("refused"); }}};
  return all;
}

}  // namespace

TEST_CASE("an application gives an operator its operands, results and attributes") {
  const apply::attributes with{integer("axis", 1), wf::attribute_value::floating("half", 0.5),
                               wf::attribute_value::ratio("third", 1, 3),
                               wf::attribute_value::string("equation", "ij->ji")};
  const auto made = apply::run(family(), "see", {tensor(shape::of(1, 1), {2.5})},
                               {apply::f64(), apply::of(dtype::i64)}, with);
  CHECK(made.why == "");
  CHECK(made.results[0].elements[0] == 2.5);
  CHECK(made.results[1].elements[0] == 3);
  CHECK(apply::run(family(), "fail", {}, {apply::f64()}).why == "it always fails");
  CHECK(apply::run(family(), "refuse", {}, {apply::f64()}).why == "refused");
}

TEST_CASE("sums of integers are exact, or fail") {
  const auto sum = [](std::vector<double> x, dtype d) {
    const shape s = shape::of(x.size());
    return apply::run(family(), "sum", {tensor(s, std::move(x), d)}, {apply::of(d)});
  };
  const double most = compute::max_exact_integer<double>;
  CHECK((*sum({1, 2, -5}, dtype::i64)).elements[0] == -2);
  CHECK((*sum({most - 1, 1}, dtype::i64)).elements[0] == most);
  // The total fits, but a partial sum does not.
  CHECK(sum({most, 1, -most}, dtype::i64).why == "an integer sum exceeds 2^53");
  CHECK((*sum({most, 1, -most}, dtype::f64)).elements[0] == 1);
  CHECK(sum({100, 100}, dtype::i8).why == "does not fit");
}
