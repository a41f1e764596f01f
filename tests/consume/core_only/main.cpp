// SPDX-License-Identifier: BSL-1.0
#include <wf/static.hpp>

// The compile-time tier needs no library.
int main() {
  static_assert(wf::hash_text("wf") != 0);
  return wf::make_symbol("M") ? 0 : 1;
}
