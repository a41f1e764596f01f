// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF105: the name a_name_of_more_than_thirty_four_ch aracters is too long
#include <wf/core/diagnosis/ill_formed.hpp>

template <auto Failure, bool Fails>
constexpr bool check() {
  if constexpr (Fails) wf::report<wf::diagnose<Failure>>{};
  return true;
}
constexpr auto too_long = [] {
  return wf::make_error(wf::errc::invalid_name, "input",
                        "the name a_name_of_more_than_thirty_four_characters is too long");
};

#ifdef WF_FAIL
static_assert(check<too_long, true>());
#else
static_assert(check<too_long, false>());
#endif
