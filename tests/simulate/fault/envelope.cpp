// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/envelope.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace wf::fault;

namespace {

envelope random_envelope(std::mt19937_64& random) {
  const auto narrow = [&] { return static_cast<std::uint32_t>(random()); };
  return {static_cast<message_kind>(random() % 4),
          narrow(),
          narrow(),
          narrow(),
          narrow(),
          narrow(),
          random(),
          random(),
          static_cast<std::int64_t>(random()),
          random()};
}

}  // namespace

TEST_CASE("an envelope survives the wire") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const envelope m = random_envelope(random);
    CHECK(is_whole(pack(m)));
    CHECK(unpack(pack(m)) == m);
  }
}

TEST_CASE("the checksum notices every single flipped bit, and pairs that do not cancel") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    const wire_form sent = pack(random_envelope(random));
    for (std::uint32_t bit = 0; bit < envelope_bits; ++bit) {
      wire_form w = sent;
      flip(w, bit);
      CHECK_FALSE(is_whole(w));
      const auto second = static_cast<std::uint32_t>(random() % envelope_bits);
      flip(w, second);
      CHECK(is_whole(w) == (second == bit));
    }
  }
}
