# SPDX-License-Identifier: BSL-1.0
"""Which headers of wf include which."""

import functools
import pathlib
import re

INCLUDE_DIR = pathlib.Path(__file__).resolve().parents[1] / "include"
INCLUDE = re.compile(r"\s*#\s*include\s*<([^>]+)>")
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|endif)\b\s*(\w*)")


def lines_of(header):
    """The lines of a wf header: (line, included header or "", enclosing preprocessor
    conditions)."""
    conditions = []
    for line in (INCLUDE_DIR / header).read_text(encoding="utf-8").splitlines():
        condition = CONDITION.match(line)
        if condition and condition[1] == "endif":
            conditions.pop()
        elif condition:
            conditions.append((condition[1], condition[2]))
        include = INCLUDE.match(line)
        yield line, include[1] if include else "", tuple(conditions)


@functools.cache
def always_included(header):
    """The wf headers that a wf header includes unconditionally, directly or not."""
    direct = {name for _, name, conditions in lines_of(header)
              if name.startswith("wf/") and not conditions}
    return direct.union(*map(always_included, direct))
