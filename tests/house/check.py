#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the rules of the house, and first that each rule can fail.

    check.py --list                  the rules
    check.py RULE…                   these rules (default: all)
    check.py --self-test RULE…       only that they reject what they must and nothing else

A self-test is a file bad/RULE/*.txt: lines "REJECT: part of a problem", then files, each after a
line "=== path". The rule must report exactly these problems. None at all: it must be content.
"""

import argparse
import pathlib
import sys

from rules import RULES

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACES = ["include", "tests", "examples", "benchmarks", "docs", "cmake", "tools", "test_package",
          ".ci"]
LEFT_OUT = ("tests/house/bad/", "tests/report/golden/")


def read_tree():
    """All text files of the repository by path."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for place in PLACES:
        files += [path for path in (ROOT / place).rglob("*") if path.is_file()]
    tree = {}
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(LEFT_OUT) or {"build", "__pycache__"} & set(name.split("/")):
            continue
        try:
            tree[name] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            tree[name] = ""  # its existence counts, not its contents
    return tree


def read_case(path):
    """The expected problems and the tree of a self-test."""
    head, *parts = path.read_text(encoding="utf-8").split("=== ")
    expected = [line.split("REJECT:", 1)[1].strip() for line in head.splitlines()
                if line.startswith("REJECT:")]
    tree = {}
    for part in parts:
        name, _, text = part.partition("\n")
        tree[name.strip()] = text
    return expected, tree


def self_test(name):
    """The problems of the rule itself, by its self-test."""
    cases = sorted((ROOT / "tests/house/bad" / name).glob("*.txt"))
    rejecting = 0
    for case in cases:
        expected, tree = read_case(case)
        rejecting += bool(expected)
        problems = list(RULES[name](tree))
        for wanted in expected:
            if not any(wanted in problem for problem in problems):
                yield f"{case.relative_to(ROOT)}: not rejected: {wanted}"
        for problem in problems:
            if not any(wanted in problem for wanted in expected):
                yield f"{case.relative_to(ROOT)}: rejected without reason: {problem}"
    if not rejecting:
        yield f"tests/house/bad/{name}/ has no case that the rule rejects"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("rules", nargs="*", metavar="RULE")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(RULES))
        return
    unknown = [name for name in arguments.rules if name not in RULES]
    if unknown:
        sys.exit(f"no such rule: {', '.join(unknown)}")

    tree = None if arguments.self_test else read_tree()
    failed = 0
    for name in arguments.rules or RULES:
        problems = list(self_test(name))
        if tree is not None:
            problems += RULES[name](tree)
        print(f"{name}: {RULES[name].__doc__.strip()}")
        print("".join(f"  {problem}\n" for problem in problems), end="")
        failed += len(problems)
    print(f"{failed} problems")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
