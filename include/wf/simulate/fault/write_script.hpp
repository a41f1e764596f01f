// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/document.hpp>
#include <wf/core/text/real.hpp>
#include <wf/simulate/fault/script.hpp>

namespace wf::fault {

namespace detail {

/// Writes scripts as JSON, one rule or event on a line.
class script_writer {
 public:
  constexpr explicit script_writer(const script& s) : s_(s) {}

  constexpr text write() {
    out_ << "{\n \"wf_faults\": 1";
    if (!s_.name.empty()) key("name"), append_json_string(out_, s_.name.view());
    if (!s_.about.empty()) key("about"), append_json_string(out_, s_.about.view());
    key("seed"), out_ << s_.seed;
    key("peers"), out_ << '[';
    for (std::uint32_t i = 0; i < s_.peers.size(); ++i) comma(i), peer(i);
    out_ << ']';
    if (s_.delay_ns != interval{0, 0}) key("delay_ns"), pair(s_.delay_ns);
    if (!s_.knobs.empty()) knobs();
    list("rules", s_.rules, [&](const rule& r) { one(r); });
    list("events", s_.events, [&](const event& e) { one(e); });
    if (!s_.live.core.empty()) {
      key("liveness"), out_ << "{\"core\": ";
      peers(s_.live.core);
      out_ << ", \"within_ns\": " << s_.live.within_ns << '}';
    }
    if (!s_.expect.empty()) key("expect"), out_ << s_.expect.view();
    out_ << "\n}\n";
    return static_cast<text&&>(out_);
  }

 private:
  constexpr void key(text_view name) { out_ << ",\n \"" << name << "\": "; }
  constexpr void comma(std::size_t i) {
    if (i != 0) out_ << ", ";
  }
  // The name of a member of an object whose first member is still to come.
  constexpr void member(bool& first, text_view name) {
    if (!first) out_ << ", ";
    first = false;
    out_ << '"' << name << "\": ";
  }
  constexpr void peer(std::uint32_t p) { append_json_string(out_, s_.peers[p].view()); }
  constexpr void pair(const interval& i) { out_ << '[' << i.lowest << ", " << i.highest << ']'; }
  constexpr void peers(const table<std::uint32_t>& all) {
    out_ << '[';
    for (std::size_t i = 0; i < all.size(); ++i) comma(i), peer(all[i]);
    out_ << ']';
  }
  template <class T, class One>
  constexpr void list(text_view name, const table<T>& all, One one) {
    if (all.empty()) return;
    key(name), out_ << '[';
    for (std::size_t i = 0; i < all.size(); ++i) {
      out_ << (i == 0 ? "\n  " : ",\n  ");
      one(all[i]);
    }
    out_ << "\n ]";
  }
  constexpr void value(const knob_value& k) {
    if (k.name == knob::deny_down || k.name == knob::record_on_accept)
      out_ << (k.value != 0 ? "true" : "false");
    else
      out_ << k.value;
  }
  constexpr void knobs() {
    key("knobs"), out_ << '{';
    for (std::size_t i = 0; i < s_.knobs.size(); ++i) {
      comma(i);
      out_ << '"' << name_of(s_.knobs[i].name) << "\": ";
      value(s_.knobs[i]);
    }
    out_ << '}';
  }

  constexpr void one(const rule& r) {
    bool first = true, first_match = true;
    out_ << '{';
    const rule any;
    if (r.kind != any.kind || r.source != any.source || r.destination != any.destination ||
        r.edge != any.edge || r.sequence != any.sequence || r.attempt != any.attempt) {
      member(first, "match"), out_ << '{';
      if (r.kind >= 0) {
        member(first_match, "kind");
        out_ << '"' << name_of(static_cast<message_kind>(r.kind)) << '"';
      }
      if (!r.source.any) member(first_match, "src"), peers(r.source.members);
      if (!r.destination.any) member(first_match, "dst"), peers(r.destination.members);
      if (!r.edge.any) {
        member(first_match, "edge"), out_ << '[';
        for (std::size_t i = 0; i < r.edge.members.size(); ++i) comma(i), out_ << r.edge.members[i];
        out_ << ']';
      }
      if (r.sequence != any.sequence) member(first_match, "seq"), pair(r.sequence);
      if (r.attempt != any.attempt) member(first_match, "attempt"), pair(r.attempt);
      out_ << '}';
    }
    if (r.probability != 1) member(first, "p"), out_ << real_text(r.probability).view();
    if (r.between_ns != any.between_ns) {
      member(first, "between_ns");
      const bool open = r.between_ns.highest > longest_time;
      pair({r.between_ns.lowest, open ? longest_time : r.between_ns.highest});
    }
    member(first, "do");
    effect(r);
    out_ << '}';
  }
  constexpr void effect(const rule& r) {
    switch (r.effect) {
      case rule_effect::drop:
        out_ << "{\"drop\": true}";
        return;
      case rule_effect::duplicate:
        out_ << "{\"duplicate\": {\"copies\": " << r.count;
        if (r.delay_ns != interval{0, 0}) out_ << ", \"after_ns\": ", pair(r.delay_ns);
        out_ << "}}";
        return;
      case rule_effect::delay:
        out_ << "{\"delay\": ", pair(r.delay_ns);
        out_ << '}';
        return;
      case rule_effect::corrupt:
        out_ << "{\"corrupt\": {\"bits\": " << r.count << "}}";
        return;
    }
  }

  constexpr void one(const event& e) {
    out_ << "{\"when\": {";
    if (e.when.at_ns >= 0) {
      out_ << "\"at_ns\": " << e.when.at_ns;
    } else {
      out_ << "\"after\": {\"peer\": ", peer(e.when.peer);
      out_ << ", \"count\": \"" << name_of(e.when.count) << "\", \"n\": " << e.when.number;
      if (e.when.edge >= 0) out_ << ", \"edge\": " << e.when.edge;
      out_ << '}';
    }
    out_ << "}, \"do\": {";
    what(e.what);
    out_ << "}}";
  }
  constexpr void choice(bool& first, text_view name, const selector& s, bool required) {
    if (s.any && !required) return;
    member(first, name);
    if (s.any)
      out_ << "\"*\"";
    else
      peers(s.members);
  }
  // A member that is left out if it has its default.
  constexpr void optional(text_view name, std::int64_t value, std::int64_t usual) {
    if (value != usual) out_ << ", \"" << name << "\": " << value;
  }
  constexpr void what(const action& a) {
    bool first = true;
    switch (a.kind) {
      case action_kind::partition:
      case action_kind::heal: {
        const bool cut = a.kind == action_kind::partition;
        out_ << (cut ? "\"partition\": {" : "\"heal\": {");
        choice(first, "from", a.from, cut);
        choice(first, "to", a.to, cut);
        if (a.hold) member(first, "mode"), out_ << "\"hold\"";
        break;
      }
      case action_kind::crash:
        about("crash", a.peer);
        optional("restart_after_ns", a.duration_ns, -1);
        break;
      case action_kind::pause:
        about("pause", a.peer);
        out_ << ", \"for_ns\": " << a.duration_ns;
        break;
      case action_kind::slow:
        about("slow", a.peer);
        out_ << ", \"factor_pct\": " << a.percent;
        break;
      case action_kind::clock:
        about("clock", a.peer);
        optional("offset_ns", a.offset_ns, 0);
        optional("rate_ppm", a.rate_ppm, 0);
        break;
      default:
        return rest(a);
    }
    out_ << '}';
  }
  constexpr void about(text_view name, std::uint32_t p) {
    out_ << '"' << name << "\": {\"peer\": ", peer(p);
  }
  constexpr void rest(const action& a) {
    if (a.kind == action_kind::policy) {
      about("policy", a.peer);
      if (a.has_block) out_ << ", \"block\": ", peers(a.block);
      if (a.change == allow_change::open) out_ << ", \"allow\": null";
      if (a.change == allow_change::list) out_ << ", \"allow\": ", peers(a.allow);
    } else if (a.kind == action_kind::set_knob) {
      about("knob", a.peer);
      out_ << ", \"name\": \"" << name_of(a.setting.name) << "\", \"value\": ";
      value(a.setting);
    } else if (a.kind == action_kind::send) {
      out_ << "\"send\": {\"src\": ", peer(a.peer);
      out_ << ", \"dst\": ", peer(a.destination);
      out_ << ", \"edge\": " << a.edge << ", \"payload\": ";
      append_json_string(out_, a.payload.view());
    } else {
      out_ << "\"stop_faults\": true";
      return;
    }
    out_ << '}';
  }

  const script& s_;
  text out_;
};

}  // namespace detail

/// The JSON form of a script, valid by the schema of version 1; `parse_script` reads it back as an
/// equal script. O(size).
constexpr text to_json(const script& s) { return detail::script_writer(s).write(); }

}  // namespace wf::fault
