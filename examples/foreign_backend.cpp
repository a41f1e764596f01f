// SPDX-License-Identifier: BSL-1.0
//
// Back ends that begin before the graph: a user-defined compiler of one-line scripts, which
// specialises for the sizes of its arguments, beside wf's back end on the same scripts; and
// programs that take and return labelled data sets instead of matrices.
#include <wf/compile/program.hpp>
#include <wf/run/host_backend.hpp>
#include <wf/wf.hpp>

#include <map>
#include <string>
#include <vector>

#include "support.hpp"

// --8<-- [start:definition]
// The source language: a sum of products such as "a*x+b*y". Every name is a vector or a number.
namespace sums {

struct script {
  std::string characters;
};
// The name of a script in messages and reports.
wf::text_view definition_name(const script& s) { return s.characters; }

// A parsed script: a list of names for each product.
using terms = std::vector<std::vector<std::string>>;
// --8<-- [end:definition]

wf::result<terms> read(const script& s) {
  terms out(1, {std::string()});
  for (const char c : s.characters) {
    if (c == '+')
      out.push_back({std::string()});
    else if (c == '*')
      out.back().emplace_back();
    else if ('a' <= c && c <= 'z')
      out.back().back() += c;
    else
      return wf::make_error(wf::errc::equation_syntax, s.characters, "a name has letters a to z");
  }
  for (const auto& product : out)
    for (const std::string& name : product)
      if (name.empty())
        return wf::make_error(wf::errc::equation_syntax, s.characters, "a name is missing");
  return out;
}

// --8<-- [start:artifact]
// The result of the compiler for arguments of known sizes: one loop over all elements, in which an
// operand advances by one element (a vector) or by none (a number). A real one would hold machine
// code.
struct loop {
  struct operand {
    std::string name;
    std::int64_t step;
  };
  std::vector<std::vector<operand>> terms;
  std::int64_t size = 0;

  // The types of the arguments, for which the script is compiled.
  static wf::result<wf::type_args> types_of(const script&, const wf::named_matrices& given,
                                            const wf::table<wf::text>&) {
    wf::type_args out;
    for (const auto& [name, m] : given)
      out.types.push_back({wf::text(name), {wf::dtype::f64, {}, wf::shape::of(m.rows(), 1)}});
    return out;
  }
  static wf::named_matrices without(wf::named_matrices given, const wf::table<wf::text>&) {
    return given;
  }
  // Executes the artifact.
  wf::result<wf::named_matrices> operator()(const wf::named_matrices& given) const {
    wf::dynamic_matrix sum = wf::dynamic_matrix::Zero(size, 1);
    for (const auto& term : terms)
      for (std::int64_t i = 0; i < size; ++i) {
        double product = 1;
        for (const operand& o : term) product *= given.at(o.name)(i * o.step, 0);
        sum(i, 0) += product;
      }
    return wf::named_matrices{{"y", sum}};
  }
  loop load() const { return *this; }
};
// --8<-- [end:artifact]

// --8<-- [start:foreign]
// Reading does not depend on arguments, hence `on_data`: it and the lint run before any are known.
inline constexpr auto reading = wf::on_data<wf::type_args>(wf::step<"read">(&read));
inline constexpr auto lint = wf::on_data<wf::type_args>(wf::verify<"lint">([](const terms& t) {
  return t.size() <= 8;  // longer ones should be split by hand
}));
// Specialisation depends on arguments: it takes the terms with the types of the arguments.
inline constexpr auto specialise =
    wf::step<"specialise">([](const wf::concrete<terms, wf::type_args>& d) -> wf::result<loop> {
      loop out;
      for (const auto& product : d.data) {
        out.terms.emplace_back();
        for (const std::string& name : product) {
          std::int64_t size = 0;
          for (const wf::argument_type& a : d.args.types)
            if (a.name.view() == name) size = a.type.shape[0].size();
          if (size == 0)
            return wf::make_error(wf::errc::missing_argument, name, "the script reads it");
          if (size != 1 && out.size > 1 && size != out.size)
            return wf::make_error(wf::errc::argument_shape, name, "the vectors differ in size");
          out.size = std::max(out.size, size);
          out.terms.back().push_back({name, size == 1 ? 0 : 1});
        }
      }
      return out;
    });

// The first step takes a `concrete<script, type_args>`, so that the back end begins with a script.
constexpr auto backend() {
  return wf::make_backend<"sums">(wf::chain<"front">(reading, lint), specialise,
                                  [](const loop& l) -> wf::result<std::int64_t> {
                                    return l.size * static_cast<std::int64_t>(l.terms.size());
                                  });
}
// --8<-- [end:foreign]

// --8<-- [start:lowered]
// The same scripts for a back end that takes graphs: two steps precede it.
wf::result<wf::graph> lower(const terms& all) {
  return wf::capture("sum", [&](wf::scope& s) {
    const auto input = [&](const std::string& name) {
      return name.size() == 1 ? s.input<double>(name, wf::shape::of())      // a number
                              : s.input<double>(name, wf::shape::of("N"));  // a vector
    };
    using value = decltype(input(""));
    std::map<std::string, value> known;
    std::vector<value> sum;
    for (const auto& product : all) {
      std::vector<value> made;
      for (const std::string& name : product) {
        if (!known.contains(name)) known.emplace(name, input(name));
        made.push_back(made.empty() ? known.at(name) : value(made.back() * known.at(name)));
      }
      sum.push_back(sum.empty() ? made.back() : value(sum.back() + made.back()));
    }
    s.output("y", sum.back());
  });
}
auto host_backend() {
  return wf::host_backend()
      .prepend(wf::on_data<wf::type_args>(wf::step<"lower">(&lower)))
      .prepend(reading);
}
// --8<-- [end:lowered]

}  // namespace sums

// --8<-- [start:container]
// A user-defined container: fields with labels along one axis, such as time.
struct data_set {
  std::vector<std::string> axis;
  std::map<std::string, std::vector<double>> fields;
};
// Converts it to the arguments of programs, and results back: `wrap` sees the arguments, so that
// labels are preserved.
struct from_fields {
  std::map<std::string, std::string> names;  // names of fields, by input
  wf::result<wf::named_matrices> operator()(const data_set& d) const {
    wf::named_matrices out;
    for (const auto& [input, field] : names) {
      const auto found = d.fields.find(field);
      if (found == d.fields.end())
        return wf::make_error(wf::errc::missing_argument, field, "there is no such field");
      const auto& values = found->second;
      out[input] = wf::dynamic_matrix(Eigen::Map<const Eigen::VectorXd>(
          values.data(), static_cast<Eigen::Index>(values.size())));
    }
    return out;
  }
};
struct to_fields {
  data_set operator()(const wf::named_matrices& made, const data_set& from) const {
    data_set out{from.axis, {}};
    for (const auto& [name, m] : made) out.fields[name].assign(m.data(), m.data() + m.size());
    return out;
  }
};
// --8<-- [end:container]

// --8<-- [start:capture]
constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto a = s.input<"A", double, 2, 2>();
  s.output<"B">(a * a);
});
// A back end that begins with capture: nothing is captured before it compiles.
auto capturing_backend() {
  return wf::host_backend().prepend(wf::on_data<wf::type_args>(wf::capture_step));
}
// --8<-- [end:capture]

// A tracer that prints each step that is entered.
struct listing {
  void enter(const wf::step_info& s, const auto&) { std::cout << ' ' << wf::path_of(s); }
};

int main(int argc, char** argv) {
  support::output_folder(argc, argv);

  // --8<-- [start:programs]
  const sums::script script{"a*xs+b*ys"};
  const auto foreign = support::value_or_exit(wf::make_program(sums::backend(), script));
  const auto host = support::value_or_exit(wf::make_program(sums::host_backend(), script));
  wf::named_matrices given;
  given["a"] = wf::dynamic_matrix::Constant(1, 1, 2.0);
  given["b"] = wf::dynamic_matrix::Constant(1, 1, 0.5);
  given["xs"] = wf::dynamic_matrix::Constant(3, 1, 10.0);
  given["ys"] = wf::dynamic_matrix::Constant(3, 1, 4.0);
  const auto ours = support::value_or_exit(foreign(given)).at("y");
  const auto wfs = support::value_or_exit(host(given)).at("y");
  std::cout << "y = " << ours(0, 0) << " by our compiler, " << wfs(0, 0) << " by wf's back end\n";
  // --8<-- [end:programs]
  support::require(ours == wfs, "both compute the same");
  support::require(foreign.counters().misses == 1, "one compilation for these sizes");

  // --8<-- [start:choose]
  // Both begin with a script, so they compete for it with the costs that they predict.
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(1000)};
  const wf::type_args sizes{{{wf::text("xs"), vector}, {wf::text("ys"), vector}}, {}};
  const auto chosen =
      support::value_or_exit(wf::compile_for<wf::named_matrices, wf::named_matrices>(
          sums::script{"xs*ys"}, sizes, sums::backend(), sums::host_backend()));
  std::cout << chosen.explain();
  // --8<-- [end:choose]
  support::require(chosen.choice().offers.size() == 2, "both make an offer");

  // --8<-- [start:fields]
  const auto b = sums::host_backend().with_arguments(
      from_fields{{{"a", "scale"}, {"xs", "rain"}, {"b", "bias"}, {"ys", "wind"}}}, to_fields{});
  const auto forecast = support::value_or_exit(wf::make_program(b, script));
  const data_set today{{"06:00", "12:00"},
                       {{"scale", {2}}, {"bias", {0.5}}, {"rain", {1, 3}}, {"wind", {4, 8}}}};
  const data_set made = support::value_or_exit(forecast(today));
  std::cout << "at " << made.axis[1] << ": " << made.fields.at("y")[1] << '\n';
  std::cout << wf::to_text(forecast(data_set{}).error()) << '\n';
  std::cout << "a call:";
  support::value_or_exit(forecast(today, listing()));
  std::cout << '\n';
  // --8<-- [end:fields]
  support::require(made.fields.at("y") == std::vector<double>{4, 10}, "2*rain + wind/2");

  const auto squares =
      support::value_or_exit(wf::make_program(capturing_backend(), wf::define(product)));
  const wf::named_matrices twos{{"A", wf::dynamic_matrix::Constant(2, 2, 2.0)}};
  support::require(support::value_or_exit(squares(twos)).at("B")(0, 0) == 8, "2*2 + 2*2");
}
