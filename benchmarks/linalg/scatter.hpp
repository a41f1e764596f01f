// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace linalg_benchmark {

/// A point of the plot; times in seconds.
struct scatter_point {
  double predicted = 0, measured = 0;
  bool chosen = false;
  std::string title;
};

/// A self-contained SVG plot of predicted against measured times, both axes logarithmic; chosen
/// plans are red. The title of a dot shows when the pointer is on it.
inline std::string scatter_picture(const std::vector<scatter_point>& points) {
  double low = 1e300, high = 0;
  for (const scatter_point& p : points) {
    low = std::min({low, p.predicted, p.measured});
    high = std::max({high, p.predicted, p.measured});
  }
  if (!(low > 0) || !(high >= low)) return "";
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high) + 1e-9);
  constexpr double left = 70, top = 20, side = 560;
  const auto place = [&](double seconds) {
    return (std::log10(seconds) - first) / std::max(1.0, last - first) * side;
  };
  char text[400];
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"660\" height=\"640\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"660\" height=\"640\" "
      "fill=\"white\"/>\n";
  const auto put = [&](auto... values) {
    std::snprintf(text, sizeof text, values...);
    out += text;
  };
  for (double decade = first; decade <= last; ++decade) {
    const double at = place(std::pow(10, decade));
    put("<path d=\"M%.1f %.1fv%.1fM%.1f %.1fh%.1f\" stroke=\"#ddd\"/>\n", left + at, top, side,
        left, top + side - at, side);
    put("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">1e%.0f s</text>\n", left + at,
        top + side + 18, decade);
    put("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">1e%.0f s</text>\n", left - 6,
        top + side - at + 4, decade);
  }
  put("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#888\"/>\n", left, top + side, left + side, top);
  put("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">predicted</text>\n", left + side / 2,
      top + side + 38);
  put("<text x=\"14\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 14 %.1f)\">measured"
      "</text>\n",
      top + side / 2, top + side / 2);
  for (const bool chosen : {false, true})
    for (const scatter_point& p : points) {
      if (p.chosen != chosen) continue;
      put("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%s\" fill=\"%s\" fill-opacity=\"0.6\"><title>",
          left + place(p.predicted), top + side - place(p.measured), chosen ? "4" : "2.5",
          chosen ? "#c00" : "#36c");
      for (const char c : p.title)
        out += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
      out += "</title></circle>\n";
    }
  return out + "</svg>\n";
}

/// Writes the plot; false if the file cannot be written.
inline bool write_scatter(const std::string& path, const std::vector<scatter_point>& points) {
  std::ofstream file(path);
  file << scatter_picture(points);
  file.close();
  return !file.fail();
}

}  // namespace linalg_benchmark
