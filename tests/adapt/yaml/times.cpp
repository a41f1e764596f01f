// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/times.hpp>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/times/host_times.hpp>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

// A table of all times, each twice wf's, for a cache of 1 MiB; without the operator `without`.
std::string times_of(wf::text_view without = "none") {
  std::string out = "wf_kernels: 1\nmetrics: [execution_time]\nsecond_cache: 1048576\nkernels:\n";
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    if (k.name == without) continue;
    out += "  - name: " + std::string(k.name) + "\n    overrides: true\n    costs:\n";
    out += "      execution_time: \"2*(" + std::string(k.costs[0].text().formula) + ")\"\n";
  }
  return out;
}
std::string times_told(const std::string& yaml) {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_times_text(yaml, kernels);
  if (file) return "ok";
  CHECK(kernels.caches() == wf::host_caches());
  CHECK_FALSE(wf::price(product().view(), wf::execution_time, kernels));
  return std::string(wf::to_text(file.error()).view());
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a table of times prices by its times and its caches") {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_times_text(times_of(), kernels);
  CAPTURE(wf::to_text(file.error()).view());
  REQUIRE(file);
  CHECK(file->caches().second == 1 << 20);
  CHECK(kernels.caches() == file->caches());
  CHECK(file->kernels().size() == std::size(wf::kernels::host_times));
  wf::registry stated = wf::timed_registry();
  stated.set_caches({1 << 20});
  const auto once = wf::total_cost<wf::rational>(
      product().view(), {"execution_time", "ns", wf::combination::sum, wf::missing_cost::unknown},
      stated);
  const auto twice = wf::price(product().view(), wf::execution_time, kernels);
  REQUIRE(once);
  REQUIRE(twice);
  CHECK(static_cast<double>(*twice) == doctest::Approx(2 * wf::to_double(*once)).epsilon(1e-6));
  // Loads the table of one machine with the cache sizes of another.
  const wf::graph between = product({wf::dtype::f64, {}, wf::shape::of(400, 400)});
  CHECK(*wf::price(between.view(), wf::execution_time, kernels) >
        2 * *wf::price(between.view(), wf::execution_time, wf::timed_registry()));
}

TEST_CASE("a table of times says how many cores were busy, and the link between processes") {
  const auto read = [](const std::string& lines) {
    wf::registry kernels = wf::builtin_registry();
    return wf::load_times_text(replaced(times_of(), "second_cache", lines + "second_cache"),
                               kernels);
  };
  const auto none = read("");
  REQUIRE(none);
  CHECK(none->cores() == 1);
  CHECK(none->link() == wf::host_link{});
  const auto both = read("cores: 2\nlink: {latency_ns: 1500, bytes_per_second: 4000000000}\n");
  CAPTURE(wf::to_text(both.error()).view());
  REQUIRE(both);
  CHECK(both->cores() == 2);
  CHECK(both->link() == wf::host_link{1500, 4'000'000'000});
  for (const std::string wrong :
       {"cores: 0\n", "cores: two\n", "cores: [2]\n", "cores: 5000000000\n", "link: 5\n",
        "link: {latency_ns: 1}\n", "link: {bytes_per_second: 1}\n",
        "link: {latency_ns: -1, bytes_per_second: 1}\n",
        "link: {latency_ns: 1, bytes_per_second: x}\n",
        "link: {latency_ns: 1, bytes_per_second: 1, more: 2}\n"}) {
    CAPTURE(wrong);
    const auto refused = read(wrong);
    CHECK(refused.error().code == wf::errc::bad_registry_file);
    CHECK(refused.error().where.line > 0);
  }
}

TEST_CASE("a table of times that lacks one, or says more, is refused at its place") {
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string told = times_told(times_of(k.name));
    CAPTURE(told);
    CHECK(told.find("the table has no time of " + std::string(k.name) + ":") != std::string::npos);
  }
  const std::string all = times_of();
  const auto told = [&](const std::string& from, const std::string& to) {
    return times_told(replaced(all, from, to));
  };
  CHECK(told("name: matmul\n", "name: matmull\n").find("did you mean 'matmul'") !=
        std::string::npos);
  CHECK(told("name: gemmt\n", "name: syr2k\n").find("'syr2k' has two times") != std::string::npos);
  CHECK(told("0.025*C*K", "0.025*C*Q").find("unknown symbol 'Q'") != std::string::npos);
  CHECK(told("0.025*C*K", "0.025*C K").find("kernel 'matmul': cost in execution_time") !=
        std::string::npos);
  CHECK(told("second_cache: 1048576", "second_cache: much").find("line 3, column 15") !=
        std::string::npos);
  CHECK(told("second_cache: 1048576", "second_cache: -1").find("number of bytes") !=
        std::string::npos);
  CHECK(told("    overrides: true\n", "    overrides: true\n    view: true\n")
            .find("unknown key 'view'") != std::string::npos);
  CHECK(told("kernels:\n", "transforms: []\nkernels:\n").find("unknown key 'transforms'") !=
        std::string::npos);
  CHECK(told("      execution_time:", "      flops: \"1\"\n      execution_time:")
            .find("states no execution_time, or more") != std::string::npos);
}

TEST_CASE("a table with the times of a library, and a later one without them") {
  std::string both = times_of();
  both = replaced(both, "[execution_time]", "[execution_time, library_time]");
  both = replaced(both, "  - name: gemmt\n",
                  "      library_time: \"7*C\"\n  - name: gemmt\n");  // of the kernel before
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_times_text(both, kernels);
  CAPTURE(wf::to_text(file.error()).view());
  REQUIRE(file);
  const wf::kernel_spec* const k = kernels.find("matmul_subtract");
  REQUIRE(k != nullptr);
  CHECK(wf::detail::states_library_time(k));
  CHECK_FALSE(wf::detail::states_library_time(kernels.find("gemmt")));
  // Times without a library's implementation change no price.
  wf::registry own = wf::builtin_registry();
  const auto without = wf::load_times_text(times_of(), own);
  REQUIRE(without);
  CHECK(*wf::price(product().view(), wf::execution_time, kernels) ==
        *wf::price(product().view(), wf::execution_time, own));
  // The other table says nothing of the library: its time would be that of another machine.
  const auto later = wf::load_times_text(times_of(), kernels);
  REQUIRE_FALSE(later);
  CHECK(std::string(wf::to_text(later.error()).view())
            .find("'matmul_subtract' states no library_time, but that of another table is known") !=
        std::string::npos);
  CHECK(wf::load_times_text(both, kernels));
  CHECK(times_told(replaced(both, "7*C", "7*Q")).find("unknown symbol 'Q'") != std::string::npos);
  CHECK(times_told(replaced(both, "library_time: \"7", "flops: \"7"))
            .find("states no execution_time, or more") != std::string::npos);
}

TEST_CASE("a table of times that is damaged is refused, or all of it is there") {
  const std::string all = times_of();
  std::mt19937_64 random(20);
  int accepted = 0;
  for (int round = 0; round < 400; ++round) {
    std::string damaged = all;
    for (std::uint64_t change = random() % 3 + 1; change-- > 0;) {
      const std::size_t at = random() % damaged.size();
      const std::size_t length = std::min<std::size_t>(random() % 40 + 1, damaged.size() - at);
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          damaged.erase(at, length);
          break;
        case 2:
          damaged.insert(at, damaged.substr(random() % (damaged.size() - length), length));
          break;
        default:
          damaged.resize(std::max<std::size_t>(at, 1));
          break;
      }
    }
    wf::registry kernels = wf::builtin_registry();
    const auto file = wf::load_times_text(damaged, kernels);
    if (!file) {
      CHECK(file.error().code != wf::errc::none);
      CHECK(kernels.caches() == wf::host_caches());
      CHECK_FALSE(wf::price(product().view(), wf::execution_time, kernels));
      continue;
    }
    ++accepted;
    for (const wf::kernel_spec& k : wf::kernels::host_times) {
      bool timed = false;
      for (const wf::cost_formula& c : wf::costs_of(*kernels.find(k.name)))
        timed = timed || c.metric == "execution_time";
      CHECK(timed);
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("a table must state one time of each kernel that it is to cover") {
  const std::string yaml = "[first, second]";
  wf::detail::yaml_reader in(yaml, "table");
  YAML::Node root;
  REQUIRE(in.parse(yaml.size(), root));
  wf::kernel_spec two[2];
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(in.read_text(root[i], "a name", two[i].name));
    two[i].costs[0] = {"execution_time", "7"};
  }
  using wf::detail::find_time_fault;
  CHECK(find_time_fault(in, two, two, {}).code == wf::errc::none);
  CHECK(find_time_fault(in, {two, 1}, two, {}).message.view() ==
        "the table has no time of second: wf-calibrate measures all");
  two[1].costs[0] = {"flops", "7"};
  const wf::error e = find_time_fault(in, two, two, {});
  CHECK(e.code == wf::errc::bad_registry_file);
  CHECK(e.message.view() ==
        "kernel 'second' states no execution_time, or more than that and library_time");
  CHECK(e.where.column == 9);
}
