// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/view.hpp>

namespace wf {

namespace detail {

// The compiler's name of this function, which contains the name of T between "T = " and "]".
template <class T>
constexpr const char* signature_with_type() {
  return __PRETTY_FUNCTION__;
}

constexpr text_view type_in_signature(text_view signature) {
  std::size_t first = 0;
  while (!signature.part(first).starts_with("T = ")) ++first;
  first += 4;
  return signature.part(first, signature.size() - 1 - first);
}

}  // namespace detail

/// The name of a type as the compiler writes it, with namespaces, for messages and reports. Some
/// names differ between compilers (standard strings, lambdas), so nothing may depend on them.
/// O(length).
template <class T>
constexpr text_view type_name() {
  return detail::type_in_signature(detail::signature_with_type<T>());
}

}  // namespace wf
