// SPDX-License-Identifier: BSL-1.0
#include <wf/wf.hpp>

#include <iostream>

int main() {
  std::cout << "wf " << wf::version.major_part << '.' << wf::version.minor_part << '.'
            << wf::version.patch_part << " through Conan\n";
}
