#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""step.py TASK WORD: runs a task of ./instance.json: writes each of its files with the digest of
what it read, and notes begin and end in ./log."""

import hashlib
import json
import os
import pathlib
import sys


def contents(task, file, inputs):
    """What a task writes to a file, given the contents of its inputs in their order."""
    return hashlib.sha256("\n".join([task, file, *inputs]).encode()).hexdigest()


def inputs_of(task):
    """The files that a task reads and does not write itself."""
    return [file for file in task.get("inputFiles", []) if file not in task.get("outputFiles", [])]


def note(word, task):
    log = os.open("log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(log, f"{word} {task}\n".encode())
    os.close(log)


def main():
    task, word = sys.argv[1:]
    if word != r"a{b}$c\n":
        sys.exit(f"another word arrives: {word}")
    tasks = json.loads(pathlib.Path("instance.json").read_text())["workflow"]["specification"]
    found = next(t for t in tasks["tasks"] if t["id"] == task)
    note("begin", task)
    read = [pathlib.Path(file).read_text() for file in inputs_of(found)]
    for file in found.get("outputFiles", []):
        pathlib.Path(file).write_text(contents(task, file, read))
    note("end", task)


if __name__ == "__main__":
    main()
