// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>

#include <wf/cost/price.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/plan/implement.hpp>

// Adapters that let the run-time executor call the functions of the user's own operators.
namespace wf {

namespace compute::detail {

using wf::detail::call_elementwise;
using wf::detail::call_function;
using wf::detail::failure_of;
using wf::detail::node_attributes;
using wf::detail::states_scratch;

// Number of operands and results of a kernel; with a pack, the least one.
struct kernel_arity {
  std::size_t operands = 0, results = 0;
  bool operand_pack = false, result_pack = false;
};
template <const kernel_spec& Kernel>
constexpr kernel_arity arity_of = [] {
  const auto s = parse_signature(Kernel.signature);
  return s ? kernel_arity{s->inputs, s->outputs(), s->operand_pack != parameter::none,
                          s->result_pack != parameter::none}
           : kernel_arity{};
}();

// True if values of a kernel's parameter may be of several ranks, or the kernel infers their shape:
// of such values its function takes those of at most two dimensions.
constexpr bool leaves_rank_open(const kernel_spec& k, const parameter& p) {
  return p.leading || p.optional != parameter::none || k.result_shape != nullptr;
}

// Rank of each operand and result of a kernel's node with these numbers of them; `any` (at most two
// dimensions) if it is open.
template <const kernel_spec& Kernel, std::size_t Operands, std::size_t Results>
struct kernel_ranks {
  static constexpr int any = -1;
  struct list {
    int of[Operands + Results + 1] = {};
  };
  static constexpr list make() {
    list out;
    const auto s = parse_signature(Kernel.signature);
    if (!s) return out;
    for (std::uint32_t i = 0; i < Operands + Results; ++i) {
      const parameter& p = i < Operands
                               ? s->operand(i, Operands)
                               : s->result(i - static_cast<std::uint32_t>(Operands), Results);
      out.of[i] = leaves_rank_open(Kernel, p) ? any : static_cast<int>(p.dimensions.count);
    }
    return out;
  }
  static constexpr list value = make();
};

// Tensors as arguments of a function. Matrices are column-major, as `own_operator` requests.
template <class Real>
using columns_map = Eigen::Map<by_columns<Real>, 0, Eigen::OuterStride<>>;
template <class Real>
using const_columns_map = Eigen::Map<const by_columns<Real>, 0, Eigen::OuterStride<>>;

template <int Rank, class Real>
decltype(auto) operand_of(const tensor_view<Real>& t) {
  if constexpr (Rank == 0) {
    return *t.elements;
  } else if constexpr (Rank == 1) {
    return const_vector_map<Real>(t.elements, t.size());
  } else if constexpr (Rank <= 2) {
    const matrix_view<Real> m = matrix(t);
    return const_columns_map<Real>(m.elements, m.rows, m.columns, Eigen::OuterStride<>(m.stride));
  } else {
    return tensor_span<const Real>{t.shape, t.elements};
  }
}
template <int Rank, class Real>
decltype(auto) result_of(const tensor_ref<Real>& t) {
  if constexpr (Rank == 0) {
    return *t.elements;
  } else if constexpr (Rank == 1) {
    return vector_map<Real>(t.elements, t.view().size());
  } else if constexpr (Rank <= 2) {
    const matrix_ref<Real> m = matrix(t);
    return columns_map<Real>(m.elements, m.rows, m.columns, Eigen::OuterStride<>(m.stride));
  } else {
    return tensor_span<Real>{t.shape, t.elements};
  }
}

// Calls a function with maps as lvalues, through which it writes its results.
template <class F, class... Tensors>
text call_with(const node_context& context, Tensors... tensors) {
  if constexpr (std::is_void_v<decltype(call_function<F>(context, tensors...))>)
    return call_function<F>(context, tensors...), text();
  else
    return failure_of(call_function<F>(context, tensors...));
}

template <class Implementation, class Real>
struct own_function {
  static constexpr kernel_arity least = arity_of<Implementation::kernel>;

  static text run(const application<Real>& a) { return run_with<least.operands, least.results>(a); }
  // The function is compiled for each number of operands and of results that packs allow.
  template <std::size_t Operands, std::size_t Results>
  static text run_with(const application<Real>& a) {
    if constexpr (least.operand_pack && Operands < max_operands)
      if (a.operands() > Operands) return run_with<Operands + 1, Results>(a);
    if constexpr (least.result_pack && Results < max_results)
      if (a.results() > Results) return run_with<Operands, Results + 1>(a);
    return run(a, std::make_index_sequence<Results>(), std::make_index_sequence<Operands>());
  }
  template <std::size_t... Result, std::size_t... Operand>
  static text run(const application<Real>& a, std::index_sequence<Result...>,
                  std::index_sequence<Operand...>) {
    static constexpr auto& known =
        kernel_ranks<Implementation::kernel, sizeof...(Operand), sizeof...(Result)>::value;
    const node_attributes attributes(a.graph(), a.node(), typename Implementation::attributes{});
    const node_context context(attributes, reinterpret_cast<std::byte*>(a.scratch()),
                               static_cast<std::size_t>(a.scratch_size()) * sizeof(Real));
    try {
      return call_with<typename Implementation::function,
                       decltype(result_of<known.of[sizeof...(Operand) + Result]>(a.out(Result)))...,
                       decltype(operand_of<known.of[Operand]>(a.in(Operand)))...>(
          context, result_of<known.of[sizeof...(Operand) + Result]>(a.out(Result))...,
          operand_of<known.of[Operand]>(a.in(Operand))...);
    } catch (const std::exception& e) {
      return text(text_view(e.what(), std::char_traits<char>::length(e.what())));
    } catch (...) {
      return text("its function threw what is no std::exception");
    }
  }
  // Parameters whose patterns leave the rank open accept tensors of rank two at most.
  static text_view fault(const graph_view& g, const node& n) {
    const auto s = parse_signature(Implementation::kernel.signature);
    if (!s || !s->takes(n.inputs.count) || !s->gives(n.outputs.count) ||
        n.inputs.count > max_operands || n.outputs.count > max_results)
      return "it has another number of operands or results than its kernel";
    for (std::uint32_t k = 0; k < n.inputs.count + n.outputs.count; ++k) {
      const bool is_operand = k < n.inputs.count;
      const value_id id =
          is_operand ? g.inputs_of(n)[k] : graph_view::output_of(n, k - n.inputs.count);
      const parameter& p = is_operand ? s->operand(k, n.inputs.count)
                                      : s->result(k - n.inputs.count, n.outputs.count);
      if (leaves_rank_open(Implementation::kernel, p) && g[id].type.shape.rank > 2)
        return "its function takes matrices: what has `...` or `?` in its signature has at most "
               "two dimensions, unless the operator is elementwise";
    }
    return n.attributes.count <= node_attributes::most ? "" : "it has too many attributes";
  }
};

template <class Implementation, class Real>
struct own_elementwise {
  using declared = typename Implementation::attributes;
  static constexpr std::size_t operands = arity_of<Implementation::kernel>.operands;
  static_assert(operands >= 1 && operands <= max_tile_operands &&
                    !arity_of<Implementation::kernel>.operand_pack &&
                    declared::value.count <= max_tile_parameters,
                "WF707: an elementwise operator has at most three operands, none of them a pack, "
                "and four attributes");

  using number = parameter_of<Real>;

  static void parameters(const graph_view& g, const node& n, number* out) {
    const node_attributes attributes(g, n, declared{});
    for (std::size_t i = 0; i < declared::value.count && i < attributes.count; ++i)
      out[i] = static_cast<number>(node_context::number_of(attributes.of[i]));
  }
  // In an integer or boolean executor the result, of any type, must be an element of it.
  static bool tile(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                   const number* given) {
    number own[max_tile_parameters + 1] = {};
    for (std::size_t i = 0; i < declared::value.count; ++i) own[i] = given[i];
    bool all = true;
    const auto f = [&](auto... x) -> Real {
      const auto y = call_elementwise<typename Implementation::function>(
          std::make_index_sequence<declared::value.count>(), own, x...);
      if constexpr (is_field_scalar<Real>) {
        return static_cast<Real>(y);
      } else {
        const auto whole = whole_of<Real>(y);
        all = all && whole.has_value();
        return whole.value_or(Real(0));
      }
    };
    compute_tile(f, std::make_index_sequence<operands>(), to, from, step, count);
    return all;
  }
  // One element of real operands, with the attributes of the rule's node.
  template <std::size_t... K>
  static double element_of(const constant_operands& x, std::index_sequence<K...>) {
    double own[max_tile_parameters + 1] = {};
    for (std::size_t i = 0; i < declared::value.count; ++i) {
      const attribute_value& a = declared::value.of[i];
      own[i] = x.node.real(a.name, node_context::number_of(a));
    }
    return static_cast<double>(call_elementwise<typename Implementation::function>(
        std::make_index_sequence<declared::value.count>(), own, x[K]...));
  }
  static double element(const constant_operands& x) {
    return element_of(x, std::make_index_sequence<operands>());
  }
  static text run(const application<Real>& a) {
    number own[max_tile_parameters] = {};
    parameters(a.graph(), a.node(), own);
    const bool done =
        run_tile(a.out(), {&a.in(), a.operands()}, &tile, view<number>(own, max_tile_parameters));
    return done ? text() : unfit<Real>();
  }
};

// Elements of scratch storage that the kernel states at a node.
template <const kernel_spec& Kernel, class Real>
std::int64_t own_scratch(const graph_view& g, const node& n) {
  registry kernels = builtin_registry();
  kernel_spec k = Kernel;
  k.overrides = kernels.find(k.name) != nullptr;
  if (!kernels.add(k)) return 0;
  pricer<rational> prices(g, metric_spec{"scratch", "B"}, kernels);
  const auto bytes = prices.price(g[graph_view::output_of(n)].producer);
  const auto whole = bytes ? to_int64(*bytes) : result<std::int64_t>(std::int64_t{0});
  constexpr std::int64_t size = sizeof(Real);
  return whole ? (*whole + size - 1) / size : 0;
}

template <class Implementation, class Real>
constexpr operator_implementation<Real> own_operator() {
  using enum storage_order;
  operator_implementation<Real> o;
  o.name = Implementation::kernel.name;
  if constexpr (Implementation::is_elementwise) {
    using code = own_elementwise<Implementation, Real>;
    o.run = &code::run, o.tile = &code::tile, o.parameters = &code::parameters;
    o.operands = o.results = either;
    o.alike_operands = ~0u;
  } else {
    using code = own_function<Implementation, Real>;
    o.run = &code::run, o.fault = &code::fault;
    o.operands = o.results = columns;
  }
  if constexpr (states_scratch(Implementation::kernel))
    o.scratch = &own_scratch<Implementation::kernel, Real>;
  return o;
}
template <class Implementation, class Real>
inline constexpr operator_implementation<Real> own_operator_of =
    own_operator<Implementation, Real>();

template <class Real, class List>
struct kernel_array;
template <class Real, class... Implementation>
struct kernel_array<Real, implementation_list<Implementation...>> {
  static constexpr kernel_spec with(kernel_spec k, const operator_implementation<Real>& code) {
    k.implementation = k.implementation.with(code);
    return k;
  }
  // A function of doubles gives single elements, too.
  template <class Code>
  static constexpr kernel_spec made_of() {
    kernel_spec k = with(Code::kernel, own_operator_of<Code, Real>);
    if constexpr (Code::is_elementwise && std::is_same_v<Real, double>) {
      k.element = &own_elementwise<Code, Real>::element;
      k.elements = &wf::detail::elements_of<&own_elementwise<Code, Real>::element>;
    }
    return k;
  }
  static constexpr kernel_spec in_library(const kernel_spec& k,
                                          const operator_implementation<Real>& code) {
    return {.name = k.name, .overrides = true, .library = k.library.with(code)};
  }
  static constexpr kernel_spec value[] = {made_of<Implementation>()...};
  static constexpr kernel_spec library[] = {
      in_library(Implementation::kernel, own_operator_of<Implementation, Real>)...};
};

}  // namespace compute::detail

/// The kernels of a list of implementations, each with its function, as a constant array. With them
/// a registry can price, plan and execute a workflow at run time:
///
///     inline constexpr auto& kernels = wf::executable_kernels<code>;
///     wf::registry all = wf::builtin_registry();
///     all.add(wf::view<wf::kernel_spec>(kernels));
template <const auto& Code, class Real = double>
inline constexpr auto& executable_kernels =
    compute::detail::kernel_array<Real, std::remove_cvref_t<decltype(Code)>>::value;

/// The same functions as a library's implementations beside those that the kernels have
/// (`kernel_spec::library`): of a registry that states their `library_time`, executors call them
/// where that is less than `execution_time`. The kernels refine those of their names:
///
///     inline constexpr auto fast = wf::implementations(wf::implement<wf::kernels::cholesky>(...));
///     registry.add(wf::view<wf::kernel_spec>(wf::library_kernels<fast>));
template <const auto& Code, class Real = double>
inline constexpr auto& library_kernels =
    compute::detail::kernel_array<Real, std::remove_cvref_t<decltype(Code)>>::library;

}  // namespace wf
