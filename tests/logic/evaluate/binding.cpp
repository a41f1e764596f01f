// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/binding.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

namespace {

using wf::logic::database;
using wf::logic::none;
using wf::logic::position;
using wf::logic::symbol_domain;
using wf::logic::detail::axis_binding;
using wf::logic::detail::input_binding;

// A binding of a program, with its first error.
struct bound_program {
  bound_program(const std::string& source, const database& inputs)
      : program(wf_test::ordered_program(source, &inputs).program), binding(program, inputs) {
    failure = binding.run();
  }
  // The axis of a column of a tensor.
  const axis_binding& axis(wf::text_view tensor, std::uint32_t column = 0) const {
    const std::uint32_t first = program.tensors[program.find(tensor)].axes.first;
    return binding.axes[program.axes_of[first + column]];
  }
  std::vector<position> positions(wf::text_view tensor, std::uint32_t column = 0) const {
    const wf::table<position>& all = axis(tensor, column).positions;
    return {all.begin(), all.end()};
  }
  // The numbers of all symbols in atoms, in order.
  std::vector<position> symbols() const {
    std::vector<position> out;
    for (std::size_t t = 0; t < program.terms.size(); ++t)
      if (program.terms[t].kind == wf::logic::term_kind::symbol) out.push_back(binding.symbols[t]);
    return out;
  }
  std::string message() const { return std::string(wf::to_text(failure)); }

  wf::logic::tensor_program program;
  input_binding binding;
  wf::error failure;
};

bool mentions(const std::string& message, const char* part) {
  return message.find(part) != std::string::npos;
}

symbol_domain domain_of(const char* name, const std::vector<const char*>& symbols) {
  symbol_domain out{wf::text_view(name)};
  for (const char* s : symbols) out.add(s);
  return out;
}

// A database with domains of towns and of colours, and relations whose columns have them.
database with_domains() {
  database out;
  out.domains.push_back(domain_of("town", {"Ulm", "Bonn"}));
  out.domains.push_back(domain_of("colour", {"red"}));
  out.add("Road", wf_test::relation_of(2, {{0, 1}}), {0, 0});
  out.add("Paint", wf_test::relation_of(2, {{1, 0}}), {0, 1});
  out.add("Count", wf_test::relation_of(1, {{0}, {5}}));
  return out;
}

}  // namespace

TEST_CASE("symbols of a program have the numbers of the inputs' domains, or the next ones") {
  const bound_program known("Y(x) = Road('Bonn',x) Paint(x,'red')", with_domains());
  CHECK(known.symbols() == std::vector<position>{1, 0});
  CHECK(known.axis("Y").domain == 0);
  CHECK(known.axis("Paint", 1).domain == 1);
  CHECK(known.binding.domains.size() == 2);

  const bound_program fresh("Y(x) = Road('Kiel',x) Road('Ulm','Trier') Paint(x,'blue')",
                            with_domains());
  CHECK(fresh.symbols() == std::vector<position>{2, 0, 3, 1});
  CHECK(fresh.binding.domains[0].symbols.size() == 4);
  CHECK(fresh.binding.domains[0].symbols[2].view() == "Kiel");
  CHECK(fresh.binding.domains[1].symbols[1].view() == "blue");
  // Bounds hold the new symbols, too.
  CHECK(fresh.axis("Road").bounds.low == 0);
  CHECK(fresh.axis("Road").bounds.size == 3);
  CHECK(fresh.axis("Road", 1).bounds.low == 1);
  CHECK(fresh.axis("Road", 1).bounds.size == 3);

  const bound_program compared("Y(x) = Road(x,y) [y != 'Kiel']", with_domains());
  CHECK(compared.failure.code == wf::errc::none);
  CHECK(compared.binding.domains[0].find("Kiel") == 2);
}

TEST_CASE("an axis without input takes the domain of the same symbol in its rule, or a new one") {
  const bound_program shared("Y('Ulm') = Road('Ulm',x)", with_domains());
  CHECK(shared.axis("Y").domain == 0);
  CHECK(shared.symbols() == std::vector<position>{0, 0});
  const bound_program fresh("Y('big') = Count(x)", with_domains());
  REQUIRE(fresh.failure.code == wf::errc::none);
  REQUIRE(fresh.binding.domains.size() == 3);
  CHECK(fresh.axis("Y").domain == 2);
  CHECK(fresh.binding.domains[2].find("big") == 0);
  const bound_program other("Y('big') = Paint(x,'red')", with_domains());
  CHECK(other.axis("Y").domain == 2);
}

TEST_CASE("columns that are compared have the same domain, unless one is empty") {
  for (const char* source : {"Y(x) = Road(x,y) Paint(z,x)", "Y(x) = Road(x,y) Count(x)"}) {
    const bound_program p(source, with_domains());
    CHECK(p.failure.code == wf::errc::argument_shape);
    CHECK(mentions(p.message(), "has other symbols than Road"));
  }
  const bound_program numbers("Y(x) = Count(x) Count('Ulm')", with_domains());
  CHECK(numbers.failure.code == wf::errc::bad_equation);
  CHECK(mentions(numbers.message(), "the symbol stands at an index of numbers"));
  for (const bool first : {false, true}) {
    database inputs = with_domains();
    inputs.relations[first ? 0 : 2].entries = wf_test::relation_of(first ? 2 : 1, {});
    const bound_program p("Y(x) = Road(x,y) Count(x)", inputs);
    CHECK(p.failure.code == wf::errc::none);
    CHECK(p.axis("Y").domain == (first ? none : 0));
  }
}

TEST_CASE("an input must be there, and have the rank and kind of the program's tensor") {
  database inputs = with_domains();
  inputs.add("V", wf_test::tensor_of(1, {{3, 1}}));
  const auto failure = [&](const char* source) {
    const bound_program p(source, inputs);
    return std::string(p.failure.subject) + ": " + p.message();
  };
  CHECK(mentions(failure("Y(x) = Missing(x)"), "Missing: "));
  CHECK(bound_program("Y(x) = Missing(x)", inputs).failure.code == wf::errc::missing_argument);
  CHECK(mentions(failure("Y(x) = Road(x)"), "the input has 2 columns, the program's tensor 1"));
  CHECK(mentions(failure("Y(x) = V(x)"), "the input has values, the program reads a relation"));
  CHECK(mentions(failure("Y[x] = Count[x]"), "the input is a relation, the program reads values"));
  CHECK(bound_program("Y[x] = V[x]", inputs).failure.code == wf::errc::none);
  // A defined tensor needs no input, but one that is there must fit.
  CHECK(mentions(failure("Road(x) = Count(x)"), "the input has 2 columns"));
}

TEST_CASE("extents of dense inputs and of declared axes agree") {
  database inputs;
  const std::int64_t three[] = {3}, four[] = {4};
  const double values[] = {1, 2, 3, 4};
  inputs.add_dense("A", three, wf::view<double>(values, 3));
  inputs.add_dense("B", four, values);
  CHECK(bound_program("Y[i] = A[i]\nZ[j] = B[j]", inputs).axis("Z").extent == 4);
  const bound_program against("Y[i] = A[i] B[i]", inputs);
  CHECK(against.failure.code == wf::errc::argument_shape);
  CHECK(mentions(against.message(), "index 1 runs to 4, not to 3"));
  const bound_program declared("Y[i] = A[i]\naxis i = 5", inputs);
  CHECK(mentions(declared.message(), "index 1 runs to 3, not to 5"));
  const bound_program fits("Y[i] = A[i]\naxis i = 3", inputs);
  CHECK(fits.failure.code == wf::errc::none);
  CHECK(fits.axis("Y").extent == 3);
}

TEST_CASE("bounds of an axis hold the positions of inputs, of constants and of its extent") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{-3}, {5}}));
  const bound_program p("Y(x) = A(x)\nY(9) = A(2)", inputs);
  CHECK(p.axis("A").bounds.low == -3);
  CHECK(p.axis("A").bounds.size == 13);
  const bound_program declared("Y(x) = A(x)\naxis x = 20", inputs);
  CHECK(declared.axis("A").bounds.low == -3);
  CHECK(declared.axis("A").bounds.size == 23);
  CHECK(declared.positions("A").empty());  // no rule runs along the axis
}

TEST_CASE("a rule runs along the declared positions, the members, or those that occur") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{7}, {-3}, {5}}));
  inputs.add("E", wf_test::tensor_of(2, {{5, 1, 1}, {8, 2, 1}, {5, 2, 1}}));
  using list = std::vector<position>;
  CHECK(bound_program("Y(x) = !A(x)\naxis x = 3", inputs).positions("Y") == list{0, 1, 2});
  CHECK(bound_program("Y(x) = !E(x)\naxis x : A\nE(x) = A(x) A(0)",
                      [&] {
                        database only;
                        only.add("A", inputs.relations[0].entries);
                        return only;
                      }())
            .positions("Y") == list{-3, 5, 7});
  // Each position once, in ascending order, from all inputs along the axis.
  const bound_program occurring("Y[x] += A(x) + E[x,y]\nZ[x] = exp(M[x])\nM[x] += A(x) + E[x,y]",
                                inputs);
  REQUIRE(occurring.failure.code == wf::errc::none);
  CHECK(occurring.positions("Z") == list{-3, 5, 7, 8});
  const bound_program unknown("Y[x] = 2", inputs);
  CHECK(unknown.failure.code == wf::errc::unbound_index);
  CHECK(mentions(unknown.message(), "declare it with axis"));
  CHECK(bound_program("Y[x] = 2\naxis x = 0", inputs).failure.code == wf::errc::none);
}

TEST_CASE("the entries that a program states are given to its tensor, not an input of that name") {
  wf::logic::tensor_program p;
  wf::logic::tensor_info t;
  t.name = wf::text("#1");
  t.ranked = t.temporary = true;
  t.rank = t.axes.count = 1;
  p.tensors.push_back(t);
  p.axes_of.push_back(0);
  p.axes.push_back({});
  p.literals.push_back({0, {3}, {2, 3, 5}});
  database inputs;
  inputs.add("#1", wf_test::relation_of(2, {{1, 1}}));
  input_binding binding(p, inputs);
  CHECK(binding.run().code == wf::errc::none);
  REQUIRE(binding.given_to(p.tensors[0]) != nullptr);
  CHECK(binding.given_to(p.tensors[0])->entries.values == wf::table<double>{2, 3, 5});
  CHECK(binding.axes[0].extent == 3);
  CHECK(binding.axes[0].bounds.size == 3);
}
