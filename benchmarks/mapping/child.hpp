// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mapping_benchmark {

/// What a process wrote, and what it took.
struct child_result {
  bool ended = false;            ///< it came to its end, and not by a signal
  std::string output;            ///< what it returned
  double cpu_s = 0;              ///< of all its threads
  std::uint64_t peak_bytes = 0;  ///< the most memory it held, the program's own included
};

/// Runs `task`, which returns a text, in a process of its own, so that its memory and its faults
/// are its own.
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
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  out.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  out.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
  return out;
}

}  // namespace mapping_benchmark
