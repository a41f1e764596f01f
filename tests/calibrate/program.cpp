// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/program.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include <wf/run/plan/executable_kernels.hpp>

namespace {

namespace fs = std::filesystem;

struct folder {
  fs::path path;
  folder() : path(fs::temp_directory_path() / ("wf-calibrate-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~folder() { fs::remove_all(path); }
};
std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}
int run(std::vector<std::string> words) {
  words.insert(words.begin(), "wf-calibrate");
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  return wf::calibration::run_program(static_cast<int>(arguments.size()), arguments.data());
}

// A library that takes longer than wf, for one operator.
constexpr auto slow = wf::implementations(wf::implement<wf::kernels::matmul_diagonal>(
    [](auto& c, const auto& a, const auto& b) { c.noalias() = a * b; }));

}  // namespace

TEST_CASE("a whole file is written, or none") {
  const folder here;
  const std::string file = here.path / "times.yaml";
  REQUIRE(run({"--out", file, "--match", "matmul_diagonal", "--shapes", "8"}) == 0);
  const std::string text = text_of(file);
  CHECK(text.find("wf_kernels: 1\n") != std::string::npos);
  CHECK(text.find("  - name: matmul_diagonal\n") != std::string::npos);
  CHECK(text.find("second_cache: ") != std::string::npos);
  CHECK(run({"--out", file, "--match", "no such kernel"}) == 1);
  CHECK(text_of(file) == text);
  CHECK(run({"--out", here.path / "none/times.yaml", "--match", "matmul_diagonal", "--shapes",
             "8"}) == 1);
  CHECK(std::distance(fs::directory_iterator(here.path), {}) == 1);
}

TEST_CASE("an interruption ends it and writes nothing") {
  const folder here;
  wf::calibration::command_options options;
  options.file = here.path / "times.yaml";
  wf::calibration::detail::interrupted = 1;
  CHECK(wf::calibration::detail::measure_all(options, {}) == 130);
  wf::calibration::detail::interrupted = 0;
  CHECK(fs::is_empty(here.path));
}

TEST_CASE("a library's implementation is measured beside wf's, and both times are written") {
  const folder here;
  wf::calibration::command_options options;
  options.file = here.path / "times.yaml";
  options.match = "matmul_d";
  options.measuring.shapes = 8;
  options.measuring.largest_extent = 40;
  CHECK(wf::calibration::detail::measure_all(
            options, wf::view<wf::kernel_spec>(wf::library_kernels<slow>)) == 0);
  const std::string text = text_of(options.file);
  CHECK(text.find("metrics: [execution_time, library_time]\n") != std::string::npos);
  CHECK(text.find("      execution_time: \"") < text.find("      library_time: \""));
}
