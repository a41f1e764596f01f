#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the instructions of pairs of functions: wf_<name> must have those of hand_<name>.

    compare.py --compiler g++ tests/assembly/pipelines.cpp

The file is compiled at -O2. Labels, directives and comments do not count. A self-test plants an
instruction to see that a difference is found.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-O2", "-fno-asynchronous-unwind-tables", "-Wall", "-Wextra", "-Wpedantic",
         "-Wconversion", "-Werror", f"-I{ROOT / 'include'}", "-S", "-o", "-"]


def functions(assembly):
    """name → instructions, in order, with local labels renamed by their order."""
    out, name = {}, None
    for line in assembly.splitlines():
        line = re.sub(r"(#|//).*", "", line).rstrip()
        label = re.match(r"^(\w+):$", line)
        if label:
            name = label[1] if re.match(r"(wf|hand)_", label[1]) else None
            if name:
                out[name] = []
        elif name and re.match(r"^\s*\.size\s+" + name + r"\b", line):
            name = None
        elif name and line.strip() and not re.match(r"^\s*\.", line):
            out[name].append(" ".join(line.split()))
    for instructions in out.values():
        known = {}
        for i, text in enumerate(instructions):
            instructions[i] = re.sub(
                r"\.L\w+", lambda m: known.setdefault(m[0], f".L{len(known)}"), text)
    return out


def differences(found):
    """The names of pairs whose instructions differ or whose counterpart is missing."""
    names = {name.split("_", 1)[1] for name in found}
    twins = [(name, found.get("wf_" + name), found.get("hand_" + name)) for name in sorted(names)]
    return [name for name, ours, theirs in twins if ours is None or ours != theirs]


def self_test():
    same = "wf_a:\n\tret\n\t.size wf_a, 1\nhand_a:\n.L5:\n\tret\n\t.size hand_a, 1\n"
    assert differences(functions(same)) == []
    assert differences(functions(same.replace("hand_a:\n", "hand_a:\n\tnop\n"))) == ["a"]
    assert differences(functions(same.replace("hand_a", "other_a"))) == ["a"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[], help="of a library")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    self_test()
    failed = 0
    for path in arguments.files:
        libraries = [word for folder in arguments.include for word in ("-isystem", folder)]
        done = subprocess.run([arguments.compiler, *FLAGS, *libraries, path], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            print(done.stderr)
            return 1
        found = functions(done.stdout)
        wrong = differences(found)
        for name in sorted(n.split("_", 1)[1] for n in found if n.startswith("wf_")):
            count = len(found.get("hand_" + name, []))
            verdict = "DIFFERS" if name in wrong else "same"
            print(f"{name}: {count} instructions, {verdict}")
        for name in wrong:
            for side in ("wf_", "hand_"):
                print(f"--- {side}{name}", *found.get(side + name, ["missing"]), sep="\n    ")
        if not found:
            print(f"{path}: no function to compare")
        failed += len(wrong) + (not found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
