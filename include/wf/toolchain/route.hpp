// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/toolchain.hpp>

namespace wf {

namespace detail {

template <class Route, class Stage>
constexpr error route_entry_failure() {
  return make_error(errc::foreign_stage, Route::names()[0],
                    (text() << "the route is for " << stage_name<Stage> << " but its first step '"
                            << Route::names()[0] << "' takes " << stage_name<typename Route::in>)
                        .view());
}
template <class First, class Other>
constexpr error route_exit_failure() {
  return make_error(
      errc::step_mismatch, Other::names()[Other::size() - 1],
      (text() << "a route ends with " << stage_name<typename Other::out> << " but another one with "
              << stage_name<typename First::out>)
          .view());
}

}  // namespace detail

/// The part of a toolchain for one type of stage, named step by step: `route<ast, "lint",
/// "lower">(w)`. Names are paths; steps may be left out. Compile errors: WF803 for a step that `w`
/// lacks, WF801 if the steps do not fit each other, WF805 if the first one does not take `Stage`.
template <class Stage, fixed_string... Path, class Chain>
  requires(sizeof...(Path) != 0)
constexpr auto route(const Chain& chain) {
  auto steps = wf::chain(chain.template get<Path>()...);
  using made = decltype(steps);
  constexpr bool ok = std::same_as<typename made::in, Stage>;
  (void)sizeof(detail::step_check<ok, &detail::route_entry_failure<made, Stage>>);
  return steps;
}

/// Alternative entries to a toolchain: the type of the stage selects the route at compile time.
/// Made by `router`. All routes end with the same stage.
template <class First, class... Routes>
class route_table {
 public:
  /// The stage that every route returns.
  using out = typename First::out;
  /// True if a step of a route may fail.
  static constexpr bool fallible = First::fallible || (Routes::fallible || ...);

  /// Collects routes; `router` checks them.
  constexpr explicit route_table(First first, Routes... routes)
      : routes_{{static_cast<First&&>(first)}, {static_cast<Routes&&>(routes)}...} {}

  /// True if there is a route for a type of stage; the final stage needs none.
  template <class Stage>
  static constexpr bool takes() {
    return std::same_as<Stage, out> || std::same_as<Stage, typename First::in> ||
           (std::same_as<Stage, typename Routes::in> || ...);
  }

  /// Runs the route of a stage; the final stage is returned unchanged. Errors: those of the steps.
  template <class Stage, class Tracer = no_tracer>
    requires(takes<Stage>())
  constexpr step_outcome<out, fallible> operator()(const Stage& x, Tracer&& tracer = {}) const {
    constexpr std::size_t i = detail::first_true(
        {std::same_as<Stage, typename First::in>, std::same_as<Stage, typename Routes::in>...});
    if constexpr (i == 1 + sizeof...(Routes))
      return x;
    else
      return pack_at<i>(routes_)(x, tracer);
  }
  /// Runs the route of the stage that a variant holds; calls `visit`, found by ADL (`std::visit`).
  /// Errors: those of the steps.
  template <class Variant, class Tracer = no_tracer>
    requires(!takes<Variant>()) && requires(const Variant& x) { x.valueless_by_exception(); }
  constexpr step_outcome<out, fallible> operator()(const Variant& x, Tracer&& tracer = {}) const {
    return visit(
        [&](const auto& stage) -> step_outcome<out, fallible> { return (*this)(stage, tracer); },
        x);
  }
  /// The router as a step on a variant of stages.
  template <fixed_string Name, class Variant>
  constexpr auto as_step() const {
    return step<Name, Variant, out>(*this);
  }

 private:
  [[no_unique_address]] pack<First, Routes...> routes_;
};

/// Joins routes: `router(route<source, "parse", "lower">(w), route<ast, "lower">(w))`. Compile
/// errors: WF801 if two routes end with different stages.
template <class First, class... Routes>
  requires(detail::is_toolchain<First> && (detail::is_toolchain<Routes> && ...))
constexpr route_table<First, Routes...> router(First first, Routes... routes) {
  (void)sizeof...(Routes);
  ((void)sizeof(detail::step_check<std::same_as<typename First::out, typename Routes::out>,
                                   &detail::route_exit_failure<First, Routes>>),
   ...);
  return route_table<First, Routes...>(static_cast<First&&>(first),
                                       static_cast<Routes&&>(routes)...);
}

}  // namespace wf
