// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/store/stage_size.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr wf::stage_size size;

struct point {
  int x = 0, y = 0;
};
struct named {
  wf::text name;
  std::vector<point> points;
  int extra = 0;
};
class image {
 public:
  explicit image(std::size_t pixels) : pixels_(pixels) {}
  ~image() {}
  friend std::size_t stage_bytes(const image& i) { return 1000 + i.pixels_; }

 private:
  std::size_t pixels_;
};
struct album {
  image cover;
  std::vector<image> images;
};
struct tree {
  std::vector<tree> below;
};

template <class T>
concept sized = requires(const T& x) { size(x); };

constexpr std::size_t size_of_graph() {
  wf::graph g("g");
  const wf::value_type type{wf::dtype::f64, {}, wf::shape::of(1, 2)};
  const wf::value_id x = g.add_input("x", type);
  g.add_node({.op = "relu"}, {&x, 1}, {&type, 1});
  return size(g);
}

}  // namespace

static_assert(size(3) == sizeof(int) && size(point{}) == sizeof(point));
static_assert(size(wf::text("12345")) == sizeof(wf::text) + 5);
static_assert(size(named{"abc", {}, 0}) == sizeof(named) + 3);
// The 6 characters of the names g, x and relu; the domain is empty.
static_assert(size_of_graph() == sizeof(wf::graph) + 6 + sizeof(wf::operation) + sizeof(wf::node) +
                                     2 * sizeof(wf::value) + sizeof(wf::value_id));

static_assert(sized<std::string> && sized<std::vector<std::vector<std::string>>> && sized<album>);
static_assert(!sized<std::unique_ptr<int>> && !sized<std::shared_ptr<int>>);
static_assert(!sized<tree>, "its depth is not known");

TEST_CASE("the size of a stage is that of the object and of what its members have elsewhere") {
  CHECK(size(std::string(100, 'x')) == sizeof(std::string) + 100);
  CHECK(size(std::vector<int>(7)) == sizeof(std::vector<int>) + 7 * sizeof(int));
  const std::vector<std::string> texts{"a", "bcd"};
  CHECK(size(texts) == sizeof texts + 2 * sizeof(std::string) + 4);
  CHECK(size(named{"abc", {{1, 2}, {3, 4}}, 0}) == sizeof(named) + 3 + 2 * sizeof(point));
}

TEST_CASE("a type says itself what it occupies") {
  CHECK(size(image(24)) == 1024);
  std::vector<image> images;
  for (std::size_t pixels = 1; pixels <= 3; ++pixels) images.emplace_back(pixels);
  const album a{image(24), images};
  CHECK(size(a) == sizeof(album) + (1024 - sizeof(image)) + 3006);
}
