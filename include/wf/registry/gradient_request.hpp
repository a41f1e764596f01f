// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>
#include <wf/core/text/view.hpp>

namespace wf {

/// What `gradient` differentiates.
struct gradient_request {
  /// The output; empty: the only one.
  text_view output = {};
  /// The inputs by which it is differentiated; empty: all of real floating-point type.
  view<text_view> inputs = {};
  /// The name of a new input of the type of the output, the derivatives of what follows by its
  /// elements; empty: the number 1, of an output without dimensions.
  text_view seed = {};
  /// What the name of an output of derivatives begins with, before that of the input.
  text_view prefix = "grad_";
};

}  // namespace wf
