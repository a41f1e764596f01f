// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mapping_benchmark {

/// The result of a child process.
struct child_result {
  bool ended = false;            ///< it exited normally, not by a signal
  std::string output;            ///< the text that the task returned
  std::uint64_t peak_bytes = 0;  ///< peak memory, including that of the program itself
};

/// Runs `task`, which returns a text, in a child process, which isolates its memory and its faults.
template <class Task>
child_result in_child(Task task) {
  child_result out;
  int ends[2];
  if (pipe(ends) != 0) return out;
  const pid_t child = fork();
  if (child < 0) return out;
  if (child == 0) {
    close(ends[0]);
    const std::string text = task();
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t n = write(ends[1], text.data() + written, text.size() - written);
      if (n <= 0 && errno != EINTR) _exit(1);
      if (n > 0) written += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    out.output.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  out.ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  out.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
  return out;
}

/// Runs `make` in a child process and returns its record: these fields, the note, and the
/// `peak_bytes` of the process. If the process failed, only the note is set and says so.
template <class Record, class Make, class... Fields>
Record record_of_child(Make make, Fields Record::*... fields) {
  const child_result done = in_child([&] {
    const Record r = make();
    std::ostringstream text;
    ((text << r.*fields << ' '), ...);
    text << r.note;
    return text.str();
  });
  Record out;
  std::istringstream text(done.output);
  if (!done.ended || !(text >> ... >> (out.*fields))) {
    out = {};
    out.note = "the process ended without an answer";
  }
  text.ignore();
  if (out.note.empty()) std::getline(text, out.note, '\0');
  out.peak_bytes = done.peak_bytes;
  return out;
}

}  // namespace mapping_benchmark
