// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/choose.hpp>

#include <doctest/doctest.h>

#include "toy_backend.hpp"

namespace {

template <wf::fixed_string Name>
auto toy_backend(std::int64_t nanoseconds) {
  return wf::make_backend<Name>(
      toy::plan, toy::translate_step,
      [nanoseconds](const toy::artifact&) -> wf::result<std::int64_t> { return nanoseconds; });
}
auto broken() {
  return wf::make_backend<"broken">(
      toy::plan, wf::step<"translate">([](const wf::graph&) -> wf::result<toy::artifact> {
        return wf::make_error(wf::errc::not_executable, "scaled", "it is broken");
      }));
}
template <class... Backends>
auto compile(const Backends&... backends) {
  return wf::compile_for<toy::arguments, std::string>(toy::scaled.graph(), {}, backends...);
}

constexpr std::size_t best_of(std::int64_t a, std::int64_t b) {
  const wf::backend_offer offers[] = {{wf::text("a"), a, {}}, {wf::text("b"), b, {}}};
  return wf::detail::best_offer(offers);
}
static_assert(best_of(1, 2) == 0 && best_of(2, 1) == 1 && best_of(2, 2) == 0);

}  // namespace

TEST_CASE("the back end that predicts the shortest run is chosen, and the choice explained") {
  const auto made = compile(toy_backend<"slow">(2500), broken(), toy_backend<"fast">(1000),
                            toy_backend<"even">(1000));
  REQUIRE(made);
  CHECK(made->backend() == "fast");
  CHECK(*(*made)({}) == "scaled MxN multiply with 0");
  CHECK(made->explain().view() ==
        "back ends for 'scaled':\n"
        "  slow    2,500 ns  2.50 times as long\n"
        "  broken  WF704 in 'scaled' at step 'translate': it is broken\n"
        "  fast    1,000 ns  chosen\n"
        "  even    1,000 ns  1.00 times as long\n");
}

TEST_CASE("what runs is the chosen back end's program") {
  const auto loud = toy_backend<"loud">(5).with_storage(std::string("loud: "));
  CHECK(*(*compile(toy_backend<"quiet">(9), loud))({}) == "loud: scaled MxN multiply with 0");
  CHECK(*(*compile(loud, toy_backend<"quiet">(4)))({}) == "scaled MxN multiply with 0");
}

TEST_CASE("a back end without a prediction is no candidate") {
  const auto made = compile(toy_backend<"slow">(9).with_prediction(wf::no_prediction()));
  REQUIRE(!made);
  CHECK(made.error().code == wf::errc::no_backend);
  CHECK(made.error().message.view() ==
        "no back end can run it; slow: WF305 in 'slow': the back end predicts nothing");
}

TEST_CASE("no back end at all is an error that says why each cannot") {
  const auto made = compile(broken());
  REQUIRE(!made);
  CHECK(made.error().code == wf::errc::no_backend);
  CHECK(made.error().subject.view() == "scaled");
}
