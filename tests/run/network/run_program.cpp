// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/run_program.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include <wf/capture/workflow.hpp>

#include "../transport/on_ranks.hpp"

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  s.output<"y">(s.input<"a", double, 2, 2>() * s.input<"b", double, 2, 2>());
});
constexpr auto solution = wf::workflow<"solution">([](wf::scope& s) {
  s.output<"y">(inv(s.input<"a", double, 2, 2>()) * s.input<"b", double, 2, 2>());
});
constexpr wf::value_type square{wf::dtype::f64, {}, wf::shape::of(2, 2)};

wf::result<wf::dynamic_matrix> argument(wf::text_view name) {
  if (name == "large") return wf::dynamic_matrix(3, 2);
  if (name == "absent") return wf::make_error(wf::errc::missing_argument, name, "nobody has it");
  if (name == "zero") return wf::dynamic_matrix(wf::dynamic_matrix::Zero(2, 2));
  return wf::dynamic_matrix(wf::dynamic_matrix::Identity(2, 2) * double(name.size()));
}
// Runs on two processes; checks that both report the same failure, and returns it.
wf::text failure_of(const wf::task_program& p) {
  std::vector<wf::text> said(2);
  wf_test::on_ranks(2, [&](std::uint32_t r, wf::loopback& carrier) {
    const auto ran = wf::run_program(carrier, p, argument);
    said[r] = !ran                                  ? wf::to_text(ran.error())
              : ran->failure.code == wf::errc::none ? wf::text("none")
                                                    : wf::to_text(ran->failure);
  });
  CHECK(said[0] == said[1]);
  return said[0];
}

}  // namespace

TEST_CASE("a failure is that of the first task, with its label, in every process") {
  const auto made = [](wf::text_view first, const wf::graph_view& code) {
    wf::task_program p(2);
    const std::uint32_t a = p.add_argument(first, 0, square), b = p.add_argument("bb", 1, square);
    const std::uint32_t c = p.add(p.add_code(wf::graph(code)), 1, {{{a}, {b}}}, {}, "the task");
    p.add_output("y", {p.add(p.add_code(wf::graph(product.graph())), 0, {{{c}, {c}}})});
    return p;
  };
  CHECK(failure_of(made("a", product.graph())) == "none");
  CHECK(failure_of(made("absent", product.graph())) == "WF701 in 'absent': nobody has it");
  CHECK(failure_of(made("large", product.graph())) == "WF703 in 'large': it is 2x2, not 3x2");
  CHECK(std::string(failure_of(made("zero", solution.graph())).view())
            .starts_with("WF705 in 'the task': "));
  wf::task_program wrong(2);
  wrong.add(0, 0, {});
  CHECK(failure_of(wrong) == wf::to_text(wrong.fault()));
}

TEST_CASE("values that are read once more after they could be taken are not taken") {
  wf::task_program p(2);
  const std::uint32_t code = p.add_code(wf::graph(product.graph()));
  std::uint32_t last = p.add_argument("xx", 0, square);  // twice the identity
  const std::uint32_t first = last;
  for (std::uint32_t i = 0; i < 12; ++i) last = p.add(code, i % 2, {{{last}, {first}}});
  const std::uint32_t squared = p.add(code, 0, {{{last}, {last}}});
  p.add_output("y", {p.add(code, 1, {{{squared}, {last}}})});
  p.add_output("last", {last});
  p.add_output("first", {first});
  std::vector<wf::named_matrices> outputs(2);
  wf_test::on_ranks(2, [&](std::uint32_t r, wf::loopback& carrier) {
    outputs[r] = wf::run_program(carrier, p, argument)->outputs;
  });
  CHECK(outputs[0].size() == 1);
  CHECK(outputs[0]["first"](1, 1) == 2);
  CHECK(outputs[1].size() == 2);
  CHECK(outputs[1]["last"](1, 1) == 8192);
  CHECK(outputs[1]["y"](1, 1) == 8192.0 * 8192 * 8192);
}

TEST_CASE("a runner runs a program again and again, also after a failure") {
  wf::task_program p(2);
  const std::uint32_t a = p.add_argument("a", 0, square), b = p.add_argument("b", 1, square);
  const std::uint32_t c = p.add(p.add_code(wf::graph(solution.graph())), 1, {{{a}, {b}}});
  p.add_output("y", {p.add(p.add_code(wf::graph(product.graph())), 0, {{{c}, {b}}})});
  std::vector<std::vector<wf::program_report>> reports(2);
  wf_test::on_ranks(2, [&](std::uint32_t r, wf::loopback& carrier) {
    wf::program_runner runner(p);
    runner.prepare(r);
    for (int run = 0; run < 6; ++run) {
      const auto ran = runner.run(carrier, [run](wf::text_view) -> wf::result<wf::dynamic_matrix> {
        return wf::dynamic_matrix(wf::dynamic_matrix::Identity(2, 2) * (run % 3));
      });
      REQUIRE(ran);
      reports[r].push_back(*ran);
    }
  });
  for (int run = 0; run < 6; ++run) {
    CAPTURE(run);
    const wf::program_report& first = reports[0][std::size_t(run)];
    CHECK(first.failure == reports[1][std::size_t(run)].failure);
    CHECK((first.failure.code == wf::errc::none) == (run % 3 != 0));
    CHECK(first.outputs.size() == (run % 3 != 0 ? 1 : 0));
    if (run % 3 != 0) CHECK(first.outputs.at("y")(1, 1) == doctest::Approx(run % 3));
  }
}

TEST_CASE("tensors travel whole, and bytes that are none are refused") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    wf::task_tensors x, y;
    for (std::size_t k = random() % 4; k > 0; --k)
      x.results.push_back(
          wf::dynamic_matrix::Random(Eigen::Index(random() % 5), Eigen::Index(random() % 5)));
    wf::byte_writer out;
    wf::datum_form<wf::task_tensors>::write(out, x);
    const wf::table<std::uint8_t> bytes = out.take();
    wf::byte_reader in(bytes);
    REQUIRE(wf::datum_form<wf::task_tensors>::read(in, y));
    CHECK(in.is_over());
    REQUIRE(y.results.size() == x.results.size());
    for (std::size_t k = 0; k < x.results.size(); ++k) {
      CHECK(x.results[k].rows() == y.results[k].rows());
      CHECK(x.results[k] == y.results[k]);
    }
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      wf::task_tensors z;
      wf::byte_reader part({bytes.data(), size});
      CHECK_FALSE(wf::datum_form<wf::task_tensors>::read(part, z));
    }
  }
  for (const std::uint64_t rows : {std::uint64_t{1} << 62, UINT64_MAX, std::uint64_t{1} << 32}) {
    wf::byte_writer out;
    out.half(1).word(rows).word(rows).word(0).word(0);
    const wf::table<std::uint8_t> bytes = out.take();
    wf::byte_reader in(bytes);
    wf::task_tensors x;
    CHECK_FALSE(wf::datum_form<wf::task_tensors>::read(in, x));
  }
}
