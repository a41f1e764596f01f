// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/path.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::detail::packing_frame frame(std::int64_t bound, std::uint8_t tried,
                                          bool again = false) {
  wf::detail::packing_frame f;
  f.bound = bound;
  f.tried = tried;
  f.again = again;
  return f;
}

}  // namespace

TEST_CASE("the least open bound of a path is that of a frame with a side left") {
  wf::table<wf::detail::packing_frame> path;
  CHECK(wf::detail::least_open_bound(path) == wf::unbounded);
  path.push_back(frame(3, 2));
  CHECK(wf::detail::least_open_bound(path) == wf::unbounded);
  path.push_back(frame(7, 1));
  path.push_back(frame(5, 0));
  CHECK(wf::detail::least_open_bound(path) == 5);
  path.push_back(frame(4, 2, true));  // to be visited again
  CHECK(wf::detail::least_open_bound(path) == 4);
}

TEST_CASE("the frame to give has one side left, and the current node is not in it") {
  wf::table<wf::detail::packing_frame> path;
  CHECK(wf::detail::frame_to_give(path, 100) == 0);
  path.push_back(frame(9, 1));
  CHECK(wf::detail::frame_to_give(path, 100) == 1);  // the deepest frame is kept
  path.push_back(frame(6, 1));
  path.push_back(frame(4, 0));  // both branches are open: the current node works on one
  path.push_back(frame(2, 1));
  CHECK(wf::detail::frame_to_give(path, 100) == 1);
  CHECK(wf::detail::frame_to_give(path, 7) == 1);
  CHECK(wf::detail::frame_to_give(path, 6) == 4);  // closed by the target
}
