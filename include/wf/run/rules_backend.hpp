// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>

#include <wf/capture/equations/equations.hpp>
#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/run/host_backend.hpp>

namespace wf {

/// A text of equations in wf's own notation, as a definition of back ends.
struct equation_text {
  text name;        ///< in messages and reports
  text characters;  ///< the equations
  friend constexpr bool operator==(const equation_text&, const equation_text&) = default;
};
/// The name of a text of equations in messages and reports.
constexpr text_view definition_name(const equation_text& e) { return e.name.view(); }

template <>
inline constexpr text_view stage_name<equation_text> = "equation text";

/// Captures a text of equations as a workflow, for arguments of these types: the step before those
/// of a back end that takes graphs. Programs that recurse have none: `bad_equation` and the other
/// errors of `equations`.
inline constexpr auto capture_equations_step =
    step<"capture">([](const concrete<equation_text, type_args>& d) -> result<program_definition> {
      table<named_type> inputs;
      for (const argument_type& a : d.args.types) inputs.push_back({a.name.view(), a.type});
      auto made = equations(d.data.name.view(), d.data.characters.view(), inputs);
      if (!made) return made.error();
      return program_definition{*static_cast<result<graph>&&>(made), d.args};
    });

/// The options that programs of rules are loaded with.
struct rules_storage {
  logic::evaluation_options options;  ///< what they point to must outlive the programs
};

namespace detail {

// Reads and orders a program over inputs of these names; it refers to the text.
inline result<logic::stratified_program> ordered_rules(text_view source,
                                                       const table<text>& inputs) {
  table<text_view> names;
  for (const text& name : inputs) names.push_back(name.view());
  auto program = logic::read_program(source, names);
  if (!program) return program.error();
  return logic::stratify(*static_cast<decltype(program)&&>(program), source);
}

}  // namespace detail

/// A program of rules that is ready to be evaluated: maps `named_matrices` to the same.
class rules_executable {
 public:
  /// An empty executable, which must not be called.
  rules_executable() = default;
  /// Reads and orders a program over inputs of these names. An error shows when it is called.
  rules_executable(const equation_text& source, const table<text>& inputs,
                   logic::evaluation_options options)
      : options_(static_cast<logic::evaluation_options&&>(options)) {
    auto made = std::make_shared<ordered>();
    made->source = source.characters;
    auto strata = detail::ordered_rules(made->source.view(), inputs);
    if (!strata) {
      failure_ = strata.error();
      return;
    }
    made->strata = *static_cast<decltype(strata)&&>(strata);
    program_ = static_cast<std::shared_ptr<ordered>&&>(made);
  }

  /// Evaluates the program. A tensor of one index is a column, one without a number; of a relation
  /// the values are 1 where it holds, of an extreme infinite where there is none. Errors: those of
  /// the program, and of `logic::evaluate`; `unknown_argument`; `argument_shape` for an argument of
  /// other dimensions, a tensor of more than two indices, and a result whose index runs over
  /// positions of no input.
  result<named_matrices> operator()(const named_matrices& arguments) const {
    if (failure_.code != errc::none) return failure_;
    logic::database inputs;
    for (const auto& [name, matrix] : arguments)
      if (error e = add(name, matrix, inputs); e.code != errc::none) return e;
    auto solved = logic::evaluate(program_->strata, inputs, options_);
    if (!solved) return solved.error();
    named_matrices out;
    for (logic::solved_tensor& t : solved->tensors) {
      auto made = matrix_of(t);
      if (!made) return made.error();
      out.emplace(std::string(t.name.view()), *static_cast<decltype(made)&&>(made));
    }
    return out;
  }

 private:
  // The program refers to the text.
  struct ordered {
    text source;
    logic::stratified_program strata;
  };

  const logic::tensor_info* find(text_view name) const {
    for (const logic::tensor_info& t : program_->strata.program.tensors)
      if (t.name.view() == name && !t.temporary) return &t;
    return nullptr;
  }
  static error shape_error(text_view name, text_view what) {
    return make_error(errc::argument_shape, name, what);
  }
  error add(const std::string& name, const dynamic_matrix& matrix, logic::database& to) const {
    const logic::tensor_info* const t = find(name);
    if (t == nullptr)
      return make_error(errc::unknown_argument, name, "the equations have no such tensor");
    if (!t->ranked) return {};  // an argument that no equation reads
    if (t->rank > 2) return shape_error(name, "a matrix has at most two indices");
    if ((t->rank < 2 && matrix.cols() != 1) || (t->rank == 0 && matrix.rows() != 1))
      return shape_error(name, t->rank == 0 ? "the tensor is a number" : "the tensor is a column");
    const std::int64_t sizes[] = {matrix.rows(), matrix.cols()};
    const view<std::int64_t> extents(sizes, t->rank);
    if (!t->boolean) {
      table<double> values;
      values.reserve(static_cast<std::size_t>(matrix.size()));
      for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        for (Eigen::Index k = 0; k < matrix.cols(); ++k) values.push_back(matrix(i, k));
      to.add_dense(name, extents, values);
      return {};
    }
    logic::relation holds(t->rank, false);
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
        const logic::position at[] = {static_cast<logic::position>(i),
                                      static_cast<logic::position>(k)};
        if (matrix(i, k) > 0) holds.append(at);
      }
    to.add(name, static_cast<logic::relation&&>(holds)).extents = table<std::int64_t>(extents);
    return {};
  }
  result<dynamic_matrix> matrix_of(logic::solved_tensor& t) const {
    const logic::tensor_info& info = *find(t.name.view());
    if (info.rank > 2) return shape_error(t.name.view(), "a matrix has at most two indices");
    if (t.extents.size() != info.rank)
      return shape_error(t.name.view(), "no argument tells how far its indices run");
    dynamic_matrix out =
        dynamic_matrix::Constant(info.rank > 0 ? t.extents[0] : 1, info.rank > 1 ? t.extents[1] : 1,
                                 logic::detail::zero_of(info));
    const logic::relation& entries = t.entries();
    for (std::size_t row = 0; row < entries.rows; ++row) {
      logic::position at[2] = {};
      entries.positions(row, at);
      if (at[0] < 0 || at[0] >= out.rows() || at[1] < 0 || at[1] >= out.cols())
        return shape_error(t.name.view(), "an entry stands beyond the sizes of the arguments");
      out(at[0], at[1]) = entries.valued ? entries.values[row] : 1.0;
    }
    return out;
  }

  std::shared_ptr<const ordered> program_;
  logic::evaluation_options options_;
  error failure_;
};

/// The artifact of `rules_backend`.
struct rules_artifact {
  equation_text source;          ///< the program
  table<text> inputs;            ///< names of its arguments
  std::int64_t nanoseconds = 0;  ///< predicted, of one run

  /// Makes the program ready. A failure shows when it is called.
  rules_executable load(const rules_storage& storage) const {
    return {source, inputs, storage.options};
  }
  friend constexpr bool operator==(const rules_artifact&, const rules_artifact&) = default;
};

template <>
inline constexpr text_view stage_name<rules_artifact> = "rules artifact";

namespace detail {

/// Predicts how long rules take: each binding of a rule's variables once, to positions as far as
/// the types of the arguments tell.
class rule_prediction {
 public:
  constexpr rule_prediction(const logic::tensor_program& p, const type_args& args)
      : program_(p), args_(args), extents_(p.axes.size(), -1) {
    for (std::size_t a = 0; a < p.axes.size(); ++a) extents_[a] = p.axes[a].extent;
    for (const logic::tensor_info& t : p.tensors)
      for (const argument_type& a : args.types)
        if (a.name.view() == t.name.view() && a.type.shape.has_rank() &&
            a.type.shape.rank >= t.rank)
          for (std::uint32_t c = 0; c < t.rank; ++c)
            if (a.type.shape[c].is_fixed())
              extents_[p.axes_of[t.axes.first + c]] = a.type.shape[c].size();
  }
  /// The nanoseconds. Errors: `missing_argument`, `unknown_cost` for an index of unknown size,
  /// `overflow`.
  constexpr result<std::int64_t> run() const {
    for (const logic::tensor_info& t : program_.tensors)
      if (!t.defined && t.ranked && !t.temporary && !is_given(t.name.view()))
        return make_error(errc::missing_argument, t.name.view(), "the equations read it");
    std::int64_t out = start;
    for (const logic::rule& r : program_.rules) {
      std::int64_t time = of_binding(r);
      for (std::uint32_t v = 0; v < r.variables.count; ++v) {
        const std::uint32_t axis = program_.axis_of_variable[r.variables.first + v];
        if (extents_[axis] < 0)
          return make_error(errc::unknown_cost, program_.axes[axis].name.view(),
                            "no argument tells how far the index runs");
        if (!checked_multiply(time, extents_[axis], time)) return too_long();
      }
      if (!checked_add(out, time, out)) return too_long();
    }
    return out;
  }

 private:
  constexpr bool is_given(text_view name) const {
    for (const argument_type& a : args_.types)
      if (a.name.view() == name) return true;
    return false;
  }
  // Nanoseconds, measured on a core of a server: of a run, of a binding where a rule reads one
  // tensor, of a term of a product of matrices, and of a binding of others.
  static constexpr std::int64_t start = 10'000, copied = 10, term = 1, joined = 40;
  constexpr std::int64_t of_binding(const logic::rule& r) const {
    if (r.joins.count + r.lookups.count <= 1) return copied;
    bool product = r.joins.count == 2 && adds_terms(r.projection) &&
                   r.lookups.count + r.negations.count + r.comparisons.count == 0;
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      product = product && !program_.tensors[program_.atoms[r.joins.first + k].tensor].boolean;
    return product ? term : joined;
  }
  static constexpr error too_long() {
    return make_error(errc::overflow, "", "the time does not fit 63 bits");
  }

  const logic::tensor_program& program_;
  const type_args& args_;
  table<std::int64_t> extents_;  // by axis
};

inline constexpr auto rules_arguments_step =
    verify<"arguments">([](const concrete<equation_text, type_args>& d) -> error {
      if (d.args.fixed.empty()) return {};
      return make_error(errc::not_executable, d.args.fixed[0].name.view(),
                        "rules take no compiled-in values");
    });
inline constexpr auto order_step =
    step<"order">([](const concrete<equation_text, type_args>& d) -> result<rules_artifact> {
      rules_artifact out{d.data, {}, 0};
      for (const argument_type& a : d.args.types) out.inputs.push_back(a.name);
      const auto strata = ordered_rules(d.data.characters.view(), out.inputs);
      if (!strata) return strata.error();
      const auto time = rule_prediction(strata->program, d.args).run();
      if (!time) return time.error();
      out.nanoseconds = *time;
      return out;
    });

}  // namespace detail

/// Evaluates a text of equations as rules over sparse tensors: programs that recurse, too, and
/// relations (`logic::evaluate`). Its prediction supposes that every entry is present.
inline auto rules_backend(const rules_storage& storage = {}) {
  return make_backend<"rules">(
      detail::rules_arguments_step, detail::order_step,
      [](const rules_artifact& a) -> result<std::int64_t> { return a.nanoseconds; }, storage);
}

/// Compiles a text of equations on the back end with the shortest predicted time, among those given
/// or, if none is given, a plan for this processor, the equations as they are written, and
/// `rules_backend`: the first two take programs without recursion. `explain()` of the result states
/// the reason. Errors: `no_backend`, with that of each.
template <class... Backends>
result<compiled_matrices> compile(const equation_text& source, const type_args& args,
                                  const Backends&... backends) {
  if constexpr (sizeof...(Backends) == 0)
    return compile_for<named_matrices, named_matrices>(
        source, args, host_backend().prepend(capture_equations_step),
        reference_backend().prepend(capture_equations_step), rules_backend());
  else
    return compile_for<named_matrices, named_matrices>(source, args, backends...);
}

}  // namespace wf
