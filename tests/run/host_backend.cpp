// SPDX-License-Identifier: BSL-1.0
#include <wf/run/host_backend.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/run/dynamic.hpp>

namespace {

// alpha·A·B·x, cheapest from the right.
constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "K">();
  auto b = s.input<"B", double, "K", "M">();
  auto x = s.input<"x", double, "M", 1>();
  auto alpha = s.input<"alpha", double>();
  s.output<"y">(alpha * (a * b * x));
});

wf::named_matrices arguments(Eigen::Index m, Eigen::Index k, double alpha) {
  wf::named_matrices out;
  out["A"] = wf::dynamic_matrix::Random(m, k);
  out["B"] = wf::dynamic_matrix::Random(k, m);
  out["x"] = wf::dynamic_matrix::Random(m, 1);
  out["alpha"] = wf::dynamic_matrix::Constant(1, 1, alpha);
  return out;
}
wf::dynamic_matrix expected(const wf::named_matrices& a) {
  return a.at("alpha")(0, 0) * (a.at("A") * (a.at("B") * a.at("x")));
}
wf::type_args sizes(std::int64_t m, std::int64_t k) {
  return {{}, {wf::static_arg("M", m), wf::static_arg("K", k)}};
}
wf::compile_settings array_of(std::int32_t columns) {
  wf::compile_settings s;
  s.array.columns = columns;
  s.array.memory_bytes = 1 << 20;
  s.array.macs_per_cycle = 64;
  s.array.vector_ops_per_cycle = 64;
  s.array.dram_bytes_per_cycle = 256;
  return s;
}

}  // namespace

TEST_CASE("the host back end runs the proven plan, the reference what was written") {
  const wf::named_matrices a = arguments(30, 20, 0.5);
  const auto host = wf::host_backend(), host_again = wf::host_backend();
  const auto made = host.compile(chain.graph(), sizes(30, 20));
  CAPTURE(wf::to_text(made.error()).view());
  REQUIRE(made);
  const auto written = wf::reference_backend().compile(chain.graph(), sizes(30, 20));
  REQUIRE(written);
  CHECK(*wf::price(made->chosen.view(), wf::flops) < *wf::price(written->chosen.view(), wf::flops));
  CHECK(made->nanoseconds < written->nanoseconds);
  CHECK(host.load(*made)(a)->at("y").isApprox(expected(a)));
  CHECK(wf::reference_backend().load(*written)(a)->at("y").isApprox(expected(a)));
  CHECK(*made == *host_again.compile(chain.graph(), sizes(30, 20)));
}

TEST_CASE("acceptance group 8: calls on demand and programs ahead of time are one on the host") {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("alpha"));
  const auto ahead = wf::make_program(wf::host_backend(), chain.graph(), options);
  const auto demand = wf::make_program(wf::host_backend(), chain.graph(), options);
  REQUIRE(ahead);
  const wf::static_choices choices[] = {wf::choices_of("M", {5, 6}), wf::choices_of("K", {3}),
                                        wf::choices_of("alpha", {0.5, 2.0})};
  REQUIRE(ahead->compile_all(choices));
  for (const Eigen::Index m : {5, 6})
    for (const double alpha : {0.5, 2.0}) {
      const wf::named_matrices a = arguments(m, 3, alpha);
      const auto x = (*ahead)(a), y = (*demand)(a);
      REQUIRE(x);
      REQUIRE(y);
      CHECK(x->at("y").isApprox(expected(a)));
      CHECK(x->at("y") == y->at("y"));
      wf::type_args args = sizes(m, 3);
      args.fixed.push_back(wf::static_arg("alpha", alpha));
      CHECK(**ahead->artifact_for(args) == **demand->artifact_for(args));
      CHECK(wf::encode(**ahead->artifact_for(args)).view() ==
            wf::encode(**demand->artifact_for(args)).view());
    }
  CHECK(ahead->counters().misses == 4);
  CHECK(demand->counters().misses == 4);
}

TEST_CASE("an artifact is written and read again") {
  const auto made = wf::host_backend().compile(chain.graph(), sizes(7, 5));
  REQUIRE(made);
  const auto read = wf::decode<wf::host_artifact>(wf::encode(*made).view());
  REQUIRE(read);
  CHECK(*read == *made);
  const wf::named_matrices a = arguments(7, 5, 1);
  CHECK(wf::host_backend().load(*read)(a)->at("y").isApprox(expected(a)));
  CHECK(!wf::decode<wf::host_artifact>("12"));
  CHECK(!wf::decode<wf::host_artifact>("x\n"));
  CHECK(!wf::decode<wf::host_artifact>(""));
}

TEST_CASE("compile chooses the back end with the shortest prediction and explains it") {
  const auto made = wf::compile(chain.graph(), sizes(30, 20));
  REQUIRE(made);
  CHECK(made->backend() == "host");
  CHECK(made->explain().view().starts_with("back ends for 'chain':\n  host "));
  const wf::named_matrices a = arguments(30, 20, 0.5);
  CHECK((*made)(a)->at("y").isApprox(expected(a)));

  // An array that is fast enough wins, a slow clock makes it lose.
  const auto s = array_of(4);
  const auto fast =
      wf::compile(chain.graph(), sizes(30, 20), wf::host_backend(s), wf::array_backend(s, 10));
  REQUIRE(fast);
  CHECK(fast->backend() == "array");
  CHECK((*fast)(a)->at("y").isApprox(expected(a)));
  const auto slow =
      wf::compile(chain.graph(), sizes(30, 20), wf::host_backend(s), wf::array_backend(s, 1000000));
  REQUIRE(slow);
  CHECK(slow->backend() == "host");
  CHECK(slow->choice().offers.size() == 2);
}

TEST_CASE("the array predicts the time of its cycles, rounded up") {
  const auto s = array_of(4);
  const auto one = wf::array_backend(s).compile(chain.graph(), sizes(30, 20));
  REQUIRE(one);
  const std::int64_t cycles = one->nanoseconds;
  CHECK(cycles > 1);
  CHECK(*wf::array_backend(s).predict(*one) == cycles);
  const auto fast = wf::array_backend(s, 1).compile(chain.graph(), sizes(30, 20));
  REQUIRE(fast);
  CHECK(fast->nanoseconds == (cycles + 999) / 1000);
  const auto slow = wf::array_backend(s, INT64_MAX).compile(chain.graph(), sizes(30, 20));
  CHECK(slow.error().code == wf::errc::overflow);
  CHECK(slow.error().step.view() == "place/pack");
}

TEST_CASE("a workflow that nothing can run is an error that says why") {
  const auto loop = wf::capture(
      "loop", [](wf::scope& s) { s.output("y", relu(s.input<double>("x", wf::shape::of("N")))); });
  const auto refused = wf::compile(loop->view());
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::no_backend);
  wf::compile_settings s = array_of(1);
  s.array.memory_bytes = 8;
  const auto small = wf::compile(chain.graph(), sizes(30, 20), wf::array_backend(s));
  REQUIRE(!small);
  CHECK(small.error().message.view().starts_with("no back end can run it; array: WF601"));
}

TEST_CASE("a lint speaks when the program is made") {
  const auto unused = wf::capture("unused", [](wf::scope& s) {
    auto a = s.input<double>("A", wf::shape::of(3));
    (void)s.input<double>("B", wf::shape::of(3));
    s.output("y", a);
  });
  wf::compile_settings strict;
  strict.lint.warnings_as_errors = true;
  CHECK(wf::make_program(wf::host_backend(strict), unused->view()).error().code ==
        wf::errc::lint_failed);
  CHECK(wf::make_program(wf::host_backend(), unused->view()).has_value());
}

TEST_CASE("arrays are compiled in, a variant for each") {
  wf::program_options options;
  options.static_inputs = {wf::text("A"), wf::text("alpha")};
  const auto p = wf::make_program(wf::host_backend(), chain.graph(), options);
  REQUIRE(p);
  wf::named_matrices a = arguments(6, 4, 0.5);
  for (int round = 0; round < 3; ++round) {
    const auto y = (*p)(a);
    CAPTURE(wf::to_text(y.error()).view());
    REQUIRE(y);
    CHECK(y->at("y").isApprox(expected(a)));
    a["x"].setRandom();
  }
  CHECK(p->counters().misses == 1);
  a["A"](2, 3) += 1e-3;
  const auto y = (*p)(a);
  REQUIRE(y);
  CHECK(y->at("y").isApprox(expected(a), 1e-12));
  CHECK(p->counters().misses == 2);
  // The artifact holds the array: it runs elsewhere, without it.
  const auto known = wf::host_program::types_of(chain.graph(), a, options.static_inputs);
  REQUIRE(known);
  const auto artifact = p->artifact_for(*known);
  REQUIRE(artifact);
  const auto stored = wf::decode_stage(wf::encode_stage(**artifact).view(),
                                       std::type_identity<wf::host_artifact>());
  REQUIRE(stored);
  a.erase("A");
  a.erase("alpha");
  CHECK(wf::host_backend().load(*stored)(a)->at("y") == y->at("y"));
}
