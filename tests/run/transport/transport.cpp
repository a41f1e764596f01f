// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/transport.hpp>

#include <doctest/doctest.h>

#include <utility>

namespace {

// Everything is lost.
struct void_transport {
  std::uint32_t rank() const { return 0; }
  std::uint32_t ranks() const { return 2; }
  wf::result<wf::nothing> send(std::uint32_t, wf::table<std::uint8_t>) { return wf::nothing{}; }
  template <wf::transport_inbox Inbox>
  wf::result<bool> poll(Inbox& inbox) {
    inbox.lost(1);
    return true;
  }
  void begin() {}
  void wait(std::int64_t) {}
  wf::result<wf::nothing> finish() { return wf::nothing{}; }
};
struct without_wait : void_transport {
  void wait() {}
};
struct forgetful : void_transport {
  void send(std::uint32_t, wf::table<std::uint8_t>) {}
};
struct losses {
  int count = 0;
  void came(std::uint32_t, wf::view<std::uint8_t>) {}
  void lost(std::uint32_t) { ++count; }
};
struct only_bytes {
  void came(std::uint32_t, wf::view<std::uint8_t>) {}
};

static_assert(wf::transport<void_transport>);
static_assert(!wf::transport<without_wait>);
static_assert(!wf::transport<forgetful>);
static_assert(wf::transport_inbox<losses>);
static_assert(!wf::transport_inbox<only_bytes>);

}  // namespace

TEST_CASE("a transport hands out what has come and who is lost") {
  void_transport t;
  losses in;
  CHECK(t.poll(in));
  CHECK(in.count == 1);
}
