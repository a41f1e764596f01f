// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/fields.hpp>
#include <wf/core/text/real.hpp>
#include <wf/simulate/fault/script.hpp>

namespace wf::fault {

namespace detail {

/// The path of a value in a document as a JSON pointer (RFC 6901): "/rules/2/do". O(items).
constexpr text json_pointer(const json_document& json, std::uint32_t wanted) {
  text out;
  std::uint32_t item = 0;
  while (item < wanted && json[item].size != 0) {
    const bool object = json[item].kind == json_kind::object;
    std::uint32_t at = json_document::first_of(item), index = 0;
    const auto value_at = [&] { return object ? json_document::value_of(at) : at; };
    while (wanted >= json[value_at()].next) at = json[value_at()].next, ++index;
    out << '/';
    for (char c : object ? json.text_of(at) : text_view{})
      if (c == '~' || c == '/')
        out << (c == '~' ? "~0" : "~1");
      else
        out << c;
    if (!object) out << index;
    item = value_at();
  }
  return out;
}

/// Reads a script from its JSON form. The functions return false after an error.
class script_reader : wf::detail::json_form_reader {
 public:
  constexpr script_reader(text_view source, const json_document& json)
      : json_form_reader(source, json) {}

  constexpr result<script> read() {
    if (document()) return static_cast<script&&>(out_);
    error e = failure(errc::fault_script_syntax);
    std::uint32_t item = 0;
    while (json_[item].offset != e.where.offset) ++item;
    e.subject = json_pointer(json_, item);
    return e;
  }

 private:
  using field = wf::detail::json_field;
  using kind = json_kind;

  constexpr bool document() {
    const field known[] = {
        {"wf_faults", kind::number, true}, {"name", kind::string},       {"about", kind::string},
        {"seed", kind::number, true},      {"peers", kind::array, true}, {"delay_ns", kind::array},
        {"knobs", kind::object},           {"rules", kind::array},       {"events", kind::array},
        {"liveness", kind::object},        {"expect", kind::object}};
    std::uint32_t f[11]{};
    std::int64_t version = 0;
    if (!fields(0, "a fault script", known, f) || !number(f[0], 1, 1, version)) return false;
    if (f[1] != 0 && json_.text_of(f[1]).empty()) return fail(f[1], "the name is empty");
    out_.name = text(string(f[1]));
    out_.about = text(string(f[2]));
    if (f[10] != 0) out_.expect = wf::detail::compact_json(source_, json_[f[10]].offset);
    return seed(f[3]) && peers(f[4]) && times(f[5], out_.delay_ns) && knobs(f[6]) &&
           elements(f[7], [&](std::uint32_t i) { return one_rule(i); }) &&
           elements(f[8], [&](std::uint32_t i) { return one_event(i); }) && live(f[9]);
  }

  // --- numbers and names ---

  constexpr bool number(std::uint32_t item, std::int64_t lowest, std::int64_t highest,
                        std::int64_t& out) {
    if (item == 0) return true;
    if (json_[item].kind != kind::number) return fail(item, "expected an integer");
    return integer(item, lowest, highest, out);
  }
  constexpr bool seed(std::uint32_t item) {
    for (char c : json_.text_of(item)) {
      const bool fits = wf::detail::is_digit(c) &&
                        checked_multiply(out_.seed, std::uint64_t{10}, out_.seed) &&
                        checked_add(out_.seed, static_cast<std::uint64_t>(c - '0'), out_.seed);
      if (!fits) return fail(item, "expected an integer from 0 to 18446744073709551615");
    }
    return true;
  }
  constexpr bool pair(std::uint32_t item, std::int64_t highest, interval& out) {
    if (item == 0) return true;
    if (json_[item].size != 2) return fail(item, "expected two integers: the first and the last");
    const std::uint32_t first = json_document::first_of(item), last = json_[first].next;
    if (!number(first, 0, highest, out.lowest) || !number(last, 0, highest, out.highest))
      return false;
    return out.lowest <= out.highest || fail(last, "the last number is less than the first");
  }
  constexpr bool times(std::uint32_t item, interval& out) { return pair(item, longest_time, out); }
  template <class Integer>
  constexpr bool index(std::uint32_t item, std::int64_t lowest, Integer& out) {
    std::int64_t value = static_cast<std::int64_t>(out);
    if (!number(item, lowest, UINT32_MAX, value)) return false;
    out = static_cast<Integer>(value);
    return true;
  }
  constexpr bool peers(std::uint32_t item) {
    if (json_[item].size == 0) return fail(item, "a script has at least one peer");
    return elements(item, [&](std::uint32_t i) {
      if (json_[i].kind != kind::string) return fail(i, "the name of a peer must be a string");
      const text_view name = json_.text_of(i);
      if (name.empty()) return fail(i, "the name of a peer is empty");
      for (const text& other : out_.peers)
        if (other.view() == name) return fail(i, "two peers have this name");
      out_.peers.push_back(text(name));
      return true;
    });
  }
  constexpr bool peer(std::uint32_t item, std::uint32_t& out) {
    if (json_[item].kind != kind::string) return fail(item, "the name of a peer must be a string");
    const text_view name = json_.text_of(item);
    out = find_peer(out_, name);
    if (out < out_.peers.size()) return true;
    table<text_view> known;
    for (const text& p : out_.peers) known.push_back(p.view());
    return unknown_word(item, "peer", known);
  }
  constexpr bool peer_list(std::uint32_t item, table<std::uint32_t>& out) {
    return elements(item, [&](std::uint32_t i) {
      out.push_back(0);
      return peer(i, out.back());
    });
  }
  // "*", one peer or edge, or an array of them.
  constexpr bool choice(std::uint32_t item, bool of_peers, selector& out) {
    if (item == 0) return true;
    if (json_[item].kind == kind::string && json_.text_of(item) == "*") return true;
    out.any = false;
    const auto one = [&](std::uint32_t i) {
      out.members.push_back(0);
      if (of_peers) return peer(i, out.members.back());
      return index(i, 0, out.members.back());
    };
    if (json_[item].kind != kind::array) return one(item);
    if (of_peers && json_[item].size == 0) return fail(item, "expected at least one peer");
    return elements(item, one);
  }
  constexpr bool word(std::uint32_t item, text_view what, view<text_view> known,
                      std::uint32_t& out) {
    for (out = 0; out < known.size(); ++out)
      if (known[out] == json_.text_of(item)) return true;
    return unknown_word(item, what, known);
  }

  // --- knobs ---

  constexpr bool knobs(std::uint32_t object) {
    if (object == 0) return true;
    std::uint32_t key = json_document::first_of(object);
    for (std::uint32_t i = 0; i < json_[object].size; ++i, key = json_[key + 1].next) {
      out_.knobs.push_back({});
      if (!one_knob(key, json_document::value_of(key), out_.knobs.back())) return false;
    }
    return true;
  }
  constexpr bool one_knob(std::uint32_t name, std::uint32_t value, knob_value& out) {
    text_view known[knob_count];
    for (std::uint32_t k = 0; k < knob_count; ++k) known[k] = name_of(static_cast<knob>(k));
    std::uint32_t which = 0;
    if (!word(name, "knob", known, which)) return false;
    out.name = static_cast<knob>(which);
    const bool truth = out.name == knob::deny_down || out.name == knob::record_on_accept;
    if (json_[value].kind == kind::boolean) {
      out.value = json_.text_of(value) == "true" ? 1 : 0;
      return truth || fail(value, "this knob is an integer");
    }
    const bool from_zero = truth || out.name == knob::retry_limit || out.name == knob::ttl_ns;
    const std::int64_t largest = which >= 1 && which <= 5 && which != 3 ? longest_time : 1 << 20;
    return number(value, from_zero ? 0 : 1, truth ? 1 : largest, out.value);
  }

  // --- rules ---

  constexpr bool one_rule(std::uint32_t item) {
    const field known[] = {{"match", kind::object},
                           {"p", kind::number},
                           {"between_ns", kind::array},
                           {"do", kind::object, true}};
    std::uint32_t f[4]{};
    rule r;
    if (!fields(item, "a rule", known, f) || !match(f[0], r)) return false;
    if (f[1] != 0) {
      const auto p = parse_real(json_.text_of(f[1]));
      if (!p || *p < 0 || *p > 1) return fail(f[1], "expected a probability from 0 to 1");
      r.probability = *p;
    }
    if (!times(f[2], r.between_ns) || !effect(f[3], r)) return false;
    out_.rules.push_back(static_cast<rule&&>(r));
    return true;
  }
  constexpr bool match(std::uint32_t item, rule& r) {
    if (item == 0) return true;
    // An edge may also be the word "*": a third kind of value.
    const std::uint32_t edge = json_.find(item, "edge");
    const bool star = edge != 0 && json_[edge].kind == kind::string;
    if (star && json_.text_of(edge) != "*")
      return fail(edge, "expected '*', the number of an edge or an array of numbers");
    const field known[] = {{"kind", kind::string},
                           {"src", kind::string, false, kind::array},
                           {"dst", kind::string, false, kind::array},
                           {"edge", star ? kind::string : kind::number, false, kind::array},
                           {"seq", kind::array},
                           {"attempt", kind::array}};
    std::uint32_t f[6]{};
    if (!fields(item, "a match", known, f)) return false;
    if (f[0] != 0) {
      const text_view kinds[] = {"data", "ack", "notice", "probe", "*"};
      std::uint32_t which = 0;
      if (!word(f[0], "kind of message", kinds, which)) return false;
      r.kind = which < 4 ? static_cast<std::int32_t>(which) : -1;
    }
    return choice(f[1], true, r.source) && choice(f[2], true, r.destination) &&
           choice(f[3], false, r.edge) && pair(f[4], INT64_MAX, r.sequence) &&
           pair(f[5], INT64_MAX, r.attempt);
  }
  constexpr bool effect(std::uint32_t item, rule& r) {
    const field known[] = {{"drop", kind::boolean},
                           {"duplicate", kind::object},
                           {"delay", kind::array},
                           {"corrupt", kind::object}};
    std::uint32_t f[4]{}, which = 0;
    if (!one_of(item, "the effect of a rule", known, f, which)) return false;
    r.effect = static_cast<rule_effect>(which);
    if (r.effect == rule_effect::drop) return is_true(f[0]);
    if (r.effect == rule_effect::delay) return times(f[2], r.delay_ns);
    std::uint32_t g[2]{};
    if (r.effect == rule_effect::corrupt) {
      const field bits[] = {{"bits", kind::number, true}};
      return fields(f[3], "a corruption", bits, g) && count(g[0], r.count);
    }
    const field copies[] = {{"copies", kind::number, true}, {"after_ns", kind::array}};
    return fields(f[1], "a duplication", copies, g) && count(g[0], r.count) &&
           times(g[1], r.delay_ns);
  }
  // Bounded, so that a script of one line does not fill the memory.
  constexpr bool count(std::uint32_t item, std::uint32_t& out) {
    std::int64_t n = 0;
    if (!number(item, 1, 1 << 16, n)) return false;
    out = static_cast<std::uint32_t>(n);
    return true;
  }
  constexpr bool is_true(std::uint32_t item) {
    return json_.text_of(item) == "true" || fail(item, "expected true");
  }
  // The only member of an object.
  constexpr bool one_of(std::uint32_t item, text_view what, view<field> known, std::uint32_t* f,
                        std::uint32_t& which) {
    if (!fields(item, what, known, f)) return false;
    if (json_[item].size != 1) return fail(item, (text(what) << " has one field").view());
    for (which = 0; f[which] == 0; ++which) {
    }
    return true;
  }

  // --- events ---

  constexpr bool one_event(std::uint32_t item) {
    const field known[] = {{"when", kind::object, true}, {"do", kind::object, true}};
    std::uint32_t f[2]{};
    event e;
    if (!fields(item, "an event", known, f) || !when(f[0], e.when) || !what(f[1], e.what))
      return false;
    out_.events.push_back(static_cast<event&&>(e));
    return true;
  }
  constexpr bool when(std::uint32_t item, trigger& t) {
    const field known[] = {{"at_ns", kind::number}, {"after", kind::object}};
    std::uint32_t f[2]{}, which = 0;
    if (!one_of(item, "the time of an event", known, f, which)) return false;
    if (which == 0) return number(f[0], 0, longest_time, t.at_ns);
    const field after[] = {{"peer", kind::string, true},
                           {"count", kind::string, true},
                           {"n", kind::number, true},
                           {"edge", kind::number}};
    std::uint32_t g[4]{};
    const text_view counters[] = {"sent", "delivered", "accepted", "fired", "timeouts"};
    std::int64_t n = 1;
    if (!fields(f[1], "a trigger", after, g) || !peer(g[0], t.peer) ||
        !word(g[1], "counter", counters, which) || !number(g[2], 1, INT64_MAX, n) ||
        !index(g[3], 0, t.edge))
      return false;
    t.at_ns = -1;
    t.count = static_cast<counter>(which);
    t.number = static_cast<std::uint64_t>(n);
    return true;
  }
  constexpr bool what(std::uint32_t item, action& a) {
    const field known[] = {{"partition", kind::object}, {"heal", kind::object},
                           {"crash", kind::object},     {"pause", kind::object},
                           {"slow", kind::object},      {"clock", kind::object},
                           {"policy", kind::object},    {"knob", kind::object},
                           {"send", kind::object},      {"stop_faults", kind::boolean}};
    std::uint32_t f[10]{}, which = 0;
    if (!one_of(item, "the action of an event", known, f, which)) return false;
    a.kind = static_cast<action_kind>(which);
    const std::uint32_t at = f[which];
    switch (a.kind) {
      case action_kind::partition:
      case action_kind::heal:
        return links(at, a);
      case action_kind::policy:
        return policy(at, a);
      case action_kind::set_knob:
        return setting(at, a);
      case action_kind::send:
        return send(at, a);
      case action_kind::stop_faults:
        return is_true(at);
      default:
        return machine(at, a);
    }
  }
  constexpr bool links(std::uint32_t item, action& a) {
    const bool cut = a.kind == action_kind::partition;
    const field known[] = {{"from", kind::string, cut, kind::array},
                           {"to", kind::string, cut, kind::array},
                           {"mode", kind::string}};
    std::uint32_t f[3]{}, mode = 0;
    if (!fields(item, cut ? "a partition" : "a heal", view<field>(known, cut ? 3 : 2), f))
      return false;
    const text_view modes[] = {"drop", "hold"};
    if (f[2] != 0 && !word(f[2], "mode", modes, mode)) return false;
    a.hold = mode == 1;
    return choice(f[0], true, a.from) && choice(f[1], true, a.to);
  }
  constexpr bool machine(std::uint32_t item, action& a) {
    const bool crash = a.kind == action_kind::crash, pause = a.kind == action_kind::pause,
               slow = a.kind == action_kind::slow;
    const field known[] = {{"peer", kind::string, true},
                           {crash   ? "restart_after_ns"
                            : pause ? "for_ns"
                            : slow  ? "factor_pct"
                                    : "offset_ns",
                            kind::number, pause || slow},
                           {"rate_ppm", kind::number}};
    std::uint32_t f[3]{};
    if (!fields(item, "an action on a peer", view<field>(known, crash || pause || slow ? 2 : 3), f))
      return false;
    if (!peer(f[0], a.peer)) return false;
    if (crash || pause) return number(f[1], pause ? 1 : 0, longest_time, a.duration_ns);
    if (slow) return number(f[1], 100, 1'000'000'000, a.percent);
    return number(f[1], -longest_time, longest_time, a.offset_ns) &&
           number(f[2], -999'999, 1'000'000'000, a.rate_ppm);
  }
  constexpr bool policy(std::uint32_t item, action& a) {
    const field known[] = {{"peer", kind::string, true},
                           {"block", kind::array},
                           {"allow", kind::array, false, kind::null}};
    std::uint32_t f[3]{};
    if (!fields(item, "a policy", known, f) || !peer(f[0], a.peer)) return false;
    a.has_block = f[1] != 0;
    if (f[2] != 0)
      a.change = json_[f[2]].kind == kind::null ? allow_change::open : allow_change::list;
    return peer_list(f[1], a.block) && (a.change != allow_change::list || peer_list(f[2], a.allow));
  }
  constexpr bool setting(std::uint32_t item, action& a) {
    const field known[] = {{"peer", kind::string, true},
                           {"name", kind::string, true},
                           {"value", kind::number, true, kind::boolean}};
    std::uint32_t f[3]{};
    return fields(item, "a setting of a knob", known, f) && peer(f[0], a.peer) &&
           one_knob(f[1], f[2], a.setting);
  }
  constexpr bool send(std::uint32_t item, action& a) {
    const field known[] = {{"src", kind::string, true},
                           {"dst", kind::string, true},
                           {"edge", kind::number, true},
                           {"payload", kind::string}};
    std::uint32_t f[4]{};
    if (!fields(item, "a send", known, f)) return false;
    a.payload = text(string(f[3]));
    return peer(f[0], a.peer) && peer(f[1], a.destination) && index(f[2], 0, a.edge);
  }
  constexpr bool live(std::uint32_t item) {
    if (item == 0) return true;
    const field known[] = {{"core", kind::array, true}, {"within_ns", kind::number, true}};
    std::uint32_t f[2]{};
    if (!fields(item, "a demand of liveness", known, f)) return false;
    if (json_[f[0]].size == 0) return fail(f[0], "the core has at least one peer");
    return peer_list(f[0], out_.live.core) && number(f[1], 1, longest_time, out_.live.within_ns);
  }

  script out_;
};

}  // namespace detail

/// Parses a fault script of version 1 from JSON. Errors: `graph_syntax` for a text that is no JSON,
/// `fault_script_syntax` for one that is no script, with line, column and, as the subject, the JSON
/// pointer of the field (RFC 6901). Beyond the schema, intervals are not empty, peers and knobs are
/// known, times are at most `longest_time`. O(size).
constexpr result<script> parse_script(text_view source) {
  const auto json = parse_json(source);
  if (!json) return json.error();
  return detail::script_reader(source, *json).read();
}

}  // namespace wf::fault
