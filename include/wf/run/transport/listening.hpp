// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <utility>

#include <wf/core/diagnosis/result.hpp>

namespace wf::detail {

// How one process's part of a run listens to a transport: the first fault, since when it has not
// looked, and since when nothing has come.
class listening {
 public:
  // Gives up when nothing has come for so many nanoseconds.
  explicit listening(std::int64_t most_silence_ns) : most_silence_ns_(most_silence_ns) {}

  // Silence and looks are counted from now on.
  void begin() { looked_ = heard_ = clock::now(); }
  // True if there is a fault, after which nothing is sent or received.
  bool is_broken() const { return fault_.code != errc::none; }
  const error& fault() const { return fault_; }
  // Keeps an error, unless there was one before.
  void fail(error e) {
    if (!is_broken()) fault_ = std::move(e);
  }
  template <class T>
  void keep(const result<T>& r) {
    if (!r) fail(r.error());
  }
  // True if the last look was so many nanoseconds ago.
  bool is_due(std::int64_t after) const { return since(looked_) >= after; }
  // Hands out what has come; true if something has.
  template <class Transport, class Inbox>
  bool look(Transport& carrier, Inbox& inbox) {
    looked_ = clock::now();
    if (is_broken()) return false;
    const result<bool> any = carrier.poll(inbox);
    keep(any);
    if (!any || !*any) return false;
    heard_ = clock::now();
    return true;
  }
  // Rests until something may have come; fails after too long a silence.
  template <class Transport>
  void rest(Transport& carrier, text_view subject,
            text_view sentence = "nothing has come for too long") {
    constexpr std::int64_t rest_ns = 1'000'000;
    if (since(heard_) > most_silence_ns_)
      fail(make_error(errc::transport_failed, subject, sentence));
    else
      carrier.wait(rest_ns);
  }

 private:
  using clock = std::chrono::steady_clock;

  static std::int64_t since(clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - t).count();
  }

  std::int64_t most_silence_ns_;
  clock::time_point looked_ = clock::now(), heard_ = looked_;
  error fault_;
};

}  // namespace wf::detail
