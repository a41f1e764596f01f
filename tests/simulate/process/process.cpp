// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/process.hpp>

#include <doctest/doctest.h>

namespace {

constexpr bool a_task_takes_runs_and_sends() {
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("a"), wf::usage::data, {}});
  in.push_back({wf::text("b"), wf::usage::order, {}});
  wf::table<std::int64_t> sizes;
  sizes.push_back(64);
  sizes.push_back(8);
  wf::task_process p(in, 10, sizes);
  for (int round = 0; round < 2; ++round) {
    if (*p.update(0, {8}, 3) || !*p.update(1, {0}, 5) || p.work(5) != 10) return false;
    std::int64_t sent = 0;
    if (!p.generate_output(15,
                           [&](std::uint32_t k, wf::payload d) { sent = sent * 100 + d.size + k; }))
      return false;
    if (sent != 64 * 100 + 9) return false;
  }
  return p.inputs().size() == 2 && p.outputs() == 2;
}
static_assert(a_task_takes_runs_and_sends());
static_assert(wf::process<wf::task_process> && !wf::waking_process<wf::task_process>);

struct typed {
  std::int64_t bytes() const { return 12; }
  wf::value_type type() const { return {wf::dtype::f32, {}, wf::shape::of(3)}; }
};

}  // namespace

TEST_CASE("data state their size and type, or have those of their C++ type") {
  CHECK(wf::datum_traits<double>::bytes(1.0) == 8);
  CHECK(wf::datum_traits<double>::type(1.0).type == wf::dtype::unknown);
  CHECK(wf::datum_traits<wf::payload>::bytes({5}) == 5);
  CHECK(wf::datum_traits<wf::payload>::type({5}).type == wf::dtype::unknown);
  CHECK(wf::datum_traits<typed>::bytes({}) == 12);
  CHECK(wf::datum_traits<typed>::type({}).type == wf::dtype::f32);
  CHECK(wf::is_untyped<double>);
  CHECK(wf::is_untyped<wf::payload>);
  CHECK_FALSE(wf::is_untyped<typed>);
}

TEST_CASE("states have names") {
  CHECK(wf::name_of(wf::process_state::blocked) == wf::text_view("blocked"));
  CHECK(wf::name_of(static_cast<wf::process_state>(99)) == wf::text_view("unknown"));
}
