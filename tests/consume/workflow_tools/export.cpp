// SPDX-License-Identifier: BSL-1.0
//
// export FOLDER: writes workflows in WfFormat, as Makefile and as Snakefile, each into a folder of
// its own: a captured one, and random ones of fixed seeds. The command of a task calls $WF_STEP.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <wf/adapt/wfformat.hpp>
#include <wf/adapt/wfformat/build_rules.hpp>
#include <wf/adapt/wfformat/from_graph.hpp>
#include <wf/wf.hpp>

#include <adapt/wfformat/random_instance.hpp>

namespace {

constexpr auto normal_equations = wf::workflow<"normal_equations">([](wf::scope& s) {
  auto a = s.input<"A", double, 20, 4>();
  auto y = s.input<"y", double, 20>();
  s.output<"x">(solve(trans(a) * a, trans(a) * y));
});

// What make, Snakemake and both shells could misread: dollars, braces, quotes, two lines.
wf::text command_of(const wf::wfformat::task& task) {
  return wf::text("TASK=\"") << task.id.view() << "\"\n\"$WF_STEP\" \"${TASK}\" 'a{b}$c\\n'";
}

bool write(const std::filesystem::path& path, const wf::result<wf::text>& made) {
  std::ofstream(path, std::ios::binary) << (made ? made->view() : made.error().message.view());
  if (!made) std::fprintf(stderr, "%s is refused\n", path.c_str());
  return made.has_value();
}

bool write(const std::filesystem::path& folder, const wf::wfformat::instance& all) {
  std::filesystem::create_directories(folder);
  const auto command = [&](std::uint32_t t) {
    return command_of(all.workflow.specification.tasks[t]);
  };
  return write(folder / "instance.json", wf::wfformat::to_json(all, 2)) &&
         write(folder / "Makefile", wf::wfformat::to_makefile(all, command)) &&
         write(folder / "Snakefile", wf::wfformat::to_snakefile(all, command));
}

}  // namespace

int main(int, char** argv) {
  const std::filesystem::path folder = argv[1];
  const auto captured = wf::wfformat::from_graph(normal_equations.graph());
  bool written = captured && write(folder / "captured", *captured);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    wf_test::random_source random(seed);
    written = write(folder / ("random_" + std::to_string(seed)),
                    wf_test::random_instance_maker(random, {}).make()) &&
              written;
  }
  return written ? 0 : 1;
}
