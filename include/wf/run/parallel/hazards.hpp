// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include <wf/core/container/table.hpp>
#include <wf/run/parallel/step_graph.hpp>

namespace wf {

/// A step reads or writes the elements from `begin` to before `end` of a space of storage.
struct storage_access {
  std::uint32_t step = 0;   ///< the step, by its number
  std::uint32_t space = 0;  ///< storage of different spaces shares no element
  std::uint64_t begin = 0;  ///< the first element
  std::uint64_t end = 0;    ///< behind the last one; nothing is accessed if it is not above `begin`
  bool is_written = false;  ///< whether the step writes; otherwise it reads
};

namespace detail {

// The last accesses to each element of one space, as intervals.
class space_history {
 public:
  // Reports `found(before, after)` for what the access must wait for.
  template <class Found>
  void access(const storage_access& a, Found&& found) {
    if (a.begin >= a.end) return;
    split(a.begin);
    split(a.end);
    for (auto at = parts_.find(a.begin); at != parts_.end() && at->first < a.end; ++at) {
      part& p = at->second;
      if (p.writer != none) found(p.writer, a.step);
      if (!a.is_written) {
        if (p.readers.empty() || p.readers.back() != a.step) p.readers.push_back(a.step);
        continue;
      }
      for (const std::uint32_t reader : p.readers) found(reader, a.step);
      p.readers.clear();
      p.writer = a.step;
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct part {
    std::uint32_t writer = none;
    std::vector<std::uint32_t> readers;  // since it was written
  };

  // Lets a part begin at an element.
  void split(std::uint64_t element) {
    const auto next = parts_.upper_bound(element);
    const auto within = std::prev(next);
    if (within->first != element) parts_.emplace_hint(next, element, within->second);
  }

  std::map<std::uint64_t, part> parts_{{0, {}}};  // by the first element
};

}  // namespace detail

/// What steps must wait for so that the accesses to each element keep their order, except that
/// reads may change places: a step waits for the write of what it reads, and for all earlier
/// accesses to what it writes. `accesses` are in the order of a serial run; a step's reads come
/// before its writes. O(a log a) for a accesses to storage that is not cut in pieces, at most the
/// sum over all accesses of the pieces that others cut theirs into.
inline table<step_dependence> hazards_of(view<storage_access> accesses) {
  std::map<std::uint32_t, detail::space_history> spaces;
  table<step_dependence> out;
  for (const storage_access& a : accesses)
    spaces[a.space].access(a, [&](std::uint32_t before, std::uint32_t after) {
      if (before != after) out.push_back({before, after});
    });
  return out;
}

}  // namespace wf
