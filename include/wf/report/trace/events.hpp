// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/document.hpp>

namespace wf {

/// The track on which ui.perfetto.dev draws an event.
struct trace_track {
  /// The group of tracks; `name_process` names it.
  std::int64_t process = 1;
  /// The track in its group; `name_thread` names it.
  std::int64_t thread = 1;
};

/// Writes events in the Chrome JSON format that ui.perfetto.dev opens. Times are non-negative
/// nanoseconds from any origin. A slice is nested in another one of its track if its time interval
/// is; of slices with equal intervals the one written first is outermost.
class trace_event_writer {
 public:
  /// Names a group of tracks, a process in the format.
  constexpr void name_process(std::int64_t process, text_view name) {
    begin('M') << ",\"pid\":" << process << ",\"name\":\"process_name\"";
    argument("name", name);
  }
  /// Names a track within its group.
  constexpr void name_thread(trace_track track, text_view name) {
    on_track('M', track) << ",\"name\":\"thread_name\"";
    argument("name", name);
  }
  /// An event with a duration. Its arguments may follow.
  constexpr void slice(trace_track track, text_view name, int128 start, int128 duration) {
    at(on_track('X', track), "ts", start);
    named(at(out_, "dur", duration), name);
  }
  /// The same with the CPU time of its thread at the start, and the CPU time spent in the slice.
  constexpr void slice(trace_track track, text_view name, int128 start, int128 duration,
                       int128 thread_start, int128 thread_duration) {
    at(on_track('X', track), "ts", start);
    at(out_, "dur", duration);
    at(out_, "tts", thread_start);
    named(at(out_, "tdur", thread_duration), name);
  }
  /// An event without duration. Its arguments may follow.
  constexpr void instant(trace_track track, text_view name, int128 when) {
    named(at(on_track('i', track) << ",\"s\":\"t\"", "ts", when), name);
  }
  /// A sample of a counter: from `when` on it is `value`. Counters of a process differ by name.
  constexpr void counter(std::int64_t process, text_view name, int128 when, text_view unit,
                         std::int64_t value) {
    begin('C') << ",\"pid\":" << process;
    named(at(out_, "ts", when), name);
    argument(unit, value);
  }
  /// A text argument of the last event.
  constexpr void argument(text_view name, text_view characters) {
    begin_argument(name);
    append_json_string(out_, characters);
  }
  /// A numeric argument of the last event.
  constexpr void argument(text_view name, std::int64_t number) { begin_argument(name) << number; }

  /// Moves all events out as one JSON text; the writer is empty afterwards. O(1).
  constexpr text finish() {
    end_event();
    out_ << (empty_ ? "]}\n" : "\n]}\n");
    text all = static_cast<text&&>(out_);
    *this = trace_event_writer();
    return all;
  }

 private:
  constexpr void end_event() {
    if (empty_) return;
    out_ << (in_arguments_ ? "}}" : "}");
    in_arguments_ = false;
  }
  constexpr text& begin(char phase) {
    end_event();
    out_ << (empty_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"") << phase << '"';
    empty_ = false;
    return out_;
  }
  constexpr text& on_track(char phase, trace_track track) {
    return begin(phase) << ",\"pid\":" << track.process << ",\"tid\":" << track.thread;
  }
  // The format counts microseconds.
  static constexpr text& at(text& out, const char* key, int128 nanoseconds) {
    out << ",\"" << key << "\":" << nanoseconds / 1000;
    const auto rest = static_cast<int>(nanoseconds % 1000);
    if (rest == 0) return out;
    return out << '.' << rest / 100 << rest / 10 % 10 << rest % 10;
  }
  static constexpr void named(text& out, text_view name) {
    out << ",\"name\":";
    append_json_string(out, name);
  }
  constexpr text& begin_argument(text_view name) {
    out_ << (in_arguments_ ? "," : ",\"args\":{");
    in_arguments_ = true;
    append_json_string(out_, name);
    return out_ << ':';
  }

  text out_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  bool empty_ = true;
  bool in_arguments_ = false;
};

}  // namespace wf
