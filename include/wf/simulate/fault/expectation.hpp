// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/fields.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf::fault {

namespace detail {

/// Compares the observations of a run with a script's `expect`.
class expectation_reader : wf::detail::json_form_reader {
 public:
  constexpr expectation_reader(const script& s, const json_document& json, const tally& seen)
      : json_form_reader(s.expect.view(), json), script_(s), seen_(seen) {}

  constexpr result<nothing> read() {
    const field known[] = {{"fired", json_kind::object},
                           {"refused", json_kind::object},
                           {"timeouts", json_kind::object},
                           {"next_retry_ns", json_kind::number},
                           {"peer_down", json_kind::object},
                           {"peer_up", json_kind::object},
                           {"backoff_entries_at_end", json_kind::object},
                           {"dedup_entries", json_kind::object}};
    std::uint32_t f[8]{};
    using counts = tally::counts;
    const bool fine =
        fields(0, "the expectations", known, f) &&
        numbers(f[0], [](const counts& c) { return static_cast<std::int64_t>(c.fired); }) &&
        refusals(f[1]) && timeouts(f[2]) && next_retry(f[3]) && sightings(f[4], seen_.downs) &&
        sightings(f[5], seen_.ups) &&
        numbers(f[6], [](const counts& c) { return c.backoff_entries; }) &&
        numbers(f[7], [](const counts& c) { return c.remembered; });
    if (fine) return nothing{};
    error e = failure(errc::simulation_failed);
    e.subject = script_.name;
    return e;
  }

 private:
  using field = wf::detail::json_field;

  constexpr bool differs(std::uint32_t item, std::int64_t found) {
    return fail(item, text("expected ") << json_.text_of(item) << ", found " << found);
  }
  constexpr bool fail(std::uint32_t item, const text& message) {
    return json_form_reader::fail(item, message.view());
  }
  constexpr bool equals(std::uint32_t item, std::int64_t found) {
    std::int64_t wanted = 0;
    if (!integer(item, INT64_MIN, INT64_MAX, wanted)) return false;
    return wanted == found || differs(item, found);
  }
  // Calls `each(peer, value)` for the members of an object.
  template <class Each>
  constexpr bool by_peer(std::uint32_t object, Each each) {
    if (object == 0) return true;
    std::uint32_t key = json_document::first_of(object);
    for (std::uint32_t i = 0; i < json_[object].size; ++i, key = json_[key + 1].next) {
      const std::uint32_t p = find_peer(script_, json_.text_of(key));
      if (p == script_.peers.size()) return fail(key, text("there is no such peer"));
      if (!each(p, json_document::value_of(key))) return false;
    }
    return true;
  }
  template <class Count>
  constexpr bool numbers(std::uint32_t object, Count count) {
    return by_peer(object, [&](std::uint32_t p, std::uint32_t value) {
      return equals(value, count(seen_.peers[p]));
    });
  }
  // All refusals, so that those not listed must not be.
  constexpr bool refusals(std::uint32_t object) {
    if (object == 0) return true;
    for (std::uint32_t p = 0; p < script_.peers.size(); ++p) {
      const std::uint32_t listed = json_.find(object, script_.peers[p].view());
      if (listed != 0 && json_[listed].kind != json_kind::object)
        return fail(listed, text("expected an object of counts by reason"));
      for (std::uint32_t r = 0; r < reason_count; ++r) {
        const text_view name = name_of(static_cast<reason>(r));
        const auto count = static_cast<std::int64_t>(seen_.peers[p].refused[r]);
        const std::uint32_t value = listed == 0 ? 0 : json_.find(listed, name);
        if (value != 0 ? !equals(value, count) : count != 0)
          return value != 0 ? false
                            : fail(object, text(script_.peers[p].view())
                                               << " refused " << count << " as " << name);
      }
    }
    return true;
  }
  constexpr bool timeouts(std::uint32_t object) {
    return by_peer(object, [&](std::uint32_t p, std::uint32_t list) {
      std::uint32_t item = json_document::first_of(list);
      std::uint32_t count = 0;
      for (const sighting& s : seen_.timeouts) {
        if (s.peer != p) continue;
        if (count++ == json_[list].size) return fail(list, text("there are more timeouts"));
        if (!equals(item, s.time)) return false;
        item = json_[item].next;
      }
      return count == json_[list].size || fail(list, text("there are fewer timeouts"));
    });
  }
  constexpr bool next_retry(std::uint32_t item) {
    if (item == 0) return true;
    std::int64_t latest = 0;
    for (const tally::counts& c : seen_.peers)
      if (c.next_retry > latest) latest = c.next_retry;
    return equals(item, latest);
  }
  constexpr bool sightings(std::uint32_t object, const table<sighting>& all) {
    return by_peer(object, [&](std::uint32_t p, std::uint32_t list) {
      std::uint32_t item = json_document::first_of(list);
      std::uint32_t count = 0;
      for (const sighting& s : all) {
        if (s.peer != p) continue;
        if (count++ == json_[list].size) return fail(list, text("there are more of them"));
        if (json_[item].kind != json_kind::object)
          return fail(item, text("expected an object with a peer"));
        const std::uint32_t who = json_.find(item, "peer"), when = json_.find(item, "at_ns");
        if (who == 0 || json_.text_of(who) != script_.peers[s.other].view())
          return fail(item, text("it is another peer"));
        if (when != 0 && !equals(when, s.time)) return false;
        item = json_[item].next;
      }
      return count == json_[list].size || fail(list, text("there are fewer of them"));
    });
  }

  const script& script_;
  const tally& seen_;
};

}  // namespace detail

/// Compares the observations of a run with the script's `expect`: fired, refused (all that is not
/// listed must be 0), timeouts, next_retry_ns, peer_down, peer_up, backoff_entries_at_end and
/// dedup_entries. Errors: `simulation_failed` for one that differs or has another name, with its
/// place in the text of `expect`. O(size).
constexpr result<nothing> meets_expectations(const script& s, const tally& seen) {
  if (s.expect.empty()) return nothing{};
  const auto json = parse_json(s.expect.view());
  if (!json) return json.error();
  return detail::expectation_reader(s, *json, seen).read();
}

}  // namespace wf::fault
