// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>

#include <selection/decimal.hpp>
#include <selection/instance.hpp>
#include <selection/lines.hpp>

namespace selection_benchmark {

/// Reads a multiple-choice knapsack: `n m`, m capacities, and for each class its item count and
/// rows `value w1..wm`. The value is maximised: the cost of an item is the largest value of its
/// class less its own.
class mmkp_reader {
 public:
  explicit mmkp_reader(wf::text_view source) : lines_(source) {}

  wf::result<instance> read() {
    if (!head()) return lines_.error();
    for (std::uint32_t k = 0; k < classes_; ++k)
      if (!one_class()) return lines_.error();
    if (!lines_.at_end("the last class") || !build()) return lines_.error();
    return std::move(out_);
  }

 private:
  struct item {
    std::uint32_t owner = 0;
    decimal value;
  };

  bool head() {
    std::int64_t classes = 0, resources = 0;
    if (!lines_.next("the numbers of classes and resources") ||
        !lines_.expect_size(2, "the first line") ||
        !lines_.integer(0, "the number of classes", 1, 1'000'000, classes) ||
        !lines_.integer(1, "the number of resources", 0, 100'000, resources))
      return false;
    classes_ = static_cast<std::uint32_t>(classes);
    resources_ = static_cast<std::uint32_t>(resources);
    wf::selection_problem& p = out_.problem;
    if (resources_ != 0 && (!lines_.next("the capacities") ||
                            !lines_.expect_size(resources_, "the line of capacities")))
      return false;
    for (std::uint32_t m = 0; m < resources_; ++m) {
      std::int64_t capacity = 0;
      if (!lines_.integer(m, "a capacity", 0, largest_number, capacity)) return false;
      p.add_limit(p.add_metric(wf::text("resource ") << m + 1), capacity);
    }
    out_.objective = p.add_metric("value lost");
    p.objective = wf::minimise_metric(out_.objective);
    return true;
  }

  bool one_class() {
    std::int64_t count = 0;
    if (!lines_.next("the last class") || !lines_.expect_size(1, "the item count") ||
        !lines_.integer(0, "the item count", 1, 1'000'000, count))
      return false;
    const std::uint32_t owner = out_.problem.add_class();
    out_.problem.add_root(owner);
    for (std::int64_t i = 0; i < count; ++i) {
      item added{owner, {}};
      if (!lines_.next("the last item of a class") ||
          !lines_.expect_size(resources_ + std::size_t{1}, "an item") ||
          !lines_.number(0, "a value", added.value))
        return false;
      for (std::uint32_t m = 0; m < resources_; ++m) {
        std::int64_t use = 0;
        if (!lines_.integer(m + std::size_t{1}, "a use", -largest_number, largest_number, use))
          return false;
        uses_.push_back(use);
      }
      decimals_ = std::max(decimals_, added.value.decimals);
      items_.push_back(added);
    }
    return true;
  }

  bool build() {
    out_.maximised = true;
    out_.scale = power_of_ten(decimals_);
    std::vector<std::int64_t> best(classes_, INT64_MIN), row(resources_ + std::size_t{1});
    std::vector<std::int64_t> values(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!scaled(items_[i].value, decimals_, values[i]))
        return lines_.fail("the values have no common unit in which all are at most 1e17");
      best[items_[i].owner] = std::max(best[items_[i].owner], values[i]);
    }
    for (const std::int64_t value : best)
      if (!wf::checked_add(out_.offset, value, out_.offset))
        return lines_.fail("the values do not fit 64 bits");
    for (std::size_t i = 0; i < items_.size(); ++i) {
      for (std::uint32_t m = 0; m < resources_; ++m) row[m] = uses_[i * resources_ + m];
      row[resources_] = best[items_[i].owner] - values[i];
      out_.problem.add_candidate(items_[i].owner, {}, row);
    }
    return true;
  }

  line_reader lines_;
  std::uint32_t classes_ = 0, resources_ = 0;
  std::vector<item> items_;
  std::vector<std::int64_t> uses_;
  int decimals_ = 0;
  instance out_;
};

/// Reads a multiple-choice knapsack; errors: `graph_syntax` with its line. O(size).
inline wf::result<instance> read_mmkp(wf::text_view source) { return mmkp_reader(source).read(); }

}  // namespace selection_benchmark
