# SPDX-License-Identifier: BSL-1.0
"""The answers that a program should have, in its folder expected/: those of the data, which nobody
here computed, and those of layers, which plain loops computed."""

import array
import hashlib
import json
import math
import sys


def bytes_of_rows(path):
    """The rows of a file of numbers as little-endian words of 32 bits, as a worker writes them."""
    words = array.array("I", (int(word) & 0xffffffff for word in path.read_text().split()))
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


class Relation:
    """A relation of an answer that was published by its rows; `rows` is their number."""

    def __init__(self, name, rows, digest):
        self.name, self.rows, self.digest = name, rows, digest

    def wrong(self, folder):
        """What is wrong with the answer in a folder; None if nothing is."""
        if hashlib.sha256((folder / self.name).read_bytes()).hexdigest() != self.digest:
            return f"{self.name} is not what is expected"
        return None


class Tensor:
    """A tensor of one axis of an answer, of which some sums and values were published."""

    def __init__(self, name, facts):
        self.name, self.facts, self.rows = name, facts, None

    def wrong(self, folder):
        """What is wrong with the answer in a folder; None if nothing is."""
        values = array.array("d", (folder / f"{self.name}.values").read_bytes())
        if sys.byteorder == "big":
            values.byteswap()
        self.rows = len(values)
        wanted = [self.facts["sum"], self.facts["sum_of_squares"], *self.facts["first_20"]]
        found = [math.fsum(values), math.fsum(value * value for value in values), *values[:20]]
        tolerance = self.facts["tolerance_relative"]
        if not all(abs(a - b) <= tolerance * abs(b) for a, b in zip(found, wanted, strict=True)):
            return f"values of {self.name} are not what is expected"
        if values.index(max(values)) != self.facts["argmax"]:
            return f"{self.name} has its maximum elsewhere"
        return None


class Values:
    """A dense tensor of an answer that is there in full."""

    def __init__(self, name, facts, folder):
        self.name, self.tolerance = name, facts["tolerance_of_largest"]
        self.values = array.array("d", (folder / facts["values"]).read_bytes())
        self.rows = len(self.values)

    def wrong(self, folder):
        """What is wrong with the answer in a folder; None if nothing is."""
        found = array.array("d", (folder / f"{self.name}.values").read_bytes())
        most = self.tolerance * max(map(abs, self.values))
        if len(found) != self.rows or not all(
                abs(a - b) <= most for a, b in zip(found, self.values)):
            return f"values of {self.name} are not what is expected"
        return None


def of_summary(path):
    """Yields what a summary says of an answer."""
    for name, facts in json.loads(path.read_text()).items():
        if not isinstance(facts, dict):
            continue
        if "values" in facts:
            yield Values(name, facts, path.parent)
            continue
        digest = next((value for key, value in facts.items() if key.startswith("sha256")), None)
        yield Relation(name, facts["rows"], digest) if digest else Tensor(name, facts)


def of_files(folder):
    """Yields the relations that are there in full."""
    for path in sorted(folder.glob("*.tsv")):
        rows = path.read_text().count("\n")
        yield Relation(path.stem, rows, hashlib.sha256(bytes_of_rows(path)).hexdigest())


def check(program, answers, facts):
    """What is wrong with the answers that a worker wrote and with the numbers of facts that it
    reported; None if nothing is."""
    expected = program / "expected"
    summary = expected / "summary.json"
    wanted = list(of_summary(summary) if summary.exists() else of_files(expected))
    for each in wanted:
        if not (answers / each.name).exists():
            return f"there is no {each.name}"
        if wrong := each.wrong(answers):
            return wrong
    rows = sum(each.rows for each in wanted)
    return None if facts == {rows} else f"{sorted(facts)} facts instead of {rows}"
