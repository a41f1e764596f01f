// SPDX-License-Identifier: BSL-1.0
// EXPECT: wf::graph WF814: 'wf::graph' has no fingerprint: include <wf/cache/fingerprint/graph.hpp>
#include <wf/cache/fingerprint/fingerprint.hpp>
#include <wf/ir/graph/graph.hpp>
#ifdef WF_FAIL
// fingerprint.hpp alone does not support graphs.
#else
#include <wf/cache/fingerprint/graph.hpp>
#endif

constexpr auto f = wf::fingerprint_of(wf::graph("w"));  // HERE
static_assert(f != wf::digest128{});
