// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/number/function.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/report/page/columns.hpp>
#include <wf/report/partition/message_log.hpp>

namespace wf {

/// What a sequence diagram shows.
struct sequence_svg_options {
  std::int64_t from = 0;           ///< messages that are sent from this time on, in nanoseconds
  std::int64_t to = INT64_MAX;     ///< messages that are sent before this time, in nanoseconds
  table<text> wires;               ///< the labels of messages, by edge; without one "wire 3"
  bool answers = true;             ///< whether the answers of receivers are drawn
  std::size_t most_moments = 400;  ///< events from top to bottom; a line tells how many more
};

namespace detail {

/// Draws what machines send to each other, from top to bottom.
class sequence_drawing {
 public:
  constexpr sequence_drawing(view<fault::record> records, view<text> machines,
                             const sequence_svg_options& o)
      : records_(records), machines_(machines), options_(o), log_(messages_of(records)) {
    choose();
    find_lanes();
    assign_heights();
  }

  constexpr text draw() const {
    text out;
    begin_svg(out, "sequence", width_, height_);
    out << "<style>svg.sequence text.say{text-anchor:start;font-size:10.5px;paint-order:stroke;"
           "stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
           "svg.sequence text.before{text-anchor:end}svg.sequence text.bad{fill:#b3261e}"
           ".life{stroke:#8a95a3;stroke-width:1.5}.pause{stroke:#d9d08f;stroke-width:7}"
           ".way{fill:none;stroke:#1b2430;stroke-width:1.3}.answer{stroke:#9aa5b1}"
           ".copy{stroke-dasharray:5 3}.fault{stroke:#b3261e}</style>\n";
    draw_times(out);
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) draw_life(out, lane);
    for (std::uint32_t i = 0; i < log_.flights.size(); ++i)
      if (sent_[i] >= 0) draw_flight(out, i);
    for (std::uint32_t m = 0; m < log_.moments.size(); ++m)
      if (heights_[m] >= 0 && log_.moments[m].what == machine_moment::kind::marked)
        draw_mark(out, records_[log_.moments[m].index], heights_[m]);
    for (std::uint32_t i = 0; i < log_.flights.size(); ++i)
      if (sent_[i] >= 0) label_flight(out, i);
    draw_foot(out);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t pitch = 230, top = 62, axis = 84, head_width = 140, step = 20;
  static constexpr std::uint32_t none = UINT32_MAX;
  using moment_kind = machine_moment::kind;

  // --- what is drawn ---

  constexpr bool is_chosen(const message_flight& f) const {
    if (f.kind == fault::message_kind::ack && !options_.answers) return false;
    return f.sent >= options_.from && f.sent < options_.to;
  }
  constexpr void choose() {
    heights_ = table<std::int64_t>(log_.moments.size(), -1);
    for (std::uint32_t m = 0; m < log_.moments.size(); ++m) {
      const machine_moment& at = log_.moments[m];
      const bool chosen = at.what == moment_kind::marked
                              ? at.time >= options_.from && at.time < options_.to
                              : is_chosen(log_.flights[at.index]);
      if (!chosen) continue;
      if (shown_ < options_.most_moments)
        heights_[m] = 0, ++shown_;
      else
        ++omitted_;
    }
  }
  constexpr void use(std::uint32_t machine) {
    while (lane_of_.size() <= machine) lane_of_.push_back(none);
    lane_of_[machine] = 0;
  }
  constexpr void find_lanes() {
    for (std::uint32_t m = 0; m < log_.moments.size(); ++m) {
      if (heights_[m] < 0) continue;
      const machine_moment& at = log_.moments[m];
      if (at.what == moment_kind::marked) {
        use(records_[at.index].peer);
      } else {
        use(log_.flights[at.index].source);
        use(log_.flights[at.index].destination);
      }
    }
    for (std::uint32_t p = 0; p < lane_of_.size(); ++p)
      if (lane_of_[p] != none) {
        lane_of_[p] = static_cast<std::uint32_t>(lanes_.size());
        lanes_.push_back(p);
      }
    // What arrives at the first machine from the others is told on its left.
    for (const message_flight& f : log_.flights)
      for (const message_arrival& a : f.arrivals)
        if (is_chosen(f) && !lanes_.empty() && f.destination == lanes_[0] &&
            f.source != lanes_[0] && !outcome(f, a).empty())
          left_ = axis + 180;
    const auto count = static_cast<std::int64_t>(lanes_.size());
    width_ = left_ + (count == 0 ? 0 : (count - 1) * pitch) + 330;
    width_ = width_ < 640 ? 640 : width_;
  }
  // Heights keep the order and a part of the distances: events far apart do not tear the picture
  // apart, and those of one time do not cover each other.
  constexpr void assign_heights() {
    sent_ = table<std::int64_t>(log_.flights.size(), -1);
    arrived_ = table<table<std::int64_t>>(log_.flights.size());
    std::int64_t first = -1, last = -1;
    for (std::uint32_t m = 0; m < heights_.size(); ++m)
      if (heights_[m] >= 0) {
        if (first < 0) first = log_.moments[m].time;
        last = log_.moments[m].time;
      }
    const std::int64_t span = last > first ? last - first : 1;
    std::int64_t y = top, before = first, more = 0;
    for (std::uint32_t m = 0; m < heights_.size(); ++m) {
      if (heights_[m] < 0) continue;
      const machine_moment& at = log_.moments[m];
      const auto apart = static_cast<std::int64_t>(int128{at.time - before} * 600 / span);
      y += step + (apart < 50 ? apart : 50) + more;
      before = at.time;
      // What was dropped is told below its line.
      more = at.what == moment_kind::sent && log_.flights[at.index].drops > 0 ? 16 : 0;
      heights_[m] = y;
      if (at.what == moment_kind::sent) sent_[at.index] = y;
      if (at.what == moment_kind::arrived) {
        auto& list = arrived_[at.index];
        while (list.size() <= at.arrival) list.push_back(-1);
        list[at.arrival] = y;
      }
    }
    bottom_ = y + 26 + more;
    height_ = bottom_ + 42;
  }
  constexpr std::int64_t x_of(std::uint32_t machine) const {
    return left_ + 20 + head_width / 2 - 30 + std::int64_t{lane_of_[machine]} * pitch;
  }
  constexpr text name_of_machine(std::uint32_t p) const {
    return p < machines_.size() ? machines_[p] : text("machine ") << p;
  }

  // --- words ---

  static constexpr text_view words_of(fault::reason r) {
    using fault::reason;
    constexpr text_view all[] = {"",
                                 "by a rule",
                                 "its link is cut",
                                 "corrupted",
                                 "seen before",
                                 "too old",
                                 "blocked",
                                 "not allowed",
                                 "its sender counts as down",
                                 "cooldown",
                                 "ignored after notices",
                                 "no room at the receiver",
                                 "no room",
                                 "too late",
                                 "no attempt left",
                                 "crash"};
    static_assert(sizeof(all) / sizeof(all[0]) == fault::reason_count);
    return all[static_cast<unsigned>(r)];
  }
  static constexpr text outcome(const message_flight& f, const message_arrival& a) {
    text out;
    if (a.is_copy) out << "duplicate";
    if (a.why == fault::reason::none) return out;
    if (!out.empty()) out << ", ";
    if (a.why == fault::reason::crash) return out << "lost: machine is down";
    out << "refused: " << words_of(a.why);
    return a.why == fault::reason::duplicate && f.attempt > 0 ? out << " (a retry)" : out;
  }
  constexpr text label_of(const message_flight& f) const {
    text out;
    if (f.kind == fault::message_kind::ack) return out;
    if (f.kind != fault::message_kind::data)
      out << name_of(f.kind);
    else if (f.edge < options_.wires.size())
      out << shortened(options_.wires[f.edge].view(), 30);
    else
      out << "wire " << f.edge;
    if (f.attempt > 0) out << " · retry " << f.attempt;
    if (f.is_held) out << " · held";
    return out;
  }
  constexpr text mark_words(const fault::record& r) const {
    using fault::happening;
    switch (r.what) {
      case happening::gate_refused:
        return text("not sent to ")
               << name_of_machine(r.other) << ": "
               << (r.why == fault::reason::down ? text_view("it counts as down") : words_of(r.why));
      case happening::timed_out:
        return text("no answer of ") << name_of_machine(r.other) << " in time";
      case happening::failed:
        return text("given up to ") << name_of_machine(r.other) << ": " << words_of(r.why);
      case happening::went_down:
        return name_of_machine(r.other) << " counts as down";
      case happening::came_up:
        return name_of_machine(r.other) << " counts as up";
      case happening::crashed:
        return text("crash");
      case happening::restarted:
        return text("restart");
      case happening::paused:
        return text("pause");
      default:
        return text("goes on");
    }
  }
  static constexpr text time_text(std::int64_t ns) {
    text out;
    out.grouped(ns / 1'000'000) << '.';
    const std::int64_t rest = ns % 1'000'000 / 1'000;
    return out << (rest < 10 ? "00" : rest < 100 ? "0" : "") << rest << " ms";
  }
  static constexpr void say(text& out, text_view kind, std::int64_t x, std::int64_t y,
                            text_view words) {
    if (words.empty()) return;
    out << "<text class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\">";
    escape_html(out, words);
    out << "</text>\n";
  }

  // --- lines ---

  constexpr void draw_times(text& out) const {
    std::int64_t told = -1;
    for (std::uint32_t m = 0; m < heights_.size(); ++m) {
      const std::int64_t time = log_.moments[m].time / 1'000;
      if (heights_[m] < 0 || time == told) continue;
      told = time;
      out << "<line class=\"grid\" x1=\"" << axis << "\" y1=\"" << heights_[m] << "\" x2=\""
          << width_ - 8 << "\" y2=\"" << heights_[m] << "\"/>";
      say(out, "lane", axis - 6, heights_[m] + 4, time_text(log_.moments[m].time).view());
    }
  }
  static constexpr void line(text& out, text_view kind, std::int64_t x1, std::int64_t y1,
                             std::int64_t x2, std::int64_t y2) {
    out << "<line class=\"" << kind << "\" x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2
        << "\" y2=\"" << y2 << "\"/>\n";
  }
  static constexpr void cross(text& out, std::int64_t x, std::int64_t y, std::int64_t size) {
    out << "<path class=\"way fault\" style=\"stroke-width:2\" d=\"M" << x - size << ' ' << y - size
        << 'l' << 2 * size << ' ' << 2 * size << 'm' << -2 * size << " 0l" << 2 * size << ' '
        << -2 * size << "\"/>\n";
  }
  // A machine that is down has no line, one that pauses a thick one.
  constexpr void draw_life(text& out, std::uint32_t lane) const {
    using fault::happening;
    const std::uint32_t p = lanes_[lane];
    const std::int64_t x = x_of(p);
    const text name = name_of_machine(p);
    std::size_t letters = 0;
    while (letters < name.size() && (name[letters] < '0' || name[letters] > '9')) ++letters;
    out << "<rect class=\"box\" x=\"" << x - head_width / 2 << "\" y=\"12\" width=\"" << head_width
        << "\" height=\"30\" rx=\"5\" fill=\"" << colour_of(name.view().part(0, letters))
        << "\" fill-opacity=\".45\"/>";
    out << "<text x=\"" << x << "\" y=\"31\">";
    escape_html(out, shortened(name.view(), 18).view());
    out << "</text>\n";
    std::int64_t begin = 42;
    bool is_up = true, is_paused = false;
    const auto end = [&](std::int64_t y) {
      if (is_up && y > begin) line(out, is_paused ? "pause" : "life", x, begin, x, y);
      begin = y;
    };
    for (std::uint32_t m = 0; m < log_.moments.size(); ++m) {
      if (log_.moments[m].what != moment_kind::marked) continue;
      const fault::record& r = records_[log_.moments[m].index];
      if (r.peer != p || !is_about_life(r.what)) continue;
      if (heights_[m] < 0 && r.time >= options_.from) continue;
      end(heights_[m] < 0 ? begin : heights_[m]);
      is_up = r.what != happening::crashed;
      is_paused = r.what == happening::paused;
    }
    end(bottom_);
  }
  // A straight arrow from one machine to another.
  static constexpr void arrow(text& out, text_view kind, std::int64_t x1, std::int64_t y1,
                              std::int64_t x2, std::int64_t y2, text_view fill) {
    const std::int64_t dx = x2 - x1, dy = y2 - y1,
                       length = static_cast<std::int64_t>(floor_root(dx * dx + dy * dy, 2)) + 1;
    line(out, kind, x1, y1, x2 - 6 * dx / length, y2 - 6 * dy / length);
    const std::int64_t bx = x2 - 9 * dx / length, by = y2 - 9 * dy / length;
    const std::int64_t px = -4 * dy / length, py = 4 * dx / length;
    out << "<path fill=\"" << fill << "\" d=\"M" << x2 << ' ' << y2 << 'L' << bx + px << ' '
        << by + py << 'L' << bx - px << ' ' << by - py << "z\"/>\n";
  }
  constexpr void draw_arrival(text& out, const message_flight& f, const message_arrival& a,
                              std::int64_t y1, std::int64_t y2) const {
    const bool bad = a.why != fault::reason::none, answer = f.kind == fault::message_kind::ack;
    text kind("way");
    if (a.is_copy) kind << " copy";
    if (bad)
      kind << " fault";
    else if (answer)
      kind << " answer";
    const text_view fill = bad ? "#b3261e" : answer ? "#9aa5b1" : "#1b2430";
    const std::int64_t x1 = x_of(f.source), x2 = x_of(f.destination);
    if (x1 == x2) {
      out << "<path class=\"" << kind << "\" d=\"M" << x1 << ' ' << y1 << 'C' << x1 + 60 << ' '
          << y1 << ' ' << x1 + 60 << ' ' << y2 << ' ' << x1 + 8 << ' ' << y2 << "\"/><path fill=\""
          << fill << "\" d=\"M" << x1 << ' ' << y2 << "l9 -4v8z\"/>\n";
    } else {
      arrow(out, kind.view(), x1, y1, x2, y2, fill);
    }
    if (a.is_taken && !answer)
      out << "<circle cx=\"" << x2 << "\" cy=\"" << y2 << "\" r=\"4\" fill=\"#1b2430\"/>\n";
  }
  constexpr void draw_flight(text& out, std::uint32_t i) const {
    const message_flight& f = log_.flights[i];
    const std::int64_t x = x_of(f.source), y = sent_[i];
    out << "<g><title>" << name_of(f.kind) << " from ";
    escape_html(out, name_of_machine(f.source).view());
    out << " to ";
    escape_html(out, name_of_machine(f.destination).view());
    out << ", number " << f.sequence << ", attempt " << f.attempt + 1 << ", " << time_text(f.sent)
        << "</title>\n";
    for (std::uint32_t k = 0; k < arrived_[i].size(); ++k)
      if (arrived_[i][k] >= 0) draw_arrival(out, f, f.arrivals[k], y, arrived_[i][k]);
    if (f.drops > 0) {
      line(out, "way fault", x, y, drop_x(f), y + 12);
      cross(out, drop_x(f), y + 12, 5);
    } else if (arrived_[i].empty()) {
      line(out, "way copy answer", x, y, drop_x(f), y + 12);
    }
    out << "</g>\n";
  }
  // Where the line of a message ends that does not arrive.
  constexpr std::int64_t drop_x(const message_flight& f) const {
    const std::int64_t x = x_of(f.source), to = x_of(f.destination);
    return to >= x ? x + 90 : x - 90;
  }
  constexpr void label_flight(text& out, std::uint32_t i) const {
    const message_flight& f = log_.flights[i];
    const bool right = x_of(f.destination) >= x_of(f.source);
    say(out, right ? "say" : "say before", x_of(f.source) + (right ? 10 : -10), sent_[i] - 4,
        label_of(f).view());
    if (f.drops > 0)
      say(out, right ? "say bad" : "say before bad", drop_x(f) + (right ? 10 : -10), sent_[i] + 16,
          (text("dropped: ") << words_of(f.dropped)).view());
    for (std::uint32_t k = 0; k < arrived_[i].size(); ++k) {
      if (arrived_[i][k] < 0) continue;
      const text words = outcome(f, f.arrivals[k]);
      const bool bad = f.arrivals[k].why != fault::reason::none;
      const text_view kind =
          right ? (bad ? "say bad" : "say") : (bad ? "say before bad" : "say before");
      say(out, kind, x_of(f.destination) + (right ? 10 : -10), arrived_[i][k] + 4, words.view());
    }
  }
  constexpr void draw_mark(text& out, const fault::record& r, std::int64_t y) const {
    using fault::happening;
    const std::int64_t x = x_of(r.peer);
    const bool bad = r.what == happening::gate_refused || r.what == happening::failed ||
                     r.what == happening::crashed || r.what == happening::went_down;
    if (r.what == happening::crashed || r.what == happening::failed)
      cross(out, x, y, r.what == happening::crashed ? 7 : 5);
    else
      out << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"4\" fill=\"#fff\" stroke=\""
          << (bad ? "#b3261e" : "#5a6675") << "\" stroke-width=\"1.5\"/>";
    say(out, bad ? "say bad" : "say", x + 10, y + 4, mark_words(r).view());
  }
  constexpr void draw_foot(text& out) const {
    if (omitted_ > 0)
      say(out, "say", axis, bottom_ + 14, (text("… and ") << omitted_ << " more events").view());
    if (shown_ == 0) say(out, "say", axis, bottom_ - 10, "no message is sent in this time");
    say(out, "say", axis, bottom_ + 30,
        options_.answers
            ? "dot: taken by the program · grey: answer · dashed: duplicate · red: fault or refusal"
            : "dot: taken by the program · dashed: duplicate · red: fault or refusal");
  }

  view<fault::record> records_;
  view<text> machines_;
  const sequence_svg_options& options_;
  message_log log_;
  table<std::int64_t> heights_;         // by moment; -1: not drawn
  table<std::int64_t> sent_;            // by flight: height of its begin; -1: not drawn
  table<table<std::int64_t>> arrived_;  // by flight and arrival
  table<std::uint32_t> lanes_;          // the machines that are drawn
  table<std::uint32_t> lane_of_;        // by machine
  std::size_t shown_ = 0, omitted_ = 0;
  std::int64_t left_ = axis + 30, width_ = 0, bottom_ = 0, height_ = 0;
};

}  // namespace detail

/// A run of machines as a sequence diagram in SVG: a line for each machine that takes part, time
/// from top to bottom with short waits drawn to scale and long ones shortened, and an arrow for
/// each attempt to send a message. A message that is lost ends at a cross, a duplicate is dashed,
/// and one that a gate refuses is red with the reason; a dot stands where the program has taken it.
/// Retries have their number. Waits that ended without an answer, messages that were not sent or
/// given up, and judgements about machines stand on their line, which has a gap while the machine
/// is crashed and is thick while it pauses. `machines` are the names of the script's peers.
///
/// The records are those of `machine_report::records`, or of one call (`records_of_call`), or of
/// any run of `fault::peer_network` observed by a `fault::recorder`.
/// O(records + machines · events).
constexpr text sequence_svg(view<fault::record> records, view<text> machines,
                            const sequence_svg_options& options = {}) {
  return detail::sequence_drawing(records, machines, options).draw();
}

}  // namespace wf
