// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/process/process.hpp>

#include <cstdint>
#include <vector>

namespace wf_test {

/// A process with fixed rates and a state: what it emits depends on all that it took, by input and
/// in the order of each input, and not on time or on the order of inputs.
class rated {
 public:
  using datum = std::int64_t;

  rated() = default;
  /// `early`: says so many data too soon that it can run; `more`: emits so many more than it says.
  rated(const std::vector<std::uint32_t>& consumed, const std::vector<std::uint32_t>& produced,
        std::int64_t ticks, std::uint32_t early = 0, std::uint32_t more = 0)
      : consumed_(consumed),
        produced_(produced),
        sums_(consumed.size()),
        ticks_(ticks),
        early_(early),
        more_(more) {
    for (const std::uint32_t c : consumed) {
      inputs_.push_back({wf::text("in"), wf::usage::data, {}});
      missing_ += c;
    }
  }
  wf::view<wf::expected_input> inputs() const { return inputs_; }
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(produced_.size()); }
  std::uint32_t consumes(std::uint32_t input) const { return consumed_[input]; }
  std::uint32_t produces(std::uint32_t output) const { return produced_[output]; }
  wf::result<bool> update(std::uint32_t input, std::int64_t d, std::int64_t) {
    sums_[input] = (sums_[input] * 31 + d) % 1'000'003;
    return --missing_ <= early_;
  }
  std::int64_t work(std::int64_t) const { return ticks_; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    for (std::size_t k = 0; k < consumed_.size(); ++k) {
      state_ = (state_ * 37 + sums_[k]) % 1'000'003;
      missing_ += consumed_[k];
    }
    for (std::uint32_t o = 0; o < produced_.size(); ++o)
      for (std::uint32_t k = 0; k < produced_[o] + more_; ++k) emit(o, state_ + o + 10 * k);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_;
  std::vector<std::uint32_t> consumed_, produced_;
  std::vector<std::int64_t> sums_;
  std::int64_t ticks_ = 0, state_ = 1;
  std::uint32_t missing_ = 0, early_ = 0, more_ = 0;
};
static_assert(wf::rated_process<rated>);

}  // namespace wf_test
