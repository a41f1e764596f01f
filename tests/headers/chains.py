#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the translation units that together show that every header includes what it uses.

usage: chains.py OUTPUT_FOLDER HEADER...

Each unit includes a chain of headers in which every header is among those that the next one
includes, directly or not. What precedes a header in its unit is therefore part of what it includes
anyway, so that it compiles there exactly if it compiles alone; and common headers are compiled once
for a chain instead of once for a header. The chains are as few as possible: a maximum matching of
headers and their successors (Dilworth 1950, Fulkerson 1956). Includes under a condition do not
count. Prints the names of the units, separated by semicolons.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from include_graph import INCLUDE_DIR, always_included  # noqa: E402


def size(header):
    """Orders headers by the number of headers that they include, and those alike by name."""
    return len(always_included(header)), header


def chains(headers):
    """The fewest chains that contain each header once, and their headers innermost first."""
    sys.setrecursionlimit(10_000)
    chosen = set(headers)
    # The largest first: they save most.
    before = {h: sorted(always_included(h) & chosen, key=size, reverse=True) for h in headers}
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

    firsts = [h for h in sorted(headers, key=size) if not extends(h, set())]
    for header in firsts:
        chain = [header]
        while chain[-1] in successor:
            chain.append(successor[chain[-1]])
        yield chain


def main(output_folder, *names):
    output = pathlib.Path(output_folder)
    headers = [pathlib.Path(name).relative_to(INCLUDE_DIR).as_posix() for name in names]
    output.mkdir(parents=True, exist_ok=True)
    units = []
    for chain in chains(headers):
        unit = output / (chain[-1].removesuffix(".hpp").replace("/", "_") + ".cpp")
        text = "".join(f"#include <{h}>\n" for h in chain)
        if not unit.exists() or unit.read_text() != text:
            unit.write_text(text)
        units.append(str(unit))
    print(";".join(sorted(units)), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
