// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/choose.hpp>

#include <doctest/doctest.h>

#include "script_backend.hpp"
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

TEST_CASE("back ends that begin with another definition than a graph are chosen alike") {
  const auto slow = scripts::backend.with_prediction(
      [](const scripts::artifact&) -> wf::result<std::int64_t> { return 1000; });
  // A back end on graphs that begins with the same definition.
  const auto lowered = toy_backend<"lowered">(500).prepend(wf::on_data<wf::type_args>(
      wf::step<"lower">([](const scripts::script&) { return wf::graph(toy::scaled.graph()); })));
  const auto made =
      wf::compile_for<toy::arguments, std::string>(scripts::script{"say"}, {}, slow, lowered);
  REQUIRE(made);
  CHECK(made->backend() == "lowered");
  CHECK(*(*made)({}) == "scaled MxN multiply with 0");
  CHECK(made->explain().view() ==
        "back ends for 'say':\n"
        "  script   1,000 ns  2.00 times as long\n"
        "  lowered    500 ns  chosen\n");
  const auto alone = wf::compile_for<toy::arguments, std::string>(
      scripts::script{"say"}, {{}, {wf::static_arg("n", 2)}}, slow);
  CHECK(*(*alone)({}) == "say for n=2 with 0");
}

TEST_CASE("what is chosen takes the containers of the back ends") {
  const auto by_number = [](const auto& b) {
    return b.with_arguments(
        [](int count) {
          toy::arguments out;
          for (int i = 0; i < count; ++i) out.numbers[std::to_string(i)] = i;
          return out;
        },
        [](const std::string& made, int count) {
          return made.size() + static_cast<unsigned>(count);
        });
  };
  const auto made = wf::compile_for<int, std::size_t>(toy::scaled.graph(), {},
                                                      by_number(toy_backend<"slow">(2500)),
                                                      by_number(toy_backend<"fast">(1000)));
  REQUIRE(made);
  CHECK(made->backend() == "fast");
  CHECK(*(*made)(3) == std::string("scaled MxN multiply with 3").size() + 3);
}
