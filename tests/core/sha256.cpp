// SPDX-License-Identifier: BSL-1.0
#include <wf/core/sha256.hpp>

#include <string>

#include <doctest/doctest.h>

// The examples of FIPS 180-4 and of NIST's test vectors.
static_assert(wf::sha256("abc") ==
              wf::text("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));

TEST_CASE("digests are those of the standard") {
  const auto digest = [](const std::string& s) {
    return std::string(wf::sha256(wf::text_view(s.data(), s.size())));
  };
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("every length around a block has a digest of its own") {
  std::string last;
  for (std::size_t n = 50; n < 140; ++n) {
    const std::string s(n, 'x');
    const std::string now(wf::sha256(wf::text_view(s.data(), s.size())));
    CHECK(now.size() == 64);
    CHECK(now != last);
    last = now;
  }
}
