// SPDX-License-Identifier: BSL-1.0
#pragma once

// Programs for several machines: classes of machines, and a program for each.

#include <wf/partition/assign.hpp>
#include <wf/partition/machine/message_form.hpp>
#include <wf/partition/machine/run.hpp>
#include <wf/partition/static_deployment.hpp>
#include <wf/partition/traffic.hpp>
#include <wf/partition/without_messages.hpp>
