// SPDX-License-Identifier: BSL-1.0
#include <wf/run/host_backend.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/run/dynamic.hpp>

#include "formula_backend.hpp"
#include "labelled.hpp"

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

const formulas::formula chain_formula{"A[M,K] B[K,M] x[M,1] alpha[] -> alpha * (A * (B * x))"};

// Rainfall at stations over hours, with the stations' weights and a factor.
labelled::dataset rainfall(std::size_t hours, double factor) {
  labelled::dataset out;
  for (std::size_t h = 0; h < hours; ++h)
    out.along["hour"].push_back(100.0 + static_cast<double>(h));
  out.along["station"] = {7, 8, 9};
  out.fields["rain"] = {{"hour", "station"}, {}};
  for (std::size_t i = 0; i < 3 * hours; ++i)
    out.fields["rain"].values.push_back(static_cast<double>(i * i));
  out.fields["weight"] = {{"station"}, {0.5, 0.25, 0.125}};
  out.fields["factor"] = {{}, {factor}};
  return out;
}
std::vector<double> expected_mean(const labelled::dataset& d) {
  std::vector<double> out;
  const auto& rain = d.fields.at("rain").values;
  for (std::size_t h = 0; h < d.along.at("hour").size(); ++h)
    out.push_back(d.fields.at("factor").values[0] *
                  (0.5 * rain[3 * h] + 0.25 * rain[3 * h + 1] + 0.125 * rain[3 * h + 2]));
  return out;
}
constexpr auto mean = wf::workflow<"mean">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto w = s.input<"w", double, "N", 1>();
  auto k = s.input<"k", double>();
  s.output<"y">(k * (a * w));
});
const labelled::unwrap fields_of_mean{{{"A", "rain"}, {"w", "weight"}, {"k", "factor"}}};
const labelled::wrap dims_of_mean{{{"y", {"hour"}}}};
auto labelled_host() { return wf::host_backend().with_arguments(fields_of_mean, dims_of_mean); }

struct step_names {
  std::vector<std::string> entered;
  void enter(const wf::step_info& s, const auto&) {
    entered.push_back(static_cast<std::string>(wf::path_of(s).view()));
  }
};

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

  // A fast array is chosen, unless its clock is slow.
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
  // The artifact contains the array, and runs without it.
  const auto known = wf::host_executable::types_of(chain.graph(), a, options.static_inputs);
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

TEST_CASE("a foreign compiler runs the formulas of the host, and makes no graph") {
  formulas::specialised = 0;
  const auto foreign = wf::make_program(formulas::foreign_backend(), chain_formula);
  const auto host = wf::make_program(formulas::for_formulas(wf::host_backend()), chain_formula);
  const auto graphs = wf::make_program(wf::host_backend(), chain.graph());
  static_assert(!decltype(formulas::foreign_backend())::has_graph);
  REQUIRE(foreign);
  REQUIRE(host);
  for (const Eigen::Index m : {4, 5})
    for (const double alpha : {0.5, 2.0}) {
      const wf::named_matrices a = arguments(m, 3, alpha);
      const auto x = (*foreign)(a), y = (*host)(a);
      REQUIRE(x);
      REQUIRE(y);
      CHECK(x->at("y").isApprox(expected(a)));
      CHECK(x->at("y").isApprox(y->at("y")));
      CHECK(y->at("y").isApprox((*graphs)(a)->at("y")));
    }
  CHECK(formulas::specialised == 2);
  CHECK(foreign->counters().misses == 2);
  CHECK(host->counters().misses == 2);
}

TEST_CASE("a foreign compiler has static inputs, policies and an eager lint, too") {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("alpha"));
  const auto p = wf::make_program(formulas::foreign_backend(), chain_formula, options);
  const wf::named_matrices a = arguments(4, 3, 0.5), b = arguments(4, 3, 0.25);
  CHECK((*p)(a)->at("y").isApprox(expected(a)));
  CHECK((*p)(b)->at("y").isApprox(expected(b)));
  CHECK(p->counters().misses == 2);
  const auto made = p->artifact_for(*p->types_of(a));
  REQUIRE(made);
  CHECK((*made)->code.front().kind == 'c');
  CHECK((*made)->code.front().number == 0.5);
  options.policy = wf::compile_policy::ahead_only;
  const auto q = wf::make_program(formulas::foreign_backend(), chain_formula, options);
  CHECK((*q)(a).error().code == wf::errc::not_compiled);
  REQUIRE(q->compile(*p->types_of(a)));
  CHECK((*q)(a)->at("y").isApprox(expected(a)));
  const auto refused =
      wf::make_program(formulas::foreign_backend(), formulas::formula{"A[M] -> A + B"});
  REQUIRE(!refused);
  CHECK(refused.error().step.view() == "front/lint");
  wf::named_matrices unfit = a;
  unfit["x"] = wf::dynamic_matrix::Zero(3, 1);
  CHECK((*p)(unfit).error().code == wf::errc::argument_shape);
  CHECK((*p)(unfit).error().step.view() == "specialise");
}

TEST_CASE("a foreign compiler competes with the host by what it predicts") {
  const wf::named_matrices a = arguments(30, 20, 0.5);
  const auto types = *wf::make_program(formulas::foreign_backend(), chain_formula)->types_of(a);
  const auto choose = [&](std::int64_t nanoseconds) {
    const auto foreign = formulas::foreign_backend().with_prediction(
        [nanoseconds](const formulas::artifact&) -> wf::result<std::int64_t> {
          return nanoseconds;
        });
    // The host receives the sizes of symbols and declared shapes: scalars have no dimensions.
    wf::type_args known = types;
    for (wf::argument_type& t : known.types)
      if (t.name.view() == "alpha") t.type.shape = wf::shape::of();
    return wf::compile_for<wf::named_matrices, wf::named_matrices>(
        chain_formula, known, foreign, formulas::for_formulas(wf::host_backend()));
  };
  const auto fast = choose(1), slow = choose(1000000000);
  REQUIRE(fast);
  REQUIRE(slow);
  CHECK(fast->backend() == "foreign");
  CHECK(slow->backend() == "host");
  CHECK((*fast)(a)->at("y").isApprox((*slow)(a)->at("y")));
  CHECK((*fast)(a)->at("y").isApprox(expected(a)));
}

TEST_CASE("a back end that captures first makes the artifact of the one that is given the graph") {
  const auto b = wf::host_backend().prepend(wf::on_data<wf::type_args>(wf::capture_step));
  static_assert(std::same_as<decltype(b)::definition, wf::workflow_definition>);
  const auto made = b.compile(wf::define(chain), sizes(7, 5));
  REQUIRE(made);
  CHECK(*made == *wf::host_backend().compile(chain.graph(), sizes(7, 5)));
  const auto p = wf::make_program(b, wf::define(chain));
  REQUIRE(p);
  const wf::named_matrices a = arguments(7, 5, 0.5);
  CHECK((*p)(a)->at("y").isApprox(expected(a)));
  CHECK(**p->artifact_for(sizes(7, 5)) == *made);
  CHECK(p->counters().misses == 1);
  CHECK(wf::make_program(b, wf::workflow_definition{"none", nullptr}).error().step.view() ==
        "capture");
}

TEST_CASE("programs take data sets and return them with their coordinates") {
  const auto p = wf::make_program(labelled_host(), mean.graph());
  REQUIRE(p);
  for (const std::size_t hours : {4U, 5U}) {
    const labelled::dataset d = rainfall(hours, 2);
    const auto made = (*p)(d);
    REQUIRE(made);
    CHECK(made->fields.at("y").values == expected_mean(d));
    CHECK(made->fields.at("y").dims == std::vector<std::string>{"hour"});
    CHECK(made->along.at("hour") == d.along.at("hour"));
    CHECK(made->along.count("station") == 0);
    // A loaded artifact alone gives the same results.
    const auto b = labelled_host();
    const auto loaded = b.load(*b.compile(mean.graph(), *p->types_of(d)));
    CHECK(loaded(d)->fields.at("y").values == expected_mean(d));
    CHECK(loaded(d)->along == made->along);
  }
  CHECK(p->counters().misses == 2);
  step_names seen;
  CHECK((*p)(rainfall(4, 2), seen).has_value());
  CHECK(seen.entered == std::vector<std::string>{"unwrap", "run", "wrap"});
}

TEST_CASE("a data set goes back through itself unchanged") {
  constexpr auto same = wf::workflow<"same">([](wf::scope& s) {
    auto a = s.input<"A", double, "M", "N">();
    s.output<"B">(1.0 * a);
  });
  const auto b = wf::reference_backend().with_arguments(
      labelled::unwrap{{{"A", "rain"}}}, labelled::wrap{{{"B", {"hour", "station"}}}});
  const auto p = wf::make_program(b, same.graph());
  const labelled::dataset d = rainfall(6, 1);
  const auto made = (*p)(d);
  REQUIRE(made);
  CHECK(made->fields.at("B").values == d.fields.at("rain").values);
  CHECK(made->fields.at("B").dims == d.fields.at("rain").dims);
  CHECK(made->along == d.along);
}

TEST_CASE("static inputs are compiled in through data sets") {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("k"));
  const auto p = wf::make_program(labelled_host(), mean.graph(), options);
  for (const double factor : {2.0, 4.0, 2.0})
    CHECK((*p)(rainfall(4, factor))->fields.at("y").values == expected_mean(rainfall(4, factor)));
  CHECK(p->counters().misses == 2);
  const auto args = p->types_of(rainfall(4, 2));
  REQUIRE(args);
  const auto made = p->artifact_for(*args);
  REQUIRE(made);
  for (const wf::value& v : (*made)->chosen.view().values)
    CHECK((v.producer != wf::node_id::none || (*made)->chosen.text_of(v.name) != "k"));
}

TEST_CASE("a missing label is an error that names it and the step") {
  const auto p = wf::make_program(labelled_host(), mean.graph());
  labelled::dataset d = rainfall(4, 2);
  d.fields.erase("weight");
  const auto failed = (*p)(d);
  REQUIRE(!failed);
  CHECK(wf::to_text(failed.error()).view() ==
        "WF701 in 'weight' at step 'unwrap': the data set has no such field");
  CHECK(p->counters().misses == 0);
  const auto nameless =
      wf::make_program(labelled_host().replace<"wrap">(labelled::wrap{}), mean.graph());
  CHECK((*nameless)(rainfall(4, 2)).error().step.view() == "wrap");
  labelled::dataset unfit = rainfall(4, 2);
  unfit.fields.at("weight") = {{"hour"}, {1, 2, 3, 4}};
  CHECK((*p)(unfit).error().code == wf::errc::argument_shape);
  CHECK((*p)(unfit).error().step.view() == "run");
}

TEST_CASE("compile_for chooses among back ends that take data sets") {
  const wf::type_args known{{}, {wf::static_arg("M", 4), wf::static_arg("N", 3)}};
  const auto made = wf::compile_for<labelled::dataset, labelled::dataset>(
      mean.graph(), known, labelled_host(),
      wf::reference_backend().with_arguments(fields_of_mean, dims_of_mean));
  REQUIRE(made);
  const labelled::dataset d = rainfall(4, 0.5);
  CHECK((*made)(d)->fields.at("y").values == expected_mean(d));
  CHECK((*made)({}).error().step.view() == "unwrap");
}

TEST_CASE("data sets within data sets, and several threads") {
  // The outer interface has only a factor: the rest is bound.
  const auto b = labelled_host().with_arguments(
      [](const double& factor) { return rainfall(4, factor); },
      [](const labelled::dataset& made, double) { return made.fields.at("y").values; });
  const auto p = wf::make_program(b, mean.graph());
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 8; ++k) {
        const double factor = i + 0.5 * k;
        const auto made = (*p)(factor);
        if (made && *made == expected_mean(rainfall(4, factor))) ++right;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 64);
  CHECK(p->counters().misses == 1);
}
