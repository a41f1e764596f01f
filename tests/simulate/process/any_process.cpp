// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/any_process.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

// Counts its runs, and wakes at a tick.
struct counting {
  using datum = int;
  int runs = 0;
  std::int64_t at = 7;
  wf::view<wf::expected_input> inputs() const { return {}; }
  std::uint32_t outputs() const { return 2; }
  wf::result<bool> update(std::uint32_t, int d, std::int64_t) { return d > 0; }
  std::int64_t work(std::int64_t now) const { return now + 1; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    if (++runs == 3) return wf::make_error(wf::errc::simulation_failed, "", "worn out");
    emit(0u, runs);
    emit(1u, -runs);
    return wf::nothing{};
  }
  std::int64_t wake(std::int64_t) const { return at; }
};
struct idle : counting {
  std::int64_t wake(std::int64_t) const = delete;
};

constexpr bool changes_its_type_while_compiling() {
  using either = wf::one_of<counting, idle>;
  either a = counting{}, b = idle{};
  b = a;
  a = idle{};
  either& same = a;
  a = same;
  return b.as<counting>() != nullptr && a.as<idle>() != nullptr && a.as<counting>() == nullptr;
}
static_assert(changes_its_type_while_compiling());

template <class P>
void check_behaves(P p) {
  CHECK(p.outputs() == 2);
  CHECK(p.inputs().empty());
  CHECK(p.work(4) == 5);
  CHECK(*p.update(0, 1, 0));
  CHECK_FALSE(*p.update(0, 0, 0));
  std::vector<int> sent;
  const auto emit = [&](std::uint32_t, int d) { sent.push_back(d); };
  CHECK(p.generate_output(0, emit));
  P other = p;  // with its state
  CHECK(p.generate_output(0, emit));
  CHECK(sent == std::vector<int>{1, -1, 2, -2});
  CHECK(p.generate_output(0, emit).error().message.view() == wf::text_view("worn out"));
  CHECK(other.generate_output(0, emit));
  CHECK(sent.back() == -2);
  P moved = std::move(other);
  other = moved;
  CHECK(other.outputs() == 2);
}

}  // namespace

TEST_CASE("erased and variant processes behave as what they hold, and copy it") {
  check_behaves<wf::any_process<int>>(counting{});
  check_behaves<wf::any_process<int>>(idle{});
  check_behaves<wf::one_of<counting, idle>>(counting{});
  check_behaves<wf::one_of<counting, idle>>(idle{});
  wf::any_process<int> erased = counting{};
  wf::one_of<counting, idle> variant = idle{};
  variant = counting{};
  CHECK(erased.wake(0) == 7);
  CHECK(variant.wake(0) == 7);
  CHECK(erased.as<counting>().runs == 0);
  CHECK(variant.as<counting>()->at == 7);
  CHECK(variant.as<idle>() == nullptr);
  CHECK(wf::any_process<int>(idle{}).wake(0) == wf::sim::never);
  CHECK(wf::one_of<counting, idle>(idle{}).wake(0) == wf::sim::never);
}
