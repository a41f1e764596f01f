// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <variant>

#include <wf/core/container/box.hpp>
#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/process/process.hpp>

namespace wf {

/// One of several types of processes, known while compiling: nodes of a network of these are stored
/// by value and called without indirection. All have the same type of data.
template <class First, class... Rest>
class one_of {
 public:
  using datum = typename First::datum;
  static_assert((std::same_as<typename Rest::datum, datum> && ...),
                "processes of one network have one type of data");

  constexpr one_of() = default;
  /// Takes a process of one of the types.
  template <class P>
    requires(std::same_as<P, First> || (std::same_as<P, Rest> || ...))
  constexpr one_of(P p) : process_(static_cast<P&&>(p)) {}

  constexpr view<expected_input> inputs() const {
    return std::visit([](const auto& p) -> view<expected_input> { return p.inputs(); }, process_);
  }
  constexpr std::uint32_t outputs() const {
    return std::visit([](const auto& p) { return static_cast<std::uint32_t>(p.outputs()); },
                      process_);
  }
  constexpr result<bool> update(std::uint32_t input, datum d, std::int64_t now) {
    return std::visit([&](auto& p) { return p.update(input, static_cast<datum&&>(d), now); },
                      process_);
  }
  constexpr std::int64_t work(std::int64_t now) const {
    return std::visit([&](const auto& p) { return static_cast<std::int64_t>(p.work(now)); },
                      process_);
  }
  template <class Emit>
  constexpr result<nothing> generate_output(std::int64_t now, Emit&& emit) {
    return std::visit([&](auto& p) { return p.generate_output(now, emit); }, process_);
  }
  constexpr std::int64_t wake(std::int64_t now) {
    return std::visit(
        [&](auto& p) {
          if constexpr (requires {
                          { p.wake(now) } -> std::convertible_to<std::int64_t>;
                        })
            return static_cast<std::int64_t>(p.wake(now));
          else
            return sim::never;
        },
        process_);
  }
  /// The process if it is of type `P`; null otherwise.
  template <class P>
  constexpr const P* as() const {
    return std::get_if<P>(&process_);
  }

 private:
  std::variant<First, Rest...> process_;
};

/// A process of any type with that type of data, chosen at run time. Move-only; also in constant
/// evaluation.
template <class Datum>
class any_process {
 public:
  using datum = Datum;

  constexpr any_process() = default;
  /// Takes a process.
  template <process P>
    requires(!std::same_as<P, any_process> && std::same_as<typename P::datum, Datum>)
  constexpr any_process(P p) : process_(new holder<P>(static_cast<P&&>(p))) {}

  constexpr view<expected_input> inputs() const { return process_->inputs(); }
  constexpr std::uint32_t outputs() const { return process_->outputs(); }
  constexpr result<bool> update(std::uint32_t input, Datum d, std::int64_t now) {
    return process_->update(input, static_cast<Datum&&>(d), now);
  }
  constexpr std::int64_t work(std::int64_t now) const { return process_->work(now); }
  template <class Emit>
  constexpr result<nothing> generate_output(std::int64_t now, Emit&& emit) {
    table<emission> made;
    if (auto done = process_->generate_output(now, made); !done) return done;
    for (emission& e : made) emit(e.output, static_cast<Datum&&>(e.value));
    return nothing{};
  }
  constexpr std::int64_t wake(std::int64_t now) { return process_->wake(now); }
  /// The process, which must be of type `P`.
  template <class P>
  constexpr const P& as() const {
    return static_cast<const holder<P>&>(*process_).process;
  }

 private:
  struct emission {
    std::uint32_t output = 0;
    Datum value{};
  };
  struct interface {
    constexpr virtual ~interface() = default;
    constexpr virtual view<expected_input> inputs() const = 0;
    constexpr virtual std::uint32_t outputs() const = 0;
    constexpr virtual result<bool> update(std::uint32_t, Datum, std::int64_t) = 0;
    constexpr virtual std::int64_t work(std::int64_t) const = 0;
    constexpr virtual result<nothing> generate_output(std::int64_t, table<emission>&) = 0;
    constexpr virtual std::int64_t wake(std::int64_t) = 0;
  };
  template <class P>
  struct holder final : interface {
    P process;

    constexpr explicit holder(P p) : process(static_cast<P&&>(p)) {}
    constexpr view<expected_input> inputs() const override { return process.inputs(); }
    constexpr std::uint32_t outputs() const override {
      return static_cast<std::uint32_t>(process.outputs());
    }
    constexpr result<bool> update(std::uint32_t input, Datum d, std::int64_t now) override {
      return process.update(input, static_cast<Datum&&>(d), now);
    }
    constexpr std::int64_t work(std::int64_t now) const override {
      return static_cast<std::int64_t>(process.work(now));
    }
    constexpr result<nothing> generate_output(std::int64_t now, table<emission>& made) override {
      return process.generate_output(now, [&made](std::uint32_t output, Datum d) {
        made.push_back({output, static_cast<Datum&&>(d)});
      });
    }
    constexpr std::int64_t wake(std::int64_t now) override {
      if constexpr (requires {
                      { process.wake(now) } -> std::convertible_to<std::int64_t>;
                    })
        return static_cast<std::int64_t>(process.wake(now));
      else
        return sim::never;
    }
  };

  box<interface> process_;
};

}  // namespace wf
