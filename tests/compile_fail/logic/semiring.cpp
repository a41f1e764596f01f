// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF113: the multiplication of a semiring is an elementwise operator that states the laws
// EXPECT: associative and neutral, and that it distributes over the addition
#include <wf/logic/evaluate/semiring.hpp>

#ifdef WF_FAIL
using signed_products = wf::logic::semiring<wf::kernels::maximum, wf::kernels::multiply>;
#else
using signed_products = wf::logic::semiring<wf::kernels::add, wf::kernels::multiply>;
#endif
static_assert(signed_products::one == 1);
