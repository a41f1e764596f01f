// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/checks.hpp>
#include <wf/toolchain/description.hpp>
#include <wf/toolchain/nesting.hpp>
#include <wf/toolchain/recording.hpp>
#include <wf/toolchain/step_list.hpp>
#include <wf/toolchain/step_path.hpp>

namespace wf {

namespace detail {

template <fixed_string Name, class... Steps>
constexpr auto make_toolchain(Steps... steps) {
  constexpr bool ok = composition_error<Steps...>().code == errc::none;
  (void)sizeof(step_check<ok, &composition_error<Steps...>>);
  if constexpr (sizeof...(Steps) != 0)
    return toolchain<Name, Steps...>(static_cast<Steps&&>(steps)...);
}

// Makes a step of a given name: from a step, or from a callable that takes the stage of the old
// step and returns its own result type, or that of the old step.
template <fixed_string Name, class Old, class F>
constexpr auto as_step(F f) {
  if constexpr (step_type<F>) {
    if constexpr (F::name() == Name.view())
      return f;
    else
      return rename<Name>(static_cast<F&&>(f));
  } else if constexpr (has_one_signature<F>) {
    return step<Name>(static_cast<F&&>(f));
  } else {
    return step<Name, typename Old::in, typename Old::out>(static_cast<F&&>(f));
  }
}

}  // namespace detail

/// A sequence of steps, each taking the result of the one before it; a toolchain is a step itself.
/// Made by `chain` and `|`. A value: every change is a new toolchain, whose types are checked
/// again at compile time. With constexpr steps everything about it is constexpr.
///
/// A path names a step: "lower", or inside of a nested toolchain "back/translate". Every run takes
/// an optional tracer; see `step_info` for the information it gets.
template <fixed_string Name, class... Steps>
class toolchain {
  using list = pack<Steps...>;
  template <std::size_t I>
  using at = pack_element<I, list>;
  static constexpr std::size_t count = sizeof...(Steps);

 public:
  /// The stage the first step takes.
  using in = typename at<0>::in;
  /// The stage the last step returns.
  using out = typename at<count - 1>::out;
  /// The toolchain's name; empty if it has none.
  static constexpr text_view name() { return Name.view(); }
  /// True if a step may fail: runs return a `result`.
  static constexpr bool fallible = (Steps::fallible || ...);
  /// Number of steps, without those inside of steps.
  static constexpr std::size_t size() { return count; }

  /// Takes the steps unchecked; `chain` checks them.
  constexpr explicit toolchain(Steps... steps) : steps_{{static_cast<Steps&&>(steps)}...} {}

  /// The names of the steps, in order.
  static constexpr view<text_view> names() { return detail::step_names<Steps...>; }
  /// True if one of its steps, at any depth, takes a stage of that type.
  template <class Stage>
  static constexpr bool enters() {
    return (std::same_as<Stage, typename Steps::in> || ...) || enters_inside<Stage>();
  }

  /// True if there is a step with that path.
  template <fixed_string Path>
  static constexpr bool has() {
    constexpr bool found = detail::find_step(names(), detail::head_of(Path.view())) != count;
    if constexpr (!found || !detail::is_nested_path<Path>) {
      return found;
    } else {
      using nested = detail::unwrapped_type<at<index_of<Path>()>>;
      if constexpr (detail::is_toolchain<nested>)
        return nested::template has<detail::path_tail<Path>>();
      else
        return false;
    }
  }

  /// Runs all steps. Errors: those of the failing step, with its path.
  constexpr auto operator()(const in& x) const { return run_alone(x, no_tracer{}); }
  /// Runs all steps on a stage that the first step may consume.
  constexpr auto operator()(in&& x) const { return run_alone(static_cast<in&&>(x), no_tracer{}); }
  /// Runs all steps under a tracer.
  template <class X, class Tracer>
    requires std::same_as<std::remove_cvref_t<X>, in>
  constexpr auto operator()(X&& x, Tracer&& tracer) const {
    return run_alone(static_cast<X&&>(x), static_cast<Tracer&&>(tracer));
  }
  /// Runs all steps within another step.
  template <class X, class Context>
  constexpr step_outcome<out, fallible> run(X&& x, Context& context) const {
    return run_range<0, count>(static_cast<X&&>(x), context);
  }

  /// Enters with any stage: runs the steps from the first one that takes this type, or, if none
  /// does, from the first inner one. The final stage is returned unchanged. Errors: those of the
  /// failing step. Compile errors: WF805.
  template <class Stage, class Tracer = no_tracer>
  constexpr auto from(Stage&& x, Tracer&& tracer = {}) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return enter(static_cast<Stage&&>(x), context);
  }
  /// Runs the step with that path and all later ones. Compile errors: WF803.
  template <fixed_string Path, class Stage, class Tracer = no_tracer>
  constexpr auto from(Stage&& x, Tracer&& tracer = {}) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return run_part<Path, "">(static_cast<Stage&&>(x), context);
  }
  /// Runs all steps up to the one with that path, and returns its stage. Compile errors: WF803.
  template <fixed_string Path, class Stage, class Tracer = no_tracer>
  constexpr auto until(Stage&& x, Tracer&& tracer = {}) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return run_part<"", Path>(static_cast<Stage&&>(x), context);
  }
  /// Runs the steps from one path to the other, both included. Compile errors: WF803.
  template <fixed_string First, fixed_string Last, class Stage, class Tracer = no_tracer>
  constexpr auto between(Stage&& x, Tracer&& tracer = {}) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return run_part<First, Last>(static_cast<Stage&&>(x), context);
  }
  /// The configured step with a path. Compile errors: WF803.
  template <fixed_string Path>
  constexpr const auto& get() const {
    check<Path>();
    constexpr std::size_t i = index_of<Path>();
    if constexpr (detail::is_nested_path<Path>)
      return inside<i>().template get<detail::path_tail<Path>>();
    else
      return pack_at<i>(steps_);
  }
  /// Runs all steps and keeps every stage. Stages are copied, so they must be copyable and default
  /// constructible.
  template <class Tracer = no_tracer>
  constexpr recording<in, Steps...> record(const in& x, Tracer&& tracer = {}) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    recording<in, Steps...> out(x);
    record_from<0>(out, x, context);
    return out;
  }

  /// All steps in order, each followed by its inner steps. A constant.
  static constexpr auto describe() {
    frozen_table<step_description, rows()> out;
    std::size_t row = 0;
    describe_into<"">(out.records, row, 0);
    return out;
  }
  /// Number of steps that `describe` lists.
  static constexpr std::size_t rows() { return (detail::rows_of<Steps>() + ...); }
  /// Lists the steps with paths that begin with `Prefix`, from `row` on.
  template <fixed_string Prefix>
  static constexpr void describe_into(step_description* list, std::size_t& row,
                                      std::uint32_t depth) {
    (detail::describe_step<Prefix, Steps>(list, row, depth), ...);
  }

  /// Replaces a step by another step or a callable, under the old name. Compile errors: WF803,
  /// WF801 if it does not fit its neighbours.
  template <fixed_string Path, class F>
  constexpr auto replace(F f) const {
    check<Path>();
    constexpr std::size_t i = index_of<Path>();
    if constexpr (detail::is_nested_path<Path>)
      return change<i>(inside<i>().template replace<detail::path_tail<Path>>(static_cast<F&&>(f)));
    else
      return put<i>(detail::as_step<Path, at<i>>(static_cast<F&&>(f)));
  }
  /// Inserts a step before the one with that path. Compile errors: WF803, WF801, WF802.
  template <fixed_string Path, step_type S>
  constexpr auto insert_before(S added) const {
    check<Path>();
    constexpr std::size_t i = index_of<Path>();
    if constexpr (detail::is_nested_path<Path>)
      return change<i>(
          inside<i>().template insert_before<detail::path_tail<Path>>(static_cast<S&&>(added)));
    else
      return insert<i>(static_cast<S&&>(added));
  }
  /// Inserts a step after the one with that path. Compile errors: WF803, WF801, WF802.
  template <fixed_string Path, step_type S>
  constexpr auto insert_after(S added) const {
    check<Path>();
    constexpr std::size_t i = index_of<Path>();
    if constexpr (detail::is_nested_path<Path>)
      return change<i>(
          inside<i>().template insert_after<detail::path_tail<Path>>(static_cast<S&&>(added)));
    else
      return insert<i + 1>(static_cast<S&&>(added));
  }
  /// Removes a step that preserves its stage's type. Compile errors: WF803, WF804, WF806.
  template <fixed_string Path>
  constexpr auto drop() const {
    check<Path>();
    constexpr std::size_t i = index_of<Path>();
    if constexpr (detail::is_nested_path<Path>) {
      return change<i>(inside<i>().template drop<detail::path_tail<Path>>());
    } else {
      constexpr bool ok = std::same_as<typename at<i>::in, typename at<i>::out>;
      (void)sizeof(detail::step_check<ok, &detail::not_droppable_failure<at<i>>>);
      if constexpr (!ok)
        return *this;
      else
        return assemble(std::make_index_sequence<count - 1>{}, [this](auto k) -> const auto& {
          return pack_at<(k() < i ? k() : k() + 1)>(steps_);
        });
    }
  }
  /// Replaces a step by `adapter(step)`: `w.wrap<"lower">([](auto s) { return cached(s, store);
  /// })`. Compile errors: WF803, WF801.
  template <fixed_string Path, class Adapter>
  constexpr auto wrap(Adapter adapter) const {
    return replace<Path>(adapter(get<Path>()));
  }
  /// Appends a step. Compile errors: WF801, WF802.
  template <step_type S>
  constexpr auto append(S added) const {
    return insert<count>(static_cast<S&&>(added));
  }
  /// Prepends a step. Compile errors: WF801, WF802.
  template <step_type S>
  constexpr auto prepend(S added) const {
    return insert<0>(static_cast<S&&>(added));
  }
  /// The same steps under a name, which nested toolchains need.
  template <fixed_string New>
  constexpr auto named() const {
    return assemble_as<New>(std::make_index_sequence<count>{},
                            [this](auto k) -> const auto& { return pack_at<k()>(steps_); });
  }

 private:
  // The index of the first name of a path; 0 if there is none, which `check` refuses.
  template <fixed_string Path>
  static constexpr std::size_t index_of() {
    const std::size_t i = detail::find_step(names(), detail::head_of(Path.view()));
    return i != count ? i : 0;
  }
  template <fixed_string Path>
  static constexpr void check() {
    constexpr bool ok = detail::find_step(names(), detail::head_of(Path.view())) != count;
    (void)sizeof(
        detail::step_check<ok, &detail::unknown_step_failure<toolchain, detail::path_head<Path>>>);
  }
  template <std::size_t I>
  constexpr const auto& inside() const {
    return detail::unwrapped(pack_at<I>(steps_));
  }

  // --- running ---

  template <class X, class Tracer>
  constexpr step_outcome<out, fallible> run_alone(X&& x, Tracer&& tracer) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return run_range<0, count>(static_cast<X&&>(x), context);
  }
  template <std::size_t First, std::size_t Last, class X, class Context>
  constexpr auto run_range(X&& x, Context& context) const
      -> step_outcome<typename at<Last - 1>::out, detail::any_fallible<Steps...>(First, Last)> {
    if constexpr (First + 1 == Last) {
      return detail::run_step(pack_at<First>(steps_), static_cast<X&&>(x), context);
    } else {
      auto made = detail::run_step(pack_at<First>(steps_), static_cast<X&&>(x), context);
      if constexpr (at<First>::fallible) {
        if (!made) return made.error();
        return run_range<First + 1, Last>(*static_cast<decltype(made)&&>(made), context);
      } else {
        return run_range<First + 1, Last>(static_cast<decltype(made)&&>(made), context);
      }
    }
  }

  // Runs a part of a step with inner steps: errors get its path, tracers see it as running.
  template <std::size_t I, class Context, class Part>
  constexpr auto run_inside(Context& context, Part part) const {
    const step_info info{at<I>::name(), stage_name<typename at<I>::in>,
                         stage_name<typename at<I>::out>, context.running,
                         context.running == nullptr ? 0 : context.running->depth + 1};
    Context nested{context.tracer, &info};
    auto made = part(inside<I>(), nested);
    if constexpr (detail::is_result<decltype(made)>)
      if (!made) made = detail::enclose(made.error(), at<I>::name());
    return made;
  }

  // Runs from `First` to `Last`; "" stands for an end of the chain.
  template <fixed_string First, fixed_string Last, class X, class Context>
  constexpr auto run_part(X&& x, Context& context) const {
    using detail::path_tail;
    if constexpr (First.size() != 0) check<First>();
    if constexpr (Last.size() != 0) check<Last>();
    constexpr std::size_t i = First.size() == 0 ? 0 : index_of<First>();
    constexpr std::size_t j = Last.size() == 0 ? count - 1 : index_of<Last>();
    constexpr bool late = detail::is_nested_path<First>, early = detail::is_nested_path<Last>;
    (void)sizeof(detail::step_check<i <= j, &detail::order_failure<at<i>, at<j>>>);
    if constexpr (i > j) {
      return;
    } else if constexpr (!late && !early) {
      return run_range<i, j + 1>(static_cast<X&&>(x), context);
    } else if constexpr (i == j) {
      return run_inside<i>(context, [&](const auto& nested, auto& c) {
        return nested.template run_between<path_tail<First>, path_tail<Last>>(static_cast<X&&>(x),
                                                                              c);
      });
    } else if constexpr (late) {
      auto first = run_inside<i>(context, [&](const auto& nested, auto& c) {
        return nested.template run_between<path_tail<First>, "">(static_cast<X&&>(x), c);
      });
      return detail::and_then(static_cast<decltype(first)&&>(first), [&](auto&& y) {
        return run_part<fixed_name_at<i + 1>, Last>(static_cast<decltype(y)>(y), context);
      });
    } else {
      auto first = run_range<i, j>(static_cast<X&&>(x), context);
      return detail::and_then(static_cast<decltype(first)&&>(first), [&](auto&& y) {
        return run_inside<j>(context, [&](const auto& nested, auto& c) {
          return nested.template run_between<"", path_tail<Last>>(static_cast<decltype(y)>(y), c);
        });
      });
    }
  }
  template <std::size_t I>
  static constexpr auto fixed_name_at = detail::fixed_name<at<I>>;

  template <fixed_string, class...>
  friend class toolchain;
  template <fixed_string First, fixed_string Last, class X, class Context>
  constexpr auto run_between(X&& x, Context& context) const {
    return run_part<First, Last>(static_cast<X&&>(x), context);
  }

  template <class Stage, class S>
  static constexpr bool step_enters() {
    if constexpr (detail::is_toolchain<detail::unwrapped_type<S>>)
      return detail::unwrapped_type<S>::template enters<Stage>();
    else
      return false;
  }
  template <class Stage>
  static constexpr bool enters_inside() {
    return (step_enters<Stage, Steps>() || ...);
  }
  template <class X, class Context>
  constexpr auto enter(X&& x, Context& context) const {
    using stage = std::remove_cvref_t<X>;
    constexpr std::size_t i = detail::first_true({std::same_as<stage, typename Steps::in>...});
    constexpr std::size_t k = detail::first_true({step_enters<stage, Steps>()...});
    if constexpr (i != count) {
      return run_range<i, count>(static_cast<X&&>(x), context);
    } else if constexpr (k != count) {
      auto first = run_inside<k>(context, [&](const auto& nested, auto& c) {
        return nested.enter(static_cast<X&&>(x), c);
      });
      if constexpr (k + 1 == count)
        return first;
      else
        return detail::and_then(static_cast<decltype(first)&&>(first), [&](auto&& y) {
          return run_range<k + 1, count>(static_cast<decltype(y)>(y), context);
        });
    } else {
      constexpr bool ok = std::same_as<stage, out>;
      (void)sizeof(detail::step_check<ok, &detail::foreign_stage_failure<toolchain, stage>>);
      return stage(static_cast<X&&>(x));
    }
  }

  template <std::size_t I, class Recording, class X, class Context>
  constexpr void record_from(Recording& stages, const X& x, Context& context) const {
    auto made = detail::run_step(pack_at<I>(steps_), x, context);
    if constexpr (at<I>::fallible) {
      if (!made) return stages.fail(made.error());
      stages.template put<I>(*static_cast<decltype(made)&&>(made));
    } else {
      stages.template put<I>(static_cast<decltype(made)&&>(made));
    }
    if constexpr (I + 1 < count) record_from<I + 1>(stages, stages.template stage<I>(), context);
  }

  // --- variants ---

  template <std::size_t I, class Inner>
  constexpr auto change(Inner inner) const {
    return put<I>(detail::rewrapped(pack_at<I>(steps_), static_cast<Inner&&>(inner)));
  }
  template <std::size_t I, class S>
  constexpr auto put(const S& other) const {
    return assemble(std::make_index_sequence<count>{}, [&](auto k) -> const auto& {
      if constexpr (k() == I)
        return other;
      else
        return pack_at<k()>(steps_);
    });
  }
  template <std::size_t I, class S>
  constexpr auto insert(const S& added) const {
    return assemble(std::make_index_sequence<count + 1>{}, [&](auto k) -> const auto& {
      if constexpr (k() == I)
        return added;
      else
        return pack_at<(k() < I ? k() : k() - 1)>(steps_);
    });
  }
  template <std::size_t... K, class Pick>
  static constexpr auto assemble(std::index_sequence<K...> indices, Pick pick) {
    return assemble_as<Name>(indices, pick);
  }
  template <fixed_string New, std::size_t... K, class Pick>
  static constexpr auto assemble_as(std::index_sequence<K...>, Pick pick) {
    return detail::make_toolchain<
        New, std::remove_cvref_t<decltype(pick(std::integral_constant<std::size_t, K>{}))>...>(
        pick(std::integral_constant<std::size_t, K>{})...);
  }

  [[no_unique_address]] list steps_;
};

/// Composes steps to a toolchain: `chain(parse, lower, print)`. Compile errors: WF801 if a step
/// does not take exactly the result of the one before it (see `step_converts`), WF802 if two steps
/// share a name, WF105 if one has none, WF806 if there is no step.
template <class... Steps>
  requires(step_type<Steps> && ...)
constexpr auto chain(Steps... steps) {
  return detail::make_toolchain<"", Steps...>(static_cast<Steps&&>(steps)...);
}
/// Composes steps to a named toolchain, which can be a step of another one:
/// `chain<"back">(translate, compile)`.
template <fixed_string Name, class... Steps>
  requires(step_type<Steps> && ...)
constexpr auto chain(Steps... steps) {
  return detail::make_toolchain<Name, Steps...>(static_cast<Steps&&>(steps)...);
}

/// Composes two steps, as `chain` does; a toolchain without a name is extended, so `a | b | c`
/// has three steps.
template <step_type First, step_type Second>
constexpr auto operator|(First first, Second second) {
  constexpr bool extend = detail::is_toolchain<First>, prefix = detail::is_toolchain<Second>;
  if constexpr (extend && First::name().empty())
    return first.append(static_cast<Second&&>(second));
  else if constexpr (prefix && Second::name().empty())
    return second.prepend(static_cast<First&&>(first));
  else
    return chain(static_cast<First&&>(first), static_cast<Second&&>(second));
}

}  // namespace wf
