// SPDX-License-Identifier: BSL-1.0
#pragma once

// Workflows in every form: all of <wf/static.hpp>, equations, circuits, traced functions, text and
// JSON, comparison, and the prices and orders of what was captured.

#include <wf/static.hpp>

#include <wf/capture/call_node.hpp>
#include <wf/capture/circuit.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/v2.hpp>
#include <wf/capture/fixpoint.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/trace.hpp>
#include <wf/contraction/large/search.hpp>
#include <wf/core/callable.hpp>
#include <wf/core/container/bits.hpp>
#include <wf/core/container/box.hpp>
#include <wf/core/container/bytes.hpp>
#include <wf/core/container/components.hpp>
#include <wf/core/container/erased.hpp>
#include <wf/core/container/heap.hpp>
#include <wf/core/container/pack.hpp>
#include <wf/core/random.hpp>
#include <wf/core/sha256.hpp>
#include <wf/core/text/type_name.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/price_within.hpp>
#include <wf/cost/time_on_cores.hpp>
#include <wf/formula/language/enclose.hpp>
#include <wf/ir/compare/diff.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/order/best.hpp>
#include <wf/registry/element_value.hpp>
#include <wf/registry/fit.hpp>
#include <wf/registry/gradient_request.hpp>
#include <wf/registry/meanings.hpp>
#include <wf/registry/signature_text.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/registry/times/host_link.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/registry/times/sample_operands.hpp>
#include <wf/registry/usage.hpp>
