#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that outputs in README.md and the documents are those of the examples.

    outputs.py      runs the examples of the build tree WF_BINARY_DIR

A block without a language, or of text, is a part of what an example prints, line for line, or is
named below with where it comes from. A picture is a file that an example writes.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import rules

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from mpi import AS_ROOT, launcher  # noqa: E402

BINARY_DIR = pathlib.Path(os.environ.get("WF_BINARY_DIR", ROOT / "build/gcc"))
# Other outputs by their prefix: the file with the same text, or None if written by hand.
OTHERS = {
    "WF402: unknown element type 'F64'": "tests/ir/form/parse_json.cpp",
    "signature  = [ entry": None,  # a grammar
    "Ancestor('Ada','Eve')  by": "examples/rules/family.txt",
    "[eq] Ancestor LHS:x,y": "examples/rules/family.show.txt",
}
# Examples that are started as several processes, as the tests start them.
START = {"distributed": launcher(4), "processes": launcher(4),
         "actors": [ROOT / "tests/processes.py", "4"]}


def outputs():
    """The output of each example, by name, and the pictures that they write, by name."""
    printed, pictures = {}, {}
    for source in sorted((ROOT / "examples").glob("*.cpp")):
        program = BINARY_DIR / "examples" / source.stem
        start = START.get(source.stem, [])
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run([*start, program, "--out", place], capture_output=True,
                                  text=True, stdin=subprocess.DEVNULL, check=True,
                                  env={**os.environ, **AS_ROOT})
            for picture in pathlib.Path(place).glob("*.svg"):
                pictures[picture.name] = picture.read_bytes()
        printed[source.stem] = [line.rstrip() for line in done.stdout.splitlines()]
    return printed, pictures


def is_part(wanted, printed):
    """True if an example prints these lines consecutively."""
    return any(lines[i:i + len(wanted)] == wanted
               for lines in printed.values() for i in range(len(lines)))


def is_known(wanted):
    for start, source in OTHERS.items():
        if wanted[0].startswith(start):
            return source is None or wanted[0] in (ROOT / source).read_text(encoding="utf-8")
    return False


def main():
    printed, pictures = outputs()
    if is_part(["nothing prints this"], printed) or not printed:
        sys.exit("the check finds what is not there")
    wrong = found = 0
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for line, language, lines in rules.code_blocks(path.read_text(encoding="utf-8")):
            wanted = [text.rstrip() for text in lines]
            if language not in ("", "text") or not wanted or rules.SNIPPET.match(wanted[0]):
                continue
            if is_part(wanted, printed):
                found += 1
            elif not is_known(wanted):
                wrong += 1
                print(f"{path.relative_to(ROOT)}:{line}: no example prints\n  "
                      + "\n  ".join(wanted))
    for path in sorted((ROOT / "docs").rglob("*.svg")):
        if pictures.get(path.name) != path.read_bytes():
            wrong += 1
            print(f"{path.relative_to(ROOT)}: no example writes this picture")
    print(f"{found} blocks are printed by examples, {wrong} by none")
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
