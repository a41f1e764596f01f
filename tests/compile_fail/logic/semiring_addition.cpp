// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF113: the addition of a semiring is an elementwise operator that states the laws
// EXPECT: commutative, associative and neutral
#include <wf/logic/evaluate/semiring.hpp>

#ifdef WF_FAIL
using differences = wf::logic::semiring<wf::kernels::subtract, wf::kernels::multiply>;
#else
using differences = wf::logic::semiring<wf::kernels::add, wf::kernels::multiply>;
#endif
static_assert(differences::zero == 0);
