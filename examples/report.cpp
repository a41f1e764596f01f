// SPDX-License-Identifier: BSL-1.0
//
// Joins the fragments that the other examples write into one self-contained page.
#include <iterator>

#include <wf/report/page/html.hpp>

#include "support.hpp"

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::html_page page("wf: from an expression to a proven, mapped, simulated and executed plan");
  int joined = 0;
  for (const char* name : {"inversion", "kalman", "resnet50"}) {
    std::ifstream stream(folder / (std::string(name) + ".fragment.html"), std::ios::binary);
    if (!stream) continue;
    const std::string fragment{std::istreambuf_iterator<char>(stream), {}};
    page.add_fragment(fragment);
    ++joined;
  }
  if (joined == 0) std::cout << "no fragments in " << folder << ": run the other examples first\n";
  support::write(folder / "report.html", page.page().view());
}
