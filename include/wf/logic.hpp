// SPDX-License-Identifier: BSL-1.0
#pragma once

// Programs of equations that recurse: reading, ordering, evaluating and querying them.

#include <wf/logic/demand/query.hpp>
#include <wf/logic/demand/rewrite.hpp>
#include <wf/logic/demand/session.hpp>
#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/evaluate/key.hpp>
#include <wf/logic/gradient/gradient.hpp>
#include <wf/logic/program/notation.hpp>
#include <wf/logic/program/read_program.hpp>
#include <wf/logic/program/strata.hpp>
#include <wf/logic/program/unrolled.hpp>
#include <wf/logic/proof/session.hpp>
#include <wf/logic/relation/database.hpp>
#include <wf/logic/relation/facts.hpp>
#include <wf/logic/static_program.hpp>
#include <wf/logic/update/session.hpp>
