// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include <wf/core/container/erased.hpp>
#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/process/process.hpp>

namespace wf {

/// One of several types of processes, known while compiling: nodes of a network of these are stored
/// by value and called without indirection. All have the same type of data.
template <class First, class... Rest>
class one_of {
 public:
  /// The type of its data.
  using datum = typename First::datum;
  static_assert((std::same_as<typename Rest::datum, datum> && ...),
                "processes of one network have one type of data");

  constexpr one_of() = default;
  /// Takes a process of one of the types.
  template <class P>
    requires(std::same_as<P, First> || (std::same_as<P, Rest> || ...))
  constexpr one_of(P p) : process_(static_cast<P&&>(p)) {}
  constexpr one_of(const one_of&) = default;
  constexpr one_of(one_of&&) = default;
  /// Takes over another process.
  constexpr one_of& operator=(const one_of& other) { return *this = one_of(other); }
  /// Takes over another process.
  constexpr one_of& operator=(one_of&& other) noexcept {
    if (std::is_constant_evaluated()) {
      // To clang, no assignment of a variant of g++ 12 that changes the type is a constant.
      if (this == &other) return *this;
      std::destroy_at(&process_);
      std::construct_at(&process_, static_cast<one_of&&>(other).process_);
    } else {
      process_ = static_cast<one_of&&>(other).process_;
    }
    return *this;
  }
  constexpr ~one_of() = default;

  /// What it expects, in order.
  constexpr view<expected_input> inputs() const {
    return std::visit([](const auto& p) -> view<expected_input> { return p.inputs(); }, process_);
  }
  /// Number of its outputs.
  constexpr std::uint32_t outputs() const {
    return std::visit([](const auto& p) { return static_cast<std::uint32_t>(p.outputs()); },
                      process_);
  }
  /// Takes a datum; true if it can run. Errors: those of the process.
  constexpr result<bool> update(std::uint32_t input, datum d, std::int64_t now) {
    return std::visit([&](auto& p) { return p.update(input, static_cast<datum&&>(d), now); },
                      process_);
  }
  /// What a run asks of its resource, in ticks or work.
  constexpr std::int64_t work(std::int64_t now) const {
    return std::visit([&](const auto& p) { return static_cast<std::int64_t>(p.work(now)); },
                      process_);
  }
  /// Ends a run: calls `emit(output, datum)`. Errors: those of the process.
  template <class Emit>
  constexpr result<nothing> generate_output(std::int64_t now, Emit&& emit) {
    return std::visit([&](auto& p) { return p.generate_output(now, emit); }, process_);
  }
  /// The next tick at which it can run by itself; `sim::never` if there is none.
  constexpr std::int64_t wake(std::int64_t now) {
    return std::visit(
        [&]<class P>(P& p) -> std::int64_t {
          if constexpr (waking_process<P>)
            return static_cast<std::int64_t>(p.wake(now));
          else
            return sim::never;
        },
        process_);
  }
  /// The number of data of an input that a run takes; 0: not fixed.
  constexpr std::uint32_t consumes(std::uint32_t input) const {
    return std::visit([&](const auto& p) { return consumption_rate(p, input); }, process_);
  }
  /// The number of data that a run emits at an output; 0: not fixed.
  constexpr std::uint32_t produces(std::uint32_t output) const {
    return std::visit([&](const auto& p) { return production_rate(p, output); }, process_);
  }
  /// The process if it is of type `P`; null otherwise.
  template <class P>
  constexpr const P* as() const {
    return std::get_if<P>(&process_);
  }

 private:
  std::variant<First, Rest...> process_;
};

/// A process of any type with that type of data, chosen at run time. A value: copies are copies of
/// the process with its state.
template <class Datum>
class any_process {
 public:
  /// The type of its data.
  using datum = Datum;

  any_process() = default;
  /// Takes a process.
  template <process P>
    requires(!std::same_as<P, any_process> && std::same_as<typename P::datum, Datum>)
  any_process(P p) : process_(static_cast<P&&>(p), operations_of<P>) {}

  /// What it expects, in order.
  view<expected_input> inputs() const { return process_->inputs(process_.object()); }
  /// Number of its outputs.
  std::uint32_t outputs() const { return process_->outputs(process_.object()); }
  /// Takes a datum; true if it can run. Errors: those of the process.
  result<bool> update(std::uint32_t input, Datum d, std::int64_t now) {
    return process_->update(process_.object(), input, static_cast<Datum&&>(d), now);
  }
  /// What a run asks of its resource, in ticks or work.
  std::int64_t work(std::int64_t now) const { return process_->work(process_.object(), now); }
  /// Ends a run: calls `emit(output, datum)`. Errors: those of the process.
  template <class Emit>
  result<nothing> generate_output(std::int64_t now, Emit&& emit) {
    table<emission> made;
    if (auto done = process_->generate_output(process_.object(), now, made); !done) return done;
    for (emission& e : made) emit(e.output, static_cast<Datum&&>(e.value));
    return nothing{};
  }
  /// The next tick at which it can run by itself; `sim::never` if there is none.
  std::int64_t wake(std::int64_t now) { return process_->wake(process_.object(), now); }
  /// The number of data of an input that a run takes; 0: not fixed.
  std::uint32_t consumes(std::uint32_t input) const {
    return process_->consumes(process_.object(), input);
  }
  /// The number of data that a run emits at an output; 0: not fixed.
  std::uint32_t produces(std::uint32_t output) const {
    return process_->produces(process_.object(), output);
  }
  /// The process, which must be of type `P`.
  template <class P>
  const P& as() const {
    return *static_cast<const P*>(process_.object());
  }

 private:
  struct emission {
    std::uint32_t output = 0;
    Datum value{};
  };
  /// The functions of a type of processes.
  struct operations : detail::erased_functions {
    view<expected_input> (*inputs)(const void*);
    std::uint32_t (*outputs)(const void*);
    result<bool> (*update)(void*, std::uint32_t, Datum&&, std::int64_t);
    std::int64_t (*work)(const void*, std::int64_t);
    result<nothing> (*generate_output)(void*, std::int64_t, table<emission>&);
    std::int64_t (*wake)(void*, std::int64_t);
    std::uint32_t (*consumes)(const void*, std::uint32_t);
    std::uint32_t (*produces)(const void*, std::uint32_t);
  };
  template <class P>
  static constexpr operations operations_of = {
      {detail::erased_functions_of<P>},
      [](const void* p) -> view<expected_input> { return static_cast<const P*>(p)->inputs(); },
      [](const void* p) { return static_cast<std::uint32_t>(static_cast<const P*>(p)->outputs()); },
      [](void* p, std::uint32_t input, Datum&& d, std::int64_t now) {
        return static_cast<P*>(p)->update(input, static_cast<Datum&&>(d), now);
      },
      [](const void* p, std::int64_t now) {
        return static_cast<std::int64_t>(static_cast<const P*>(p)->work(now));
      },
      [](void* p, std::int64_t now, table<emission>& made) {
        return static_cast<P*>(p)->generate_output(now, [&made](std::uint32_t output, Datum d) {
          made.push_back({output, static_cast<Datum&&>(d)});
        });
      },
      [](void* p, std::int64_t now) {
        if constexpr (waking_process<P>)
          return static_cast<std::int64_t>(static_cast<P*>(p)->wake(now));
        else
          return sim::never;
      },
      [](const void* p, std::uint32_t input) {
        return consumption_rate(*static_cast<const P*>(p), input);
      },
      [](const void* p, std::uint32_t output) {
        return production_rate(*static_cast<const P*>(p), output);
      }};

  detail::erased<operations> process_;
};

}  // namespace wf
