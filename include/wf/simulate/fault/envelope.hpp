// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/random.hpp>
#include <wf/simulate/fault/script.hpp>

namespace wf::fault {

/// What travels between two peers.
struct envelope {
  message_kind kind = message_kind::data;  ///< what it is
  std::uint32_t source = 0;                ///< the sender
  std::uint32_t incarnation = 0;           ///< of the sender
  std::uint32_t destination = 0;           ///< the receiver
  std::uint32_t edge = 0;                  ///< of a payload; an answer has that of its question
  std::uint32_t attempt = 0;               ///< earlier attempts; an answer has that of its question
  std::uint64_t sequence = 0;              ///< likewise
  std::uint64_t request = 0;               ///< of this attempt, never 0 for data and probes
  /// The rest of the time that the send may take: a duration, so that clocks need not agree. In a
  /// notice: the wait that it asks for. Nanoseconds.
  std::int64_t remaining = 0;
  std::uint64_t payload = 0;  ///< the datum, its digest, or the index of it

  /// What the decisions of rules depend on.
  constexpr message_identity identity() const {
    return {source, incarnation, destination, static_cast<std::uint32_t>(kind),
            edge,   sequence,    attempt};
  }
  friend constexpr bool operator==(const envelope&, const envelope&) = default;
};

/// Number of 64-bit words of an envelope on the wire.
inline constexpr std::uint32_t envelope_words = 8;
/// Number of bits of an envelope on the wire, any of which may flip.
inline constexpr std::uint32_t envelope_bits = 64 * envelope_words;

/// An envelope on the wire.
struct wire_form {
  /// Packed fields; the last word is the checksum.
  std::uint64_t words[envelope_words]{};

  friend constexpr bool operator==(const wire_form&, const wire_form&) = default;
};

/// A bijection of each word, chained, so that a change within one word always changes it.
constexpr std::uint64_t checksum_of(const wire_form& w) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i + 1 < envelope_words; ++i) {
    sum = (sum ^ w.words[i]) * wf::detail::golden_gamma;
    sum ^= sum >> 29;
  }
  return sum;
}

/// The wire form of an envelope, with its checksum.
constexpr wire_form pack(const envelope& m) {
  const auto high = [](std::uint32_t n) { return static_cast<std::uint64_t>(n) << 32; };
  wire_form w{{high(m.source) | m.destination, high(m.incarnation) | m.edge,
               high(static_cast<std::uint32_t>(m.kind)) | m.attempt, m.sequence, m.request,
               static_cast<std::uint64_t>(m.remaining), m.payload, 0}};
  w.words[envelope_words - 1] = checksum_of(w);
  return w;
}

/// The envelope of a wire form.
constexpr envelope unpack(const wire_form& w) {
  const auto high = [&](int i) { return static_cast<std::uint32_t>(w.words[i] >> 32); };
  const auto low = [&](int i) { return static_cast<std::uint32_t>(w.words[i]); };
  return {static_cast<message_kind>(high(2) & 3),
          high(0),
          high(1),
          low(0),
          low(1),
          low(2),
          w.words[3],
          w.words[4],
          static_cast<std::int64_t>(w.words[5]),
          w.words[6]};
}

/// True if the checksum fits the other words.
constexpr bool is_whole(const wire_form& w) {
  return checksum_of(w) == w.words[envelope_words - 1];
}

/// Flips a bit of the wire form. Precondition: bit < envelope_bits.
constexpr void flip(wire_form& w, std::uint32_t bit) {
  w.words[bit / 64] ^= std::uint64_t{1} << (bit % 64);
}

}  // namespace wf::fault
