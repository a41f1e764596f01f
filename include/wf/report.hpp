// SPDX-License-Identifier: BSL-1.0
#pragma once

// Reports: text, DOT, SVG, JSON and HTML pages.

#include <wf/report/graph/explain.hpp>
#include <wf/report/graph/explain_library.hpp>
#include <wf/report/graph/pareto_svg.hpp>
#include <wf/report/mapping/batch_json.hpp>
#include <wf/report/mapping/batch_svg.hpp>
#include <wf/report/mapping/page.hpp>
#include <wf/report/mapping/schedule_page.hpp>
#include <wf/report/partition/cut_svg.hpp>
#include <wf/report/partition/sequence_svg.hpp>
#include <wf/report/simulation/comparison_page.hpp>
#include <wf/report/simulation/perfetto.hpp>
#include <wf/report/toolchain/joined_tracer.hpp>
#include <wf/report/toolchain/perfetto_tracer.hpp>
#include <wf/report/toolchain/picture.hpp>
#include <wf/report/toolchain/stage_text.hpp>
#include <wf/report/toolchain/step_times.hpp>
#include <wf/report/trace/batch.hpp>
#include <wf/report/trace/mapping.hpp>
#include <wf/report/trace/perfetto.hpp>
#include <wf/report/trace/schedule.hpp>
