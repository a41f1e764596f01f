// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/batch_svg.hpp>

#include <doctest/doctest.h>

#include "../batch_sample.hpp"
#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::count;

TEST_CASE("every stage is drawn over the rows of its rectangle, with its operators") {
  const wf::text svg =
      wf::batch_svg(samples::batch_of_four(), samples::batch_network(), samples::batch_array());
  CHECK(count(svg.view(), "class=\"run\"") == 4);  // one row, one row, two rows
  CHECK(contains(svg.view(),
                 "<title>conv1, relu &lt;&amp;&gt;: 1x2@(0,0), cycles 0 to 700, 2 "
                 "rounds of 2, from beat 0, 512 bytes in a PE</title>"));
  CHECK(contains(svg.view(), ">conv1 + 1</text>"));
  CHECK(contains(svg.view(), ">größe</text>"));
  CHECK(count(svg.view(), "<g") == count(svg.view(), "</g>"));
  CHECK(count(svg.view(), "</svg>") == 1);
  const wf::batch_mapping none;
  CHECK(count(wf::batch_svg(none, samples::batch_network(), samples::batch_array()).view(),
              "class=\"run\"") == 0);
}

TEST_CASE("golden: a batch mapping as a picture") {
  golden::check("batch.svg", wf::batch_svg(samples::batch_of_four(), samples::batch_network(),
                                           samples::batch_array())
                                 .view());
}
