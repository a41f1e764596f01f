// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/picture.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../golden.hpp"
#include "../layered_steps.hpp"
#include "../samples.hpp"

namespace {

using samples::contains, samples::count;

struct box {
  long x = 0, y = 0, width = 0, height = 0;
};

long number_after(const std::string& svg, std::size_t from, const std::string& key) {
  return std::stol(svg.substr(svg.find(key + "=\"", from) + key.size() + 2));
}

std::vector<box> boxes_of(const std::string& svg) {
  std::vector<box> out;
  for (auto at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1))
    out.push_back({number_after(svg, at, " x"), number_after(svg, at, " y"),
                   number_after(svg, at, " width"), number_after(svg, at, " height")});
  return out;
}

// The baselines of all texts.
std::vector<long> lines_of(const std::string& svg) {
  std::vector<long> out;
  for (auto at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1))
    out.push_back(number_after(svg, at, " y"));
  return out;
}

bool contains_box(const box& a, const box& b) {
  return a.x < b.x && a.y < b.y && a.x + a.width > b.x + b.width && a.y + a.height > b.y + b.height;
}
bool apart(const box& a, const box& b) { return a.y + a.height < b.y || b.y + b.height < a.y; }

static_assert(wf::to_svg(steps::front).size() > 1000);

}  // namespace

TEST_CASE("boxes are inside of each other as the steps are, and do not overlap otherwise") {
  const wf::toolchain_outline outline = steps::layers;
  const std::string svg(wf::to_svg(outline).view());
  const std::vector<box> boxes = boxes_of(svg);
  REQUIRE(boxes.size() == outline.steps.size());
  const long width = number_after(svg, 0, " width"), height = number_after(svg, 0, " height");
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    CHECK(contains_box({0, 0, width, height}, boxes[i]));
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      CAPTURE(i);
      CAPTURE(k);
      if (k < outline.end_of(i))
        CHECK(contains_box(boxes[i], boxes[k]));
      else
        CHECK(apart(boxes[i], boxes[k]));
    }
  }
}

TEST_CASE("no two lines of text are closer than their height") {
  for (const wf::text& svg : {wf::to_svg(steps::layers), wf::to_svg(steps::compiler)}) {
    std::vector<long> lines = lines_of(std::string(svg.view()));
    std::sort(lines.begin(), lines.end());
    for (std::size_t i = 1; i < lines.size(); ++i) CHECK(lines[i] - lines[i - 1] >= 13);
  }
}

TEST_CASE("stages stand on the arrows, once where they do not change") {
  const wf::text svg = wf::to_svg(steps::layers);
  CHECK(count(svg.view(), ">concrete&lt;source, flags&gt;<") == 1);
  CHECK(count(svg.view(), ">concrete&lt;tree, flags&gt;<") == 1);
  CHECK(count(svg.view(), ">steps::source<") == 2);  // at the beginning, and inside of "read"
  CHECK(count(svg.view(), ">steps::artefact<") == 1);
  CHECK(contains(svg.view(), "<title>read/simplify/fold: steps::tree to steps::tree</title>"));
  CHECK(contains(svg.view(), "<title>assemble: steps::code to steps::artefact, may fail</title>"));
  CHECK(contains(wf::to_svg(steps::converting).view(), ">steps::tree as steps::number<"));
}

TEST_CASE("long names are cut at a character") {
  using wf::detail::shortened;
  CHECK(shortened("abc", 3).view() == "abc");
  CHECK(shortened("abcd", 3).view() == "abc…");
  CHECK(shortened("éüöä", 3).view() == "éüö…");
  CHECK(shortened("éüö", 3).view() == "éüö");
  CHECK(contains(wf::to_svg(steps::layers).view(),
                 ">fold once more, which is a name as long as a lin…<"));
}

TEST_CASE("golden: toolchains as pictures and as a page") {
  golden::check("toolchain.svg", wf::to_svg(steps::compiler).view());
  golden::check("layers.svg", wf::to_svg(steps::layers).view());
  golden::check("toolchain.html", wf::to_html(steps::compiler).view());
}
