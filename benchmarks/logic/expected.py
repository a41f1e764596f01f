# SPDX-License-Identifier: BSL-1.0
"""The answers that nobody here computed: expected/ of a program."""

import array
import hashlib
import json
import sys


def bytes_of_rows(path):
    """The rows of a file of numbers as little-endian words of 32 bits, as a worker writes them."""
    words = array.array("I", (int(word) & 0xffffffff for word in path.read_text().split()))
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def of_summary(path):
    """Number of rows and digest of each relation that a summary describes."""
    for name, facts in json.loads(path.read_text()).items():
        if isinstance(facts, dict):
            digest = next(value for key, value in facts.items() if key.startswith("sha256"))
            yield name, facts["rows"], digest


def of_files(folder):
    """The same of relations that are there in full."""
    for path in sorted(folder.glob("*.tsv")):
        rows = path.read_text().count("\n")
        yield path.stem, rows, hashlib.sha256(bytes_of_rows(path)).hexdigest()


def check(program, answers, facts):
    """What is wrong with the answers that a worker wrote and with the number of facts that it
    reported; None if nothing is."""
    expected = program / "expected"
    summary = expected / "summary.json"
    wanted = list(of_summary(summary) if summary.exists() else of_files(expected))
    for name, _, digest in wanted:
        answer = answers / name
        if not answer.exists():
            return f"there is no {name}"
        if hashlib.sha256(answer.read_bytes()).hexdigest() != digest:
            return f"{name} is not what is expected"
    all_rows = sum(rows for _, rows, _ in wanted)
    return None if facts == {all_rows} else f"{sorted(facts)} facts instead of {all_rows}"
