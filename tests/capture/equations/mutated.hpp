// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace wf_test {

// A text with a few random changes.
inline std::string mutated(std::string source, std::mt19937_64& random) {
  const std::string characters = "ABij01[](){}<>,=+-*/ ;:\n#\".'!&|?@$e_";
  for (std::size_t n = 1 + random() % 4; n > 0; --n) {
    const std::size_t at = random() % (source.size() + 1);
    switch (random() % 3) {
      case 0:
        source.insert(at, 1, characters[random() % characters.size()]);
        break;
      case 1:
        source.erase(at, 1 + random() % 4);
        break;
      default: {
        const std::size_t from = random() % (source.size() + 1), length = random() % 20;
        source.insert(at, source.substr(from, length));
      }
    }
  }
  return source;
}

// Reads changed texts: each is a tree that is well formed, or an error at a position of the text.
// The number that are read.
template <class Read>
std::size_t read_mutated(const std::vector<std::string>& seeds, std::uint64_t seed, int rounds,
                         Read read) {
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::size_t accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string source = mutated(seeds[random() % seeds.size()], random);
    const wf::text_view view(source.data(), source.size());
    const wf::result<wf::equation_program> p = read(view);
    CAPTURE(source);
    accepted += p.has_value();
    if (p) {
      REQUIRE(is_well_formed(*p));
    } else {
      REQUIRE(!p.error().message.empty());
      REQUIRE(p.error().where.offset <= source.size());
      REQUIRE(p.error().where == wf::position_at(view, p.error().where.offset));
    }
  }
  return accepted;
}

}  // namespace wf_test
