// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/text/hexadecimal.hpp>

namespace wf {

namespace detail {

/// The compression function of SHA-256 over blocks of 64 bytes. Source: FIPS 180-4, section 6.2.
class sha256_state {
 public:
  constexpr void block(const unsigned char* bytes) {
    std::uint32_t w[64] = {};
    for (std::size_t i = 0; i < 16; ++i)
      w[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
             std::uint32_t{bytes[4 * i + 2]} << 8 | std::uint32_t{bytes[4 * i + 3]};
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    std::uint32_t v[8] = {};
    for (std::size_t i = 0; i < 8; ++i) v[i] = h[i];
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
      const std::uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
      const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
      const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      for (std::size_t k = 7; k > 0; --k) v[k] = v[k - 1];
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
  }

  /// The words of the digest.
  std::uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

 private:
  static constexpr std::uint32_t constants[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
};

}  // namespace detail

/// The SHA-256 digest of a text as 64 hexadecimal digits: for keys that other programs can compute.
/// O(size). Source: FIPS 180-4.
constexpr text sha256(text_view characters) {
  detail::sha256_state state;
  const auto byte = [&](std::uint64_t at) -> unsigned char {
    return at < characters.size() ? static_cast<unsigned char>(characters[at])
                                  : static_cast<unsigned char>(at == characters.size() ? 0x80 : 0);
  };
  const std::uint64_t bits = 8 * std::uint64_t{characters.size()};
  const std::uint64_t blocks = (characters.size() + 8) / 64 + 1;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    unsigned char bytes[64] = {};
    for (std::uint64_t i = 0; i < 64; ++i) bytes[i] = byte(64 * b + i);
    if (b + 1 == blocks)
      for (std::size_t i = 0; i < 8; ++i)
        bytes[56 + i] = static_cast<unsigned char>(bits >> (56 - 8 * i) & 255);
    state.block(bytes);
  }
  text out;
  for (const std::uint32_t word : state.h) detail::append_hexadecimal(out, word, 8);
  return out;
}

}  // namespace wf
