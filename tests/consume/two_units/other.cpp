// SPDX-License-Identifier: BSL-1.0
#include <wf/wf.hpp>

wf::text written_elsewhere() {
  wf::text there;
  there << "wf " << wf::version.major_part << '.' << wf::version.minor_part << '.'
        << wf::version.patch_part;
  return there;
}
