// SPDX-License-Identifier: BSL-1.0
#pragma once

// Common parts of the targets that feed broken graphs to every function that takes a graph. The
// bytes of an input are the seed of a random valid graph and of the faults that are put into it. A
// function must answer a broken graph with an error; it may answer a graph that is still valid with
// an error or a result, and a graph that it returns is valid. `tests/house` finds functions that
// take a graph and are not fed.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>

#include <wf/core/container/hash.hpp>
#include <wf/ir/form/text.hpp>

#include "../ir/broken_graph.hpp"
#include "../ir/random_graph.hpp"
#include "../repeated.hpp"
#include "../types/typed_graph.hpp"
#include "fuzz.hpp"

namespace wf_test {

// A graph that may be broken, with checks of what functions return for it.
struct subject {
  wf::graph_view g;
  random_source& random;
  const char* entry = "";
  bool is_whole = false;        // `validate` accepts it
  bool has_references = false;  // `validate_references` accepts it

  void require(bool holds, const char* property) const {
    if (holds) return;
    std::cerr << "violated by " << entry << ": " << property << '\n';
    fuzz_require(false, property);
  }
  void is_error(const wf::error& e) const {
    require(e.code != wf::errc::none && !e.message.empty(), "an error has code and sentence");
  }

  // For functions that demand a valid graph, or one whose references are in range.
  template <class T>
  void takes_whole(const wf::result<T>& r) const {
    require(is_whole || !r, "a graph that is not valid is refused");
    if (!r) is_error(r.error());
  }
  template <class T>
  void takes_references(const wf::result<T>& r) const {
    require(has_references || !r, "a graph that refers to what does not exist is refused");
    if (!r) is_error(r.error());
  }
  // For passes: their result is validated, even if it is sealed as valid.
  void makes_graph(const wf::result<wf::graph>& r) const {
    takes_whole(r);
    if (!r) return;
    const auto valid = wf::validate(r->view());
    if (!valid) std::cerr << std::string(wf::to_text(valid.error()).view()) << '\n';
    require(valid.has_value(), "what is made of a valid graph is valid");
    require(r->view().is_sealed(), "what is made of a valid graph knows that it is valid");
  }
  // For functions that return no error: their text contains it.
  void says(const wf::text& words) const {
    require(has_references || std::string_view(words.view()).find("WF4") != std::string_view::npos,
            "a graph that refers to what does not exist is named as such");
  }
};

struct graph_entry {
  const char* name;  // the header, and the name that it declares
  void (*feed)(const subject&);
};

// A random valid graph, with unknown operators and all features of the IR, with built-in operators
// and inferred types, or with a body.
inline wf::graph whole_graph(random_source& random) {
  if (random() % 8 == 0) {  // drawn one after the other: compilers evaluate arguments in any order
    const char* const body = repeated::bodies[random() % std::size(repeated::bodies)];
    const auto size = static_cast<std::int64_t>(1 + random() % 3);
    return repeated::once(body, size, {static_cast<std::int64_t>(random() % 4)});
  }
  if (random() % 3 == 0) return random_graph(random);
  typed_graph_options options;
  options.most_nodes = 6;
  options.symbols = random() % 4 == 0;
  options.floating_only = random() % 2 == 0;
  return typed_graph_maker(random, options).make();
}

inline void feed_broken_graph(const std::uint8_t* data, std::size_t size,
                              const graph_entry* entries, std::size_t count) {
  random_source random(
      wf::hash_text({reinterpret_cast<const char*>(data), size}));  // the same on every platform
  wf::result<wf::graph> whole = wf::validated(whole_graph(random));
  fuzz_require(whole.has_value(), "a random graph is valid");
  loose_tables tables(whole->view());
  graph_breaker faults(tables, random);
  for (std::size_t i = random() % 8 == 0 ? 0 : 1 + random() % 3; i > 0; --i)
    faults.break_something();
  // The view is sealed as valid and must detect the change.
  wf::graph_view g = whole->view();
  tables.put_into(g);
  subject s{g, random};
  s.is_whole = wf::validate(g).has_value();
  s.has_references = wf::validate_references(g).has_value();
  fuzz_require(s.has_references || !s.is_whole, "a valid graph has its references in range");
  fuzz_require(!g.is_sealed() || (s.is_whole && g.values.empty()),
               "other tables break the seal of a view");
  fuzz_accepted += s.is_whole ? 1 : 0;
  const bool is_loud = std::getenv("WF_FUZZ_LOUD") != nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    s.entry = entries[i].name;
    if (is_loud) std::cerr << s.entry << std::endl;
    entries[i].feed(s);
  }
}

inline std::vector<std::string> random_seeds() {
  std::vector<std::string> out;
  for (int i = 0; i < 64; ++i) out.push_back("graph " + std::to_string(i));
  return out;
}

}  // namespace wf_test
