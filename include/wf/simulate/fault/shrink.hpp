// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/simulate/fault/script.hpp>

namespace wf::fault {

/// The result of `shrink`.
struct shrunk_script {
  script smallest;         ///< still fails, and no step makes it smaller
  std::uint32_t runs = 0;  ///< how often it was asked whether a script fails
};

namespace detail {

/// Makes a failing script smaller, step by step, and keeps what still fails.
template <class Fails>
class shrinker {
 public:
  constexpr shrinker(const script& s, Fails& fails, std::uint32_t most_runs)
      : best_(s), fails_(fails), most_(most_runs) {}

  constexpr shrunk_script shrink() {
    for (bool changed = true; changed && runs_ < most_;) {
      changed_ = false;
      fewer_items();
      for (std::size_t i = 0; i < best_.rules.size(); ++i)
        if (best_.rules[i].probability > 0) simpler_rule(i);
      for (std::size_t i = 0; i < best_.events.size(); ++i) simpler_event(i);
      remove_masked();
      simpler_rest();
      changed = changed_;
    }
    return {best_, runs_};
  }

 private:
  // Keeps a candidate if it differs and fails.
  constexpr bool attempt(const script& candidate) {
    if (runs_ >= most_ || candidate == best_) return false;
    ++runs_;
    if (!fails_(candidate)) return false;
    best_ = candidate;
    return changed_ = true;
  }
  template <class Change>
  constexpr bool with(Change change) {
    script candidate = best_;
    change(candidate);
    return attempt(candidate);
  }

  // --- fewer rules and events ---

  // Rules come first, then events. A rule without effect keeps its place, because the place enters
  // the random decisions of the rules behind it.
  constexpr script without(const script& s, const table<std::uint32_t>& items, std::size_t first,
                           std::size_t end) const {
    script out = s;
    table<char> gone(s.events.size());
    for (std::size_t i = first; i < end; ++i) {
      if (items[i] < s.rules.size())
        out.rules[items[i]].probability = 0;
      else
        gone[items[i] - s.rules.size()] = 1;
    }
    out.events.clear();
    for (std::size_t i = 0; i < s.events.size(); ++i)
      if (gone[i] == 0) out.events.push_back(s.events[i]);
    return out;
  }
  // Delta debugging (Zeller, Hildebrandt: "Simplifying and isolating failure-inducing input",
  // 2002): leaves out parts, of half of the items at first, then ever smaller ones.
  constexpr void fewer_items() {
    std::size_t parts = 2;
    for (;;) {
      table<std::uint32_t> items;
      for (std::uint32_t i = 0; i < best_.rules.size() + best_.events.size(); ++i)
        if (i >= best_.rules.size() || best_.rules[i].probability > 0) items.push_back(i);
      if (items.empty()) return;
      if (parts > items.size()) parts = items.size();
      bool smaller = false;
      for (std::size_t k = 0; k < parts && !smaller; ++k)
        smaller = attempt(
            without(best_, items, k * items.size() / parts, (k + 1) * items.size() / parts));
      if (smaller)
        parts = parts > 2 ? parts - 1 : 2;
      else if (parts == items.size())
        return;
      else
        parts *= 2;
    }
  }
  constexpr void remove_masked() {
    with([](script& s) {
      table<rule> kept;
      for (const rule& r : s.rules)
        if (r.probability > 0) kept.push_back(r);
      s.rules = kept;
    });
    // At the end they change nothing.
    while (!best_.rules.empty() && best_.rules.back().probability == 0) {
      best_.rules.pop_back();
      changed_ = true;
    }
  }

  // --- simpler parameters ---

  // The smallest number from `lowest` on that fails, if failing is monotone; `get` leads to it.
  template <class Get>
  constexpr void lower(Get get, std::int64_t lowest) {
    std::int64_t good = lowest - 1;
    for (std::int64_t step = 1; get(best_) - good > 1;) {
      const std::int64_t high = get(best_), room = high - good;
      // From below first: numbers that matter are mostly small.
      const std::int64_t tried = step < room / 2 ? good + step : good + room / 2;
      if (with([&](script& s) { get(s) = tried; })) {
        step = 1;
      } else {
        good = tried;
        step *= 2;
      }
      if (runs_ >= most_) return;
    }
  }
  template <class Get>
  constexpr void raise(Get get, std::int64_t highest) {
    for (std::int64_t bad = highest + 1; bad - get(best_) > 1 && runs_ < most_;) {
      const std::int64_t tried = get(best_) + (bad - get(best_)) / 2;
      if (!with([&](script& s) { get(s) = tried; })) bad = tried;
    }
  }
  template <class Get>
  constexpr void narrow(Get get) {
    // An open end is as good as the longest time, and differences to it fit.
    if (get(best_).highest > longest_time &&
        !with([&](script& s) { get(s).highest = longest_time; }))
      return;
    lower([&](script& s) -> std::int64_t& { return get(s).highest; }, get(best_).lowest);
    raise([&](script& s) -> std::int64_t& { return get(s).lowest; }, get(best_).highest);
  }
  // One member instead of many.
  template <class Get>
  constexpr void single(Get get, std::uint32_t count) {
    if (!get(best_).any && get(best_).members.size() == 1) return;
    for (std::uint32_t m = 0; m < count; ++m) {
      if (!get(best_).has(m)) continue;
      if (with([&](script& s) { get(s) = {false, {m}}; })) return;
    }
  }
  constexpr void simpler_rule(std::size_t i) {
    const auto peers = static_cast<std::uint32_t>(best_.peers.size());
    for (std::int32_t k = 0; k < 4 && best_.rules[i].kind < 0; ++k)
      with([&](script& s) { s.rules[i].kind = k; });
    single([i](script& s) -> selector& { return s.rules[i].source; }, peers);
    single([i](script& s) -> selector& { return s.rules[i].destination; }, peers);
    single([i](script& s) -> selector& { return s.rules[i].edge; }, 4);
    narrow([i](script& s) -> interval& { return s.rules[i].sequence; });
    narrow([i](script& s) -> interval& { return s.rules[i].attempt; });
    with([&](script& s) { s.rules[i].probability = 1; });
    with([&](script& s) { s.rules[i].between_ns = {}; });
    if (best_.rules[i].count > 1) with([&](script& s) { s.rules[i].count = 1; });
    smaller_delay([i](script& s) -> interval& { return s.rules[i].delay_ns; });
  }
  template <class Get>
  constexpr void smaller_delay(Get get) {
    if (with([&](script& s) { get(s) = {0, 0}; })) return;
    if (!with([&](script& s) { get(s).lowest = get(s).highest; }))
      with([&](script& s) { get(s).highest = get(s).lowest; });
  }
  constexpr void simpler_event(std::size_t i) {
    const auto peers = static_cast<std::uint32_t>(best_.peers.size());
    const action_kind kind = best_.events[i].what.kind;
    if (best_.events[i].when.at_ns > 0) {
      with([&](script& s) { s.events[i].when.at_ns = 0; });
      for (std::int64_t unit = 1'000'000'000; unit > 1; unit /= 10)
        with([&](script& s) { s.events[i].when.at_ns -= s.events[i].when.at_ns % unit; });
    } else if (best_.events[i].when.at_ns < 0) {
      while (best_.events[i].when.number > 1 &&
             with([&](script& s) { s.events[i].when.number /= 2; })) {
      }
      while (best_.events[i].when.number > 1 &&
             with([&](script& s) { --s.events[i].when.number; })) {
      }
    }
    if (kind == action_kind::partition) {
      single([i](script& s) -> selector& { return s.events[i].what.from; }, peers);
      single([i](script& s) -> selector& { return s.events[i].what.to; }, peers);
    }
    if (kind == action_kind::crash || kind == action_kind::pause)
      while (best_.events[i].what.duration_ns > 1 &&
             with([&](script& s) { s.events[i].what.duration_ns /= 10; })) {
      }
  }
  constexpr void simpler_rest() {
    for (std::size_t i = best_.knobs.size(); i-- > 0;)
      with([&](script& s) {
        for (std::size_t k = i; k + 1 < s.knobs.size(); ++k) s.knobs[k] = s.knobs[k + 1];
        s.knobs.pop_back();
      });
    smaller_delay([](script& s) -> interval& { return s.delay_ns; });
    if (!best_.expect.empty()) with([](script& s) { s.expect.clear(); });
    while (best_.peers.size() > 1 && !is_named(static_cast<std::uint32_t>(best_.peers.size() - 1)))
      if (!with([](script& s) { s.peers.pop_back(); })) break;
  }
  constexpr bool is_named(std::uint32_t p) const {
    const auto in = [p](const selector& s) { return !s.any && s.has(p); };
    for (const rule& r : best_.rules)
      if (in(r.source) || in(r.destination)) return true;
    for (const event& e : best_.events) {
      const action& a = e.what;
      if (in(a.from) || in(a.to) || a.peer == p || a.destination == p ||
          (e.when.at_ns < 0 && e.when.peer == p) || in({false, a.block}) || in({false, a.allow}))
        return true;
    }
    return in({false, best_.live.core});
  }

  script best_;
  Fails& fails_;
  std::uint32_t most_;
  std::uint32_t runs_ = 0;
  bool changed_ = false;
};

}  // namespace detail

/// Reduces a failing script: fewer rules and events by delta debugging, then rules that concern
/// fewer messages, then smaller numbers, fewer knobs and peers. `fails(script)` must be true for
/// `s`, and is true for the result. Because decisions depend on identities, a rule that is narrowed
/// to the messages that matter decides about them as before. At most `most_runs` calls of `fails`.
template <class Fails>
constexpr shrunk_script shrink(const script& s, Fails&& fails, std::uint32_t most_runs = 5000) {
  return detail::shrinker<std::remove_reference_t<Fails>>(s, fails, most_runs).shrink();
}

}  // namespace wf::fault
