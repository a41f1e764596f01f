// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>

#include <wf/compile/definition.hpp>

namespace wf {

namespace detail {

template <class Step>
inline constexpr bool looks_at_data = false;
template <class Args, step_type Step>
inline constexpr bool looks_at_data<adapted_step<keeping_args<Args>, Step>> = true;
template <class Args, step_type Step>
inline constexpr bool looks_at_data<adapted_step<dropping_args<Args>, Step>> = true;
template <fixed_string Name, step_type Step>
inline constexpr bool looks_at_data<renamed_step<Name, Step>> = looks_at_data<Step>;

}  // namespace detail

/// True for steps that take a definition with its argument types but depend on the definition
/// alone, so that they can run before any argument is known: `on_data`, `drop_args`, and these
/// under another name. Other types of steps opt in by a specialisation.
template <class Step>
inline constexpr bool ignores_arguments = detail::looks_at_data<Step>;

namespace detail {

// The progress of a definition through the steps of a back end while its arguments are unknown. It
// advances while steps do not look at arguments. A step that does, such as "bind", is skipped, and
// the definition waits for the next step that takes it unchanged.
template <class Data>
struct on_its_way {
  using data = Data;
  static constexpr bool arrived = false, waits = false;
};
template <class Data>
struct waiting {
  using data = Data;
  static constexpr bool arrived = false, waits = true;
};
template <class Data>
struct arrived_at {
  using data = Data;
  static constexpr bool arrived = true, waits = false;
};

// The goal of a check: the step "lint" has run. For graphs only a lint of graphs counts; other
// lints come after the search for a plan.
template <class Definition>
struct goal_lint {
  template <class Step>
  static constexpr bool reached_by =
      Step::name() == "lint" &&
      (!std::same_as<Definition, graph> || std::same_as<data_of<typename Step::in>, graph>);
  template <class Data>
  static constexpr bool reached_with = false;
};
// The goal of callers that need the inputs: a graph.
struct goal_graph {
  template <class Step>
  static constexpr bool reached_by = false;
  template <class Data>
  static constexpr bool reached_with = std::same_as<Data, graph>;
};

// True if a step accepts data without arguments, or with unknown ones.
template <class Step, class Data>
inline constexpr bool enters_alone =
    std::same_as<Data, typename Step::in> ||
    (ignores_arguments<Step> && std::same_as<concrete<Data, type_args>, typename Step::in>);
template <class Step, class Data>
inline constexpr bool follows_alone =
    enters_alone<Step, Data> || step_converts<Data, typename Step::in>;

// The state after a step. `inside`: the inner steps of a toolchain are followed one by one, since
// the goal is among them or the whole cannot run yet.
template <class Goal, class Step, class State>
struct progress_of;
template <class Goal, class State, class... Steps>
struct progress_along {
  using type = State;
};
template <class Goal, class State, class First, class... Rest>
struct progress_along<Goal, State, First, Rest...>
    : progress_along<Goal, typename progress_of<Goal, First, State>::type, Rest...> {};

template <class Goal, class Step, class State>
struct progress_of {
  using data = typename State::data;
  static constexpr bool runs = [] {
    if constexpr (State::arrived)
      return false;
    else if constexpr (State::waits)
      return enters_alone<Step, data>;
    else
      return follows_alone<Step, data>;
  }();
  using inner_type = unwrapped_type<Step>;
  template <class Chain>
  struct within {
    using type = State;
  };
  template <fixed_string Name, class... Steps>
  struct within<toolchain<Name, Steps...>> : progress_along<Goal, State, Steps...> {};
  using end_inside = typename within<inner_type>::type;
  static constexpr bool inside =
      is_toolchain<inner_type> && !State::arrived && (end_inside::arrived || !runs);

  static constexpr auto next() {
    using out = data_of<typename Step::out>;
    if constexpr (State::arrived)
      return std::type_identity<State>{};
    else if constexpr (inside)
      return std::type_identity<end_inside>{};
    else if constexpr (!runs)
      return std::type_identity<waiting<data>>{};
    else if constexpr (Goal::template reached_by<Step> || Goal::template reached_with<out>)
      return std::type_identity<arrived_at<out>>{};
    else
      return std::type_identity<on_its_way<out>>{};
  }
  using type = typename decltype(next())::type;
};

/// True if a definition reaches a goal before its arguments are known.
template <class Goal, class Steps, class Definition>
inline constexpr bool reaches = progress_of<Goal, Steps, on_its_way<Definition>>::type::arrived;

// The current form of a definition, or the error that stopped it.
template <class Data>
struct progress {
  std::optional<Data> data;
  error fault;
};

template <class Goal, class State, class Step>
constexpr auto advance(const Step& step, progress<typename State::data> now)
    -> progress<typename progress_of<Goal, Step, State>::type::data>;

template <class... Steps>
struct step_types {};
template <class Chain>
struct chain_steps;
template <fixed_string Name, class... Steps>
struct chain_steps<toolchain<Name, Steps...>> {
  using type = step_types<Steps...>;
};

template <class Goal, class State, class Chain>
constexpr auto advance_along(const Chain&, step_types<>, progress<typename State::data> now) {
  return now;
}
template <class Goal, class State, class Chain, class First, class... Rest>
constexpr auto advance_along(const Chain& chain, step_types<First, Rest...>,
                             progress<typename State::data> now) {
  using next = typename progress_of<Goal, First, State>::type;
  return advance_along<Goal, next>(
      chain, step_types<Rest...>{},
      advance<Goal, State>(chain.template get<fixed_name<First>>(),
                           static_cast<progress<typename State::data>&&>(now)));
}

template <class Goal, class State, class Step>
constexpr auto run_before_arguments(const Step& step, progress<typename State::data> now) {
  using out = data_of<typename Step::out>;
  using data = typename State::data;
  auto context = untraced();
  auto made = [&] {
    if constexpr (std::same_as<concrete<data, type_args>, typename Step::in>)
      return run_step(step, typename Step::in{*static_cast<decltype(now)&&>(now).data, {}},
                      context);
    else
      return run_step(step, *static_cast<decltype(now)&&>(now).data, context);
  }();
  const auto kept = []<class Made>(Made&& whole) -> progress<out> {
    if constexpr (without_arguments<std::remove_cvref_t<Made>>::has)
      return {static_cast<Made&&>(whole).data, {}};
    else
      return {static_cast<Made&&>(whole), {}};
  };
  if constexpr (Step::fallible) {
    if (!made) return progress<out>{{}, made.error()};
    return kept(*static_cast<decltype(made)&&>(made));
  } else {
    return kept(static_cast<decltype(made)&&>(made));
  }
}

/// Advances a definition through a step, as far as `progress_of` permits.
template <class Goal, class State, class Step>
constexpr auto advance(const Step& step, progress<typename State::data> now)
    -> progress<typename progress_of<Goal, Step, State>::type::data> {
  using way = progress_of<Goal, Step, State>;
  if constexpr (way::inside) {
    using inner = typename way::inner_type;
    const bool entered = now.fault.code == errc::none;
    auto end = advance_along<Goal, State>(unwrapped(step), typename chain_steps<inner>::type{},
                                          static_cast<decltype(now)&&>(now));
    if (entered && end.fault.code != errc::none && !Step::name().empty())
      end.fault = enclose(end.fault, Step::name());
    return end;
  } else if constexpr (State::arrived || !way::runs) {
    (void)step;
    return now;
  } else {
    if (!now.data) return {{}, now.fault};
    return run_before_arguments<Goal, State>(step, static_cast<decltype(now)&&>(now));
  }
}

}  // namespace detail

}  // namespace wf
