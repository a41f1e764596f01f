// SPDX-License-Identifier: BSL-1.0
// EXPECT: back WF807: a store that outlives the process needs the version of the code
#include <wf/cache/cached.hpp>
#include <wf/cache/store/directory.hpp>
#include <wf/toolchain/toolchain.hpp>

const auto add = wf::step<"add">([](const int& x) { return x + 1; });
const auto scale = wf::step<"scale">([](const int& x) { return 2 * x; });
const auto store = wf::in_directory<int>("stages");
const auto all = wf::chain(add, wf::cached(wf::chain<"back">(scale), store, "1"));
#ifdef WF_FAIL
const auto other = all.replace<"back/scale">([](const int& x) { return 3 * x; });  // HERE
#else
const auto back = all.get<"back">().inner.replace<"scale">([](const int& x) { return 3 * x; });
const auto other = all.replace<"back">(wf::cached(back, store, "2"));
#endif
