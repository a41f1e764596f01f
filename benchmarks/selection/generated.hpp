// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/select/problem.hpp>

#include <selection/instance.hpp>

namespace selection_benchmark {

/// A pseudorandom generator that depends on the seed alone (SplitMix64; Steele, Lea and Flood
/// 2014).
class draw {
 public:
  explicit draw(std::uint64_t seed) : state_(seed) {}

  /// A number from 0 to `end` - 1.
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(next() % end); }
  /// A number from `least` to `most`.
  std::uint32_t within(std::uint32_t least, std::uint32_t most) {
    return least + below(most - least + 1);
  }
  /// True with probability 1/`times`.
  bool once_in(std::uint32_t times) { return below(times) == 0; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

/// Register allocation for synthetic straight-line code with loops: a class for each live range,
/// whose candidates are the allowed registers, and memory. Values that are live at the same time
/// exclude each other's registers, so that points of high register pressure form cliques; a value
/// may occupy two registers; calls make some registers more expensive; a copy costs something
/// unless both values are in the same place.
class register_problem {
 public:
  explicit register_problem(draw random) : random_(random) {}

  wf::selection_problem make() {
    registers_ = random_.within(3, 7);
    const std::uint32_t values = random_.within(24, 54);
    const std::uint32_t points = values * random_.within(2, 3);
    crowd_ = random_.within(registers_, registers_ + 4);
    lay_out(points);
    for (std::uint32_t i = 0; i < values; ++i) add_value(points);
    problem_.objective = wf::minimise_metric(problem_.add_metric("cost"));
    for (value& v : values_) add_class(v);
    for (std::size_t i = 0; i < values_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) join(values_[i], values_[j]);
    return std::move(problem_);
  }

 private:
  struct stretch {
    std::uint32_t begin = 0, end = 0;
  };
  struct value {
    std::vector<stretch> live;
    std::uint32_t width = 1;            ///< number of registers it occupies
    std::vector<std::uint32_t> first;   ///< the first register of each candidate other than memory
    std::vector<std::uint32_t> number;  ///< the index of each candidate
  };

  /// Decides how often each program point runs, and where calls are.
  void lay_out(std::uint32_t points) {
    weight_.assign(points, 1);
    call_.assign(points, false);
    load_.assign(points, 0);
    for (std::uint32_t loops = random_.below(5); loops > 0; --loops) {
      const std::uint32_t begin = random_.below(points), size = random_.within(2, points / 3);
      for (std::uint32_t p = begin; p < std::min(points, begin + size); ++p)
        weight_[p] = std::min<std::int64_t>(10 * weight_[p], 1000);
    }
    for (std::uint32_t calls = random_.below(6); calls > 0; --calls)
      call_[random_.below(points)] = true;
  }

  /// Adds a live range of one or two intervals, where register pressure permits.
  void add_value(std::uint32_t points) {
    value v;
    for (std::uint32_t count = random_.once_in(6) ? 2 : 1; count > 0; --count) {
      const std::uint32_t most = random_.once_in(3) ? points / 2 : points / 8 + 2;
      const std::uint32_t size = random_.within(2, most), begin = random_.below(points - 1);
      stretch s{begin, begin};
      while (s.end < points && s.end - begin < size && load_[s.end] < crowd_) ++load_[s.end++];
      if (s.end > s.begin) v.live.push_back(s);
    }
    if (!v.live.empty()) values_.push_back(v);
  }

  void add_class(value& v) {
    const std::uint32_t owner = problem_.add_class();
    problem_.add_root(owner);
    std::int64_t uses = 0, across = 0;
    for (const stretch& s : v.live) {
      for (std::uint32_t left = random_.within(1, 3); left > 0; --left)
        uses += weight_[random_.within(s.begin, s.end - 1)];
      for (std::uint32_t p = s.begin; p < s.end; ++p) across += call_[p] ? weight_[p] : 0;
    }
    const std::int64_t spilled[] = {100 * uses + random_.below(40)};
    problem_.add_candidate(owner, {}, spilled);
    v.width = registers_ > 3 && random_.once_in(8) ? 2 : 1;
    const bool narrow = random_.once_in(4);  // only some registers are allowed
    for (std::uint32_t r = 0; r + v.width <= registers_; r += v.width) {
      if (narrow && r > 0 && random_.once_in(2)) continue;
      const bool saved = 2 * r >= registers_;
      const std::int64_t cost[] = {saved ? random_.below(3) * 10 : 20 * across};
      v.first.push_back(r);
      v.number.push_back(problem_.add_candidate(owner, {}, cost));
    }
  }

  static bool meet(const value& a, const value& b) {
    for (const stretch& s : a.live)
      for (const stretch& t : b.live)
        if (s.begin < t.end && t.begin < s.end) return true;
    return false;
  }

  void join(const value& a, const value& b) {
    if (meet(a, b)) {
      for (std::size_t i = 0; i < a.first.size(); ++i)
        for (std::size_t j = 0; j < b.first.size(); ++j)
          if (a.first[i] < b.first[j] + b.width && b.first[j] < a.first[i] + a.width)
            problem_.exclude_pair(a.number[i], b.number[j]);
      return;
    }
    const bool copied = a.live[0].begin == b.live[0].end || random_.once_in(200);
    if (!copied) return;
    const std::int64_t move[] = {weight_[a.live[0].begin] * random_.within(1, 5)};
    for (std::size_t i = 0; i < a.first.size(); ++i)
      for (std::size_t j = 0; j < b.first.size(); ++j)
        if (a.first[i] != b.first[j]) problem_.add_pair(a.number[i], b.number[j], move);
  }

  draw random_;
  std::uint32_t registers_ = 0, crowd_ = 0;
  std::vector<std::int64_t> weight_;
  std::vector<bool> call_;
  std::vector<std::uint32_t> load_;
  std::vector<value> values_;
  wf::selection_problem problem_;
};

/// Extraction from synthetic layers of expressions: a class of a layer needs some nearby classes of
/// the layers below, and shares them with others. `limited`: two more metrics have limits slightly
/// above the use of cheap selections; `cyclic`: some candidates need classes above.
class extraction_problem {
 public:
  extraction_problem(draw random, bool limited, bool cyclic)
      : random_(random), limited_(limited), cyclic_(cyclic) {}

  wf::selection_problem make() {
    problem_.objective = wf::minimise_metric(problem_.add_metric("cost"));
    if (limited_) {
      problem_.add_metric("size");
      problem_.add_metric("traffic");
    }
    const std::uint32_t layers = random_.within(2, 3);
    const std::uint32_t width = random_.within(18, limited_ ? 26 : 34);
    reach_ = random_.within(8, width);
    for (std::uint32_t k = 0; k < layers * width; ++k) problem_.add_class();
    for (std::uint32_t k = 0; k < layers * width; ++k) add_class(k, layers, width);
    for (std::uint32_t k = 0; k < width; ++k)
      if (layers == 2 || !random_.once_in(3)) problem_.add_root(k);
    problem_.add_root(width - 1);
    if (limited_) limit(layers * width);
    return std::move(problem_);
  }

 private:
  void add_class(std::uint32_t k, std::uint32_t layers, std::uint32_t width) {
    const std::uint32_t layer = k / width, at = k % width;
    const bool last = layer + 1 == layers;
    for (std::uint32_t n = last ? 1 : random_.within(2, 5); n > 0; --n) {
      std::vector<std::uint32_t> needs;
      for (std::uint32_t c = last ? 0 : random_.within(1, 3); c > 0; --c) {
        const std::uint32_t near = (at + random_.below(reach_)) % width;
        needs.push_back(random_.within(layer + 1, std::min(layer + 2, layers - 1)) * width + near);
      }
      if (cyclic_ && n > 1 && random_.once_in(3))
        needs.push_back(random_.below(layer + 1) * width + (at + random_.below(reach_)) % width);
      std::vector<std::int64_t> row{last ? random_.within(5, 12) : random_.below(5)};
      for (std::uint32_t m = 1; m < problem_.metrics.size(); ++m) row.push_back(random_.below(20));
      problem_.add_candidate(k, needs, row);
    }
  }

  /// Sets limits at or below about the use of a selection with the first candidate of every class.
  void limit(std::uint32_t classes) {
    for (std::uint32_t m = 1; m < problem_.metrics.size(); ++m)
      problem_.add_limit(m, std::int64_t{classes} * random_.within(45, 80) / 10);
  }

  draw random_;
  bool limited_, cyclic_;
  std::uint32_t reach_ = 0;  ///< the largest distance between a class and those that it needs
  wf::selection_problem problem_;
};

/// Choices on a synthetic graph: neighbours exclude each other's choices, or pay for a difference.
inline wf::selection_problem graph_problem(draw random) {
  wf::selection_problem out;
  out.objective = wf::minimise_metric(out.add_metric("cost"));
  const std::uint32_t size = random.within(22, 34), colours = random.within(3, 4);
  for (std::uint32_t k = 0; k < size; ++k) {
    out.add_root(out.add_class());
    for (std::uint32_t c = 0; c < colours; ++c) {
      const std::int64_t cost[] = {random.below(20)};
      out.add_candidate(k, {}, cost);
    }
  }
  for (std::uint32_t a = 0; a < size; ++a)
    for (std::uint32_t b = 0; b < a; ++b) {
      if (!random.once_in(size / 5)) continue;
      const bool priced = random.once_in(4);
      for (std::uint32_t c = 0; c < colours; ++c) {
        const std::int64_t cost[] = {random.within(1, 12)};
        if (priced)
          out.add_pair(a * colours + c, b * colours + random.below(colours), cost);
        else
          out.exclude_pair(a * colours + c, b * colours + c);
      }
    }
  return out;
}

/// The families of generated problems.
enum class family : std::uint8_t { registers, layers, limited, cyclic, graphs };
inline constexpr const char* family_names[] = {"registers", "layers", "limited", "cyclic",
                                               "graphs"};

/// A problem of a family, identical on every machine. Most have a size at which a search dives,
/// cuts and branches.
inline wf::selection_problem generated_problem(family f, std::uint64_t seed) {
  const draw random(seed * std::size(family_names) + static_cast<std::uint64_t>(f));
  switch (f) {
    case family::registers:
      return register_problem(random).make();
    case family::graphs:
      return graph_problem(random);
    default:
      return extraction_problem(random, f == family::limited, f == family::cyclic).make();
  }
}

}  // namespace selection_benchmark
