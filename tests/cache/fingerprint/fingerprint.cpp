// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/fingerprint/fingerprint.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "../../sanitized.hpp"

namespace {

using wf::digest128;
using wf::fingerprint_of;
using random_source = std::mt19937_64;

constexpr bool is(const digest128& d, const char* digits) {
  return wf::to_text(d).view() == wf::text_view(digits);
}

enum class colour : std::uint8_t { red, green };
enum class fruit : std::uint8_t { plum, pear };
struct empty {};
struct point {
  int x = 0, y = 0;
};
struct described {
  point where;
  wf::text name;
  double weight = 0;
  wf::not_fingerprinted<int> uses;
};
struct described_without {
  point where;
  wf::text name;
  double weight = 0;
};
// A number that compares equal for either sign.
class magnitude {
 public:
  constexpr explicit magnitude(int x) : value_(x) {}
  friend constexpr void fingerprint(wf::fingerprinter& f, const magnitude& m) {
    f(m.value_ < 0 ? -m.value_ : m.value_);
  }

 private:
  int value_;
};

constexpr described sample() { return {{3, -4}, "a point", 0.5, {7}}; }
constexpr described with(int x, const char* name, double weight) {
  return {{x, -4}, name, weight, {}};
}

}  // namespace

// These values define the format: if another compiler, platform or version computes different ones,
// all stored keys are invalid, and `fingerprint_version` must change.
static_assert(wf::fingerprint_version == 1);
static_assert(is(fingerprint_of(true), "e37a3b58c92e64e8e0b2cb1eb4ffcdb2"));
static_assert(is(fingerprint_of(1), "c4bc487eda324130ac6be45b30fb1338"));
static_assert(is(fingerprint_of(1.0), "cb9e274d22c1f9da2b8dbc031cd73c07"));
static_assert(is(fingerprint_of(std::int64_t{-1}), "968014e33d6d371c12f5a3dd7da1105b"));
static_assert(is(fingerprint_of('a'), "4ee7a5931e4060c17118f3bbe2b2ebb1"));
static_assert(is(fingerprint_of(wf::text_view("abc")), "3ee43f69226197d62155c6ff1b0413f8"));
static_assert(is(fingerprint_of(std::array<short, 3>{1, 2, 3}),
                 "ad4f9d76c9e985fb3ada4591fa224718"));
static_assert(is(fingerprint_of(sample()), "1493d0a70ab76239696953e71a63159e"));
static_assert(is(fingerprint_of(std::tuple(colour::green, std::optional<int>())),
                 "d663c61d541b4e387951f5873a4d43d1"));
static_assert(is(fingerprint_of(std::variant<int, wf::text_view>(wf::text_view("x"))),
                 "8a40df396068478999209053b7767461"));
static_assert(is(fingerprint_of(std::numeric_limits<double>::quiet_NaN()),
                 "7ab9868f2641eeaa4d129dd617289c54"));
static_assert(is(fingerprint_of(wf::int128{-1}), "1f176ca44ced5c6ddaa4ca4144f5408b"));

// Types of different kind, size or sign differ.
static_assert(fingerprint_of(true) != fingerprint_of(1));
static_assert(fingerprint_of(1) != fingerprint_of(1.0));
static_assert(fingerprint_of(1.0f) != fingerprint_of(1.0));
static_assert(fingerprint_of(1) != fingerprint_of(1U));
static_assert(fingerprint_of(std::int32_t{1}) != fingerprint_of(std::int64_t{1}));
static_assert(fingerprint_of(1L) == fingerprint_of(1LL) || sizeof(long) != sizeof(long long));
static_assert(fingerprint_of('a') != fingerprint_of(static_cast<signed char>('a')));
static_assert(fingerprint_of(colour::red) != fingerprint_of(std::uint8_t{0}));
static_assert(fingerprint_of(colour::red) == fingerprint_of(fruit::plum), "names do not count");
static_assert(fingerprint_of(nullptr) != fingerprint_of(0));

// Floating-point numbers are identified by their bits, except that all NaNs are equal.
static_assert(fingerprint_of(0.0) != fingerprint_of(-0.0));
static_assert(fingerprint_of(std::numeric_limits<double>::quiet_NaN()) ==
              fingerprint_of(-std::numeric_limits<double>::signaling_NaN()));
static_assert(fingerprint_of(std::numeric_limits<float>::quiet_NaN()) ==
              fingerprint_of(-std::numeric_limits<float>::quiet_NaN()));
static_assert(fingerprint_of(std::numeric_limits<double>::infinity()) !=
              fingerprint_of(std::numeric_limits<double>::quiet_NaN()));

// Members count, except those that are excluded.
static_assert(fingerprint_of(sample()) == fingerprint_of(with(3, "a point", 0.5)));
static_assert(fingerprint_of(sample()) != fingerprint_of(with(4, "a point", 0.5)));
static_assert(fingerprint_of(sample()) != fingerprint_of(with(3, "a Point", 0.5)));
static_assert(fingerprint_of(sample()) != fingerprint_of(with(3, "a point", 0.25)));
static_assert(fingerprint_of(sample()) ==
              fingerprint_of(described_without{{3, -4}, "a point", 0.5}));
static_assert(fingerprint_of(point{1, 2}) != fingerprint_of(point{2, 1}));
static_assert(fingerprint_of(empty{}) == fingerprint_of(std::tuple<>{}));
static_assert(fingerprint_of(point{1, 2}) == fingerprint_of(std::pair(1, 2)));

// A type's own function decides what counts.
static_assert(fingerprint_of(magnitude(3)) == fingerprint_of(magnitude(-3)));
static_assert(fingerprint_of(magnitude(3)) != fingerprint_of(magnitude(4)));
static_assert(fingerprint_of(magnitude(3)) != fingerprint_of(3));
static_assert(fingerprint_of(std::array{magnitude(1), magnitude(-2)}) ==
              fingerprint_of(std::array{magnitude(-1), magnitude(2)}));

TEST_CASE("acceptance group 5: a key ignores the order of maps and sets, whatever keeps them") {
  const std::map<std::string, int> sorted{{"a", 1}, {"b", 2}, {"c", 3}};
  const std::map<std::string, int, std::greater<>> reversed{{"a", 1}, {"b", 2}, {"c", 3}};
  const std::unordered_map<std::string, int> hashed{{"c", 3}, {"a", 1}, {"b", 2}};
  CHECK(fingerprint_of(sorted) == fingerprint_of(reversed));
  CHECK(fingerprint_of(sorted) == fingerprint_of(hashed));
  CHECK(fingerprint_of(sorted) != fingerprint_of(std::map<std::string, int>{{"a", 1}, {"b", 2}}));
  CHECK(fingerprint_of(sorted) !=
        fingerprint_of(std::map<std::string, int>{{"a", 1}, {"b", 3}, {"c", 2}}));
  // Not a sum of members: multiplicity counts, and so does order inside of members.
  CHECK(fingerprint_of(std::multiset{1, 1}) != fingerprint_of(std::set{1}));
  CHECK(fingerprint_of(std::multiset{1, 1}) != fingerprint_of(std::multiset{2, 2}));
  CHECK(fingerprint_of(std::set<std::vector<int>>{{1, 2}, {3}}) !=
        fingerprint_of(std::set<std::vector<int>>{{2, 1}, {3}}));
  CHECK(fingerprint_of(std::set<std::set<int>>{{1, 2}, {3}}) ==
        fingerprint_of(std::set<std::unordered_set<int>, decltype([](auto& a, auto& b) {
                                  return a.size() < b.size();
                                })>{{3}, {2, 1}}));
  // A set never equals a sequence.
  CHECK(fingerprint_of(std::set{1, 2}) != fingerprint_of(std::vector{1, 2}));

  random_source random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < round; ++i)
      entries.emplace_back(static_cast<int>(random() % 1000), static_cast<int>(random() % 10));
    const std::multimap<int, int> first(entries.begin(), entries.end());
    std::shuffle(entries.begin(), entries.end(), random);
    const std::unordered_multimap<int, int> second(entries.begin(), entries.end());
    CHECK(fingerprint_of(first) == fingerprint_of(second));
  }
}

TEST_CASE("the same content in another container or under another name is the same") {
  CHECK(fingerprint_of(std::string("abc")) == fingerprint_of(wf::text("abc")));
  CHECK(fingerprint_of(std::string_view("abc")) == fingerprint_of(wf::text_view("abc")));
  const char* terminated = "abc";
  CHECK(fingerprint_of(terminated) == fingerprint_of(wf::text_view("abc")));
  CHECK(fingerprint_of("abc") == fingerprint_of(std::string("abc\0", 4)));
  CHECK(fingerprint_of(std::vector{1, 2}) == fingerprint_of(std::array{1, 2}));
  CHECK(fingerprint_of(std::vector{1, 2}) == fingerprint_of(std::list{1, 2}));
  const int plain[] = {1, 2};
  CHECK(fingerprint_of(std::vector{1, 2}) == fingerprint_of(plain));
  wf::table<int> table;
  table.push_back(1), table.push_back(2);
  CHECK(fingerprint_of(std::vector{1, 2}) == fingerprint_of(table));
  CHECK(fingerprint_of(std::vector<bool>{true, false}) == fingerprint_of(std::array{true, false}));
  CHECK(fingerprint_of(std::make_unique<int>(3)) == fingerprint_of(std::make_shared<int>(3)));
  CHECK(fingerprint_of(std::make_unique<int>(3)) == fingerprint_of(std::optional(3)));
}

TEST_CASE("structure counts: where one value ends and the next begins") {
  using texts = std::vector<std::string>;
  CHECK(fingerprint_of(texts{"ab", "c"}) != fingerprint_of(texts{"a", "bc"}));
  CHECK(fingerprint_of(texts{"", ""}) != fingerprint_of(texts{""}));
  using lists = std::vector<std::vector<int>>;
  CHECK(fingerprint_of(lists{{1}, {2, 3}}) != fingerprint_of(lists{{1, 2}, {3}}));
  CHECK(fingerprint_of(lists{{}, {1}}) != fingerprint_of(lists{{1}, {}}));
  CHECK(fingerprint_of(std::vector<int>()) != fingerprint_of(std::vector<long>()));
  CHECK(fingerprint_of(std::optional<int>()) != fingerprint_of(std::optional(0)));
  using nested = std::optional<std::optional<int>>;
  CHECK(fingerprint_of(nested()) != fingerprint_of(nested(std::optional<int>())));
  using either = std::variant<int, int, std::monostate>;
  CHECK(fingerprint_of(either(std::in_place_index<0>, 1)) !=
        fingerprint_of(either(std::in_place_index<1>, 1)));
  CHECK(fingerprint_of(either(std::in_place_index<2>)) != fingerprint_of(either()));
  CHECK(fingerprint_of(std::complex(1.0, 2.0)) != fingerprint_of(std::complex(2.0, 1.0)));
  const wf::result<int> good = 3, bad = wf::make_error(wf::errc::overflow, "x", "too large");
  CHECK(fingerprint_of(good) != fingerprint_of(bad));
  CHECK(fingerprint_of(bad) !=
        fingerprint_of(wf::result<int>(wf::make_error(wf::errc::overflow, "y", "too large"))));
  CHECK(fingerprint_of(std::tuple(1, 2)) == wf::fingerprint_of(std::tuple(1, 2)));
  wf::fingerprinter together, apart;
  together(1, 2), apart(1)(2);
  CHECK(together.value() == apart.value());
  CHECK(together.value() != fingerprint_of(std::tuple(1, 2)));
}

namespace {

// A recursive value, and a text that identifies it.
struct json {
  std::variant<std::nullptr_t, bool, int, std::string, std::vector<json>,
               std::map<std::string, json>>
      value;
};
// The same with pointers that are followed, and a set.
struct linked_json {
  int number = 0;
  std::unique_ptr<linked_json> first;
  std::shared_ptr<const linked_json> second;
  std::set<std::string> names;
};

std::string text_of(const json& j) {
  std::string out;
  if (const bool* b = std::get_if<bool>(&j.value)) return *b ? "true" : "false";
  if (const int* i = std::get_if<int>(&j.value)) return std::to_string(*i);
  if (const auto* s = std::get_if<std::string>(&j.value)) return '"' + *s + '"';
  if (const auto* all = std::get_if<std::vector<json>>(&j.value)) {
    for (const json& e : *all) out += text_of(e) + ",";
    return "[" + out + "]";
  }
  if (const auto* all = std::get_if<std::map<std::string, json>>(&j.value)) {
    for (const auto& [key, e] : *all) out += key + ":" + text_of(e) + ",";
    return "{" + out + "}";
  }
  return "null";
}
json random_json(random_source& random, int depth) {
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  switch (draw(depth == 0 ? 4 : 6)) {
    case 0:
      return {nullptr};
    case 1:
      return {draw(2) == 0};
    case 2:
      return {static_cast<int>(draw(3))};
    case 3:
      return {std::string(draw(3), 'x')};
    case 4: {
      std::vector<json> out;
      for (unsigned n = draw(3); n > 0; --n) out.push_back(random_json(random, depth - 1));
      return {out};
    }
    default: {
      std::map<std::string, json> out;
      for (unsigned n = draw(3); n > 0; --n)
        out[std::string(1, static_cast<char>('a' + draw(3)))] = random_json(random, depth - 1);
      return {out};
    }
  }
}

linked_json random_links(random_source& random, int depth, std::string& all) {
  linked_json out;
  out.number = static_cast<int>(random() % 2);
  all += std::to_string(out.number);
  for (auto n = random() % 3; n > 0; --n)
    out.names.insert(std::string(1, random() % 2 ? 'p' : 'q'));
  for (const std::string& name : out.names) all += name;
  if (depth > 0 && random() % 2 == 0) {
    all += "(";
    out.first = std::make_unique<linked_json>(random_links(random, depth - 1, all));
    all += ")";
  }
  if (depth > 0 && random() % 2 == 0) {
    all += "[";
    out.second = std::make_shared<linked_json>(random_links(random, depth - 1, all));
    all += "]";
  }
  return out;
}

}  // namespace

TEST_CASE("random nested values have equal fingerprints just if they are equal") {
  random_source random(7);
  std::map<std::string, digest128> by_text;
  std::map<digest128, std::string> by_digest;
  int repeated = 0;
  const auto expect = [&](const std::string& text, const digest128& d) {
    CAPTURE(text);
    repeated += by_text.count(text) != 0 ? 1 : 0;
    const auto [same_text, new_text] = by_text.emplace(text, d);
    CHECK(same_text->second == d);
    const auto [same_digest, new_digest] = by_digest.emplace(d, text);
    CHECK(same_digest->second == text);
    CHECK(new_text == new_digest);
  };
  for (int round = 0; round < 4000; ++round) {
    const json j = random_json(random, 3);
    expect(text_of(j), fingerprint_of(j));
  }
  for (int round = 0; round < 4000; ++round) {
    std::string text = "linked ";
    const linked_json j = random_links(random, 3, text);
    expect(text, fingerprint_of(j));
  }
  CHECK(repeated > 1000);
  CHECK(by_text.size() > 1000);
}

namespace {

// Deep structures of common kinds. Each is destroyed without recursion.
struct chain {
  int value = 0;
  std::unique_ptr<chain> next;
  ~chain() {
    while (next != nullptr) next = std::move(next->next);
  }
};
struct tree {
  int value = 0;
  std::vector<tree> below;
};
struct shared_node {
  int value = 0;
  std::shared_ptr<shared_node> left, right;
};
struct folder {
  std::map<int, std::unique_ptr<folder>> below;
};
// A type with its own fingerprint function.
class cell {
 public:
  constexpr cell(int value, const cell* next) : value_(value), next_(next) {}
  friend constexpr void fingerprint(wf::fingerprinter& f, const cell& c) {
    f(c.value_).follow(c.next_);
  }
  const cell* next_for_test(const cell* next) { return next_ = next; }

 private:
  int value_;
  const cell* next_;
};
class bush {
 public:
  explicit bush(int value) : value_(value) {}
  std::vector<bush>& below() { return below_; }
  friend void fingerprint(wf::fingerprinter& f, const bush& b) { f(b.value_).nested(b.below_); }

 private:
  int value_;
  std::vector<bush> below_;
};

constexpr digest128 of_cells(int last) {
  const cell a(last, nullptr), b(2, &a), c(1, &b);
  return fingerprint_of(c);
}

// A chain of `depth` nodes that ends with the given value, built without recursion.
template <class T, class Wrap>
T deep(T last, int depth, Wrap wrap) {
  for (int i = 0; i < depth; ++i) last = wrap(i, std::move(last));
  return last;
}
// Destroys a chain of nested vectors without recursion.
template <class T, class Below>
void dismantle(T row, Below below) {
  while (!below(row).empty()) {
    T next = std::move(below(row).back());
    below(row).clear();
    row = std::move(next);
  }
}

}  // namespace

static_assert(is(of_cells(3), "2275e0055d7ca4c55797c90c301b8a5f"));
static_assert(of_cells(3) != of_cells(4));

TEST_CASE("a million links deep, there is no recursion") {
  constexpr int depth = wf_test::sanitized ? 200000 : 1000000;
  const auto chain_of = [](int last) {
    return deep(std::unique_ptr<chain>(new chain{last, nullptr}), depth, [](int i, auto next) {
      return std::unique_ptr<chain>(new chain{i, std::move(next)});
    });
  };
  const digest128 one = fingerprint_of(*chain_of(1));
  CHECK(one == fingerprint_of(*chain_of(1)));
  CHECK(one != fingerprint_of(*chain_of(2)));

  std::vector<cell> cells;
  cells.reserve(depth);
  for (int i = 0; i < depth; ++i) cells.emplace_back(i, i == 0 ? nullptr : &cells.back());
  const digest128 before = fingerprint_of(cells.back());
  CHECK(before == fingerprint_of(cells.back()));
  cells[0] = cell(1, nullptr);
  CHECK(before != fingerprint_of(cells.back()));
}

TEST_CASE("deep trees of vectors, shared pointers and maps need no recursion") {
  constexpr int depth = wf_test::sanitized ? 20000 : 100000;
  const auto digest_of_tree = [&](int last) {
    tree row = deep(tree{last, {}}, depth, [](int i, tree below) {
      tree out{i, {}};
      out.below.push_back(std::move(below));
      return out;
    });
    const digest128 out = fingerprint_of(row);
    dismantle(std::move(row), [](tree& t) -> auto& { return t.below; });
    return out;
  };
  CHECK(digest_of_tree(1) == digest_of_tree(1));
  CHECK(digest_of_tree(1) != digest_of_tree(2));

  const auto digest_of_bush = [&](int last) {
    bush row = deep(bush(last), depth, [](int i, bush below) {
      bush out(i);
      out.below().push_back(std::move(below));
      return out;
    });
    const digest128 out = fingerprint_of(row);
    dismantle(std::move(row), [](bush& b) -> auto& { return b.below(); });
    return out;
  };
  CHECK(digest_of_bush(1) == digest_of_bush(1));
  CHECK(digest_of_bush(1) != digest_of_bush(2));

  const auto digest_of_folder = [&](int last) {
    folder row;
    folder* at = &row;
    for (int i = 0; i < depth; ++i) at = (at->below[i % 3] = std::make_unique<folder>()).get();
    at->below[last];
    const digest128 out = fingerprint_of(row);
    for (auto rest = std::move(row.below); !rest.empty();) {
      auto next = std::move(rest.begin()->second);
      rest.clear();
      if (next != nullptr) rest = std::move(next->below);
    }
    return out;
  };
  CHECK(digest_of_folder(1) == digest_of_folder(1));
  CHECK(digest_of_folder(1) != digest_of_folder(2));
}

TEST_CASE("what is shared is looked at once, and counts like copies of it") {
  auto shared = std::make_shared<shared_node>(shared_node{1, nullptr, nullptr});
  auto copied = std::make_shared<shared_node>(*shared);
  for (int i = 0; i < 8; ++i) {
    shared = std::make_shared<shared_node>(shared_node{i, shared, shared});
    auto again = std::make_shared<shared_node>(*copied);
    copied = std::make_shared<shared_node>(shared_node{i, copied, again});
  }
  CHECK(fingerprint_of(shared) == fingerprint_of(copied));
  // As a tree this would have 2^61 nodes.
  for (int i = 0; i < 52; ++i)
    shared = std::make_shared<shared_node>(shared_node{i, shared, shared});
  CHECK(fingerprint_of(shared) != fingerprint_of(shared->left));
}

TEST_CASE("cycles have fingerprints, too") {
  const auto ring = [](int size, int first) {
    auto out = std::make_unique<std::vector<cell>>();
    out->reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
      out->emplace_back(i == 0 ? first : 5, i == 0 ? nullptr : &out->back());
    out->front().next_for_test(&out->back());
    return out;
  };
  const auto of_ring = [&](int size, int first) {
    return fingerprint_of(ring(size, first)->back());
  };
  CHECK(of_ring(3, 5) == of_ring(3, 5));
  CHECK(of_ring(3, 5) != of_ring(4, 5));
  CHECK(of_ring(3, 5) != of_ring(3, 6));
  CHECK(of_ring(1, 5) != of_ring(2, 5));

  auto a = std::make_shared<shared_node>(), b = std::make_shared<shared_node>();
  a->left = b, b->right = a;
  const digest128 crossed = fingerprint_of(a);
  b->right = nullptr, b->left = a;
  CHECK(fingerprint_of(a) != crossed);
  b->left = nullptr;
}
