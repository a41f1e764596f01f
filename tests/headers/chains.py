#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the translation units that together show that every header includes what it uses.

usage: chains.py INCLUDE_FOLDER OUTPUT_FOLDER HEADER...

Each unit includes a chain of headers in which every header is among those that the next one
includes, directly or not. What precedes a header in its unit is therefore part of what it includes
anyway, so that it compiles there exactly if it compiles alone; and common headers are compiled once
for a chain instead of once for a header. The chains are as few as possible: a maximum matching of
headers and their successors (Dilworth 1950, Fulkerson 1956). Includes under a condition do not
count. Prints the names of the units, separated by semicolons.
"""

import functools
import pathlib
import re
import sys

DIRECTIVE = re.compile(r"^# *(include <(wf/[^>]+)>|if|endif)", re.M)


def included(text):
    """The headers of wf that a text includes under no condition."""
    depth = 0
    for directive in DIRECTIVE.finditer(text):
        if directive[2]:
            if depth == 0:
                yield directive[2]
        else:
            depth += 1 if directive[1] == "if" else -1


def chains(folder, headers):
    """The fewest chains that contain each header once, and their headers innermost first."""
    sys.setrecursionlimit(10_000)

    @functools.cache
    def closure(header):
        direct = set(included((folder / header).read_text()))
        return direct.union(*map(closure, direct))

    chosen = set(headers)
    # Those with the largest closure first: they save most.
    before = {
        h: sorted(closure(h) & chosen - {h}, key=lambda b: (-len(closure(b)), b)) for h in headers
    }
    successor = {}

    def extends(header, tried):
        """Whether a chain that ends now can continue with `header`, others rearranged."""
        for last in before[header]:
            if last not in tried:
                tried.add(last)
                if last not in successor or extends(successor[last], tried):
                    successor[last] = header
                    return True
        return False

    innermost_first = sorted(headers, key=lambda h: (len(closure(h)), h))
    firsts = [h for h in innermost_first if not extends(h, set())]
    for header in firsts:
        chain = [header]
        while chain[-1] in successor:
            chain.append(successor[chain[-1]])
        yield chain


def main(include_folder, output_folder, *names):
    folder, output = pathlib.Path(include_folder), pathlib.Path(output_folder)
    headers = [str(pathlib.Path(n).relative_to(folder)) for n in names]
    output.mkdir(parents=True, exist_ok=True)
    units = []
    for chain in chains(folder, headers):
        unit = output / (chain[-1].removesuffix(".hpp").replace("/", "_") + ".cpp")
        text = "".join(f"#include <{h}>\n" for h in chain)
        if not unit.exists() or unit.read_text() != text:
            unit.write_text(text)
        units.append(str(unit))
    print(";".join(sorted(units)), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
