// SPDX-License-Identifier: BSL-1.0
#include <wf/wf.hpp>

#include <iostream>

wf::text written_elsewhere();

int main() {
  wf::text here;
  here << "wf " << wf::version.major_part << '.' << wf::version.minor_part << '.'
       << wf::version.patch_part;
  std::cout << here << '\n';
  return here == written_elsewhere() ? 0 : 1;
}
