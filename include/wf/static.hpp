// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/fixed_string.hpp>
#include <wf/core/hash.hpp>
#include <wf/core/ill_formed.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/result.hpp>
#include <wf/core/symbol.hpp>
#include <wf/core/table.hpp>
#include <wf/core/text.hpp>
#include <wf/core/text_view.hpp>
#include <wf/core/units.hpp>
#include <wf/core/version.hpp>
