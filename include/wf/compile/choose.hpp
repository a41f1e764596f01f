// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/backend.hpp>
#include <wf/toolchain/any_function.hpp>

namespace wf {

/// The offer of one back end for a workflow.
struct backend_offer {
  /// The back end's name.
  text backend;
  /// Predicted duration of one run, in nanoseconds; valid only without an error.
  std::int64_t nanoseconds = 0;
  /// The reason why the back end cannot compile the workflow or predicts nothing; its code is
  /// `errc::none` if it can.
  error fault;

  /// True if the back end can run the workflow.
  constexpr bool possible() const { return fault.code == errc::none; }
};

/// The offers of all back ends for a workflow, and the best one.
struct backend_choice {
  /// The workflow's name.
  text workflow;
  /// One offer per back end, in the order in which they were asked.
  table<backend_offer> offers;
  /// Index of the offer with the fewest nanoseconds, the first on a tie; the number of offers if
  /// none is possible.
  std::size_t chosen = 0;
};

namespace detail {

constexpr std::size_t best_offer(view<backend_offer> offers) {
  std::size_t best = offers.size();
  for (std::size_t i = 0; i < offers.size(); ++i)
    if (offers[i].possible() &&
        (best == offers.size() || offers[i].nanoseconds < offers[best].nanoseconds))
      best = i;
  return best;
}

// The quotient of `part` and `whole`, truncated to two decimals: "1.62".
constexpr text times_text(std::int64_t part, std::int64_t whole) {
  const int128 hundredths = whole == 0 ? int128{0} : int128{part} * 100 / whole;
  text out;
  out << hundredths / 100 << '.' << hundredths % 100 / 10 << hundredths % 10;
  return out;
}

}  // namespace detail

/// Explains the choice among back ends, one line each:
///
///     back ends for 'kalman':
///       eigen        1,234 ns  chosen
///       interpreter  2,468 ns  2.00 times as long
///       array        WF601 at step 'place/map': ...
constexpr text explain(const backend_choice& c) {
  std::size_t width = 0, digits = 0;
  for (const backend_offer& o : c.offers) {
    width = width < o.backend.size() ? o.backend.size() : width;
    const std::size_t length = text().grouped(o.nanoseconds).size();
    if (o.possible()) digits = digits < length ? length : digits;
  }
  text out;
  out << "back ends for '" << c.workflow.view() << "':\n";
  for (std::size_t i = 0; i < c.offers.size(); ++i) {
    const backend_offer& o = c.offers[i];
    out << "  " << o.backend.view();
    for (std::size_t k = o.backend.size(); k < width + 2; ++k) out << ' ';
    if (!o.possible()) {
      out << to_text(o.fault).view() << '\n';
      continue;
    }
    const text figure = text().grouped(o.nanoseconds);
    for (std::size_t k = figure.size(); k < digits; ++k) out << ' ';
    out << figure.view() << " ns  ";
    if (i == c.chosen)
      out << "chosen\n";
    else
      out << detail::times_text(o.nanoseconds, c.offers[c.chosen].nanoseconds).view()
          << " times as long\n";
  }
  return out;
}

/// A workflow that is ready to run on its chosen back end.
template <class Arguments, class Outputs>
class compiled_workflow {
 public:
  compiled_workflow() = default;
  /// Combines the chosen program with the offers.
  compiled_workflow(any_function<result<Outputs>, const Arguments&> run, backend_choice choice)
      : run_(static_cast<decltype(run)&&>(run)), choice_(static_cast<backend_choice&&>(choice)) {}

  /// Runs the workflow. Errors: those of the back end's program.
  result<Outputs> operator()(const Arguments& arguments) const { return run_(arguments); }
  /// The name of the chosen back end; requires a chosen one.
  text_view backend() const { return choice_.offers[choice_.chosen].backend.view(); }
  /// The offers of all back ends.
  const backend_choice& choice() const { return choice_; }
  /// The choice as text; see `wf::explain`.
  text explain() const { return wf::explain(choice_); }

 private:
  any_function<result<Outputs>, const Arguments&> run_;
  backend_choice choice_;
};

namespace detail {

// Asks back ends for offers and keeps the program of the best one.
template <class Arguments, class Outputs, class Definition>
class backend_survey {
 public:
  explicit backend_survey(const Definition& d, const type_args& args)
      : definition_(d), args_(args) {
    choice_.workflow = text(name_of_definition(d));
  }

  template <class Backend>
  void ask(const Backend& b) {
    choice_.offers.push_back({text(b.name()), 0, {}});
    backend_offer& offer = choice_.offers.back();
    auto made = b.compile(definition_, args_);
    if (!made) {
      offer.fault = made.error();
      return;
    }
    const auto time = b.predict(*made);
    if (!time) {
      offer.fault = time.error();
      return;
    }
    offer.nanoseconds = *time;
    if (best_offer(choice_.offers) + 1 == choice_.offers.size()) run_ = b.load(*made);
  }

  result<compiled_workflow<Arguments, Outputs>> answer() {
    choice_.chosen = best_offer(choice_.offers);
    if (choice_.chosen == choice_.offers.size()) {
      text why("no back end can run it");
      for (const backend_offer& o : choice_.offers)
        why << "; " << o.backend.view() << ": " << to_text(o.fault).view();
      return make_error(errc::no_backend, choice_.workflow.view(), why.view());
    }
    return compiled_workflow<Arguments, Outputs>(static_cast<decltype(run_)&&>(run_),
                                                 static_cast<backend_choice&&>(choice_));
  }

 private:
  const Definition& definition_;
  const type_args& args_;
  backend_choice choice_;
  any_function<result<Outputs>, const Arguments&> run_;
};

template <class First, class Other>
constexpr error other_definition_failure() {
  return make_error(errc::foreign_stage, Other::name(),
                    (text() << "back end '" << First::name() << "' begins with "
                            << stage_name<definition_of<First>> << " but back end '"
                            << Other::name() << "' with " << stage_name<definition_of<Other>>)
                        .view());
}

}  // namespace detail

/// Compiles a definition (the graph of a workflow or another definition of the back ends) on each
/// back end and keeps the one with the shortest predicted run, the first on a tie. All of them load
/// callables that take `Arguments` and return `result<Outputs>`. Compile errors: WF805 if the back
/// ends begin with different definitions. Errors: for a graph those of `validate_references`;
/// `no_backend` if no back end can compile it, with the reason of each.
template <class Arguments, class Outputs, class First, class... Backends>
result<compiled_workflow<Arguments, Outputs>> compile_for(
    const definition_view<detail::definition_of<First>>& d, const type_args& args,
    const First& first, const Backends&... others) {
  using definition = detail::definition_of<First>;
  constexpr bool agree = (std::same_as<definition, detail::definition_of<Backends>> && ...);
  ((void)sizeof(detail::step_check<std::same_as<definition, detail::definition_of<Backends>>,
                                   &detail::other_definition_failure<First, Backends>>),
   ...);
  if constexpr (std::same_as<definition, graph>)  // the graph's name is read before a back end
                                                  // checks it
    if (auto fine = validate_references(d); !fine) return fine.error();
  detail::backend_survey<Arguments, Outputs, definition_view<definition>> survey(d, args);
  if constexpr (agree) {
    survey.ask(first);
    (survey.ask(others), ...);
  }
  return survey.answer();
}

}  // namespace wf
