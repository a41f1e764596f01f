#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Executes every command that README.md, CONTRIBUTING.md and the documents print, as printed.

    commands.py          each that is quick; of a slow one, that its options are understood
    commands.py --all    the slow ones, too: builds, tests and benchmarks, for hours
    commands.py --list   what is done with each

A command is a line of a block of shell, and code in a sentence that begins with a program or with
an option, which belongs to the command before it. A page's commands are executed in their order, in
a clean copy of the tree; the pages are read in the order of PAGES, and then by name. A word in
capitals stands for what PLACEHOLDERS says, and what stands in brackets may be left out.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import rules

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/consume"))
import run as consume  # noqa: E402

PAGES = ["README.md", "docs/how-to/consume.md"]  # the installation of these is used by the others
PROGRAMS = {"cmake", "ctest", "conan", "pip", "python", "python3", "g++", "clang++-19", "c++",
            "make", "ninja", "git", "sh", "bash", "mkdocs", "pkg-config", "wf-calibrate",
            "wf-logic", "mpirun", "srun"}
SHELL = {"sh", "bash", "shell", "console"}
OTHER_LANGUAGES = {"", "text", "cpp", "json", "yaml", "cmake"}  # languages of blocks without
                                                                # commands
PLACEHOLDERS = {"N": "8", "BYTES": "1048576", "TEXT": "matmul", "S": "2", "F": "out.csv",
                "F.json": "problems.json", "F.svg": "out.svg", "[seconds]": "1",
                "LATENCY,BANDWIDTH": "3000,4000000000", "COMMAND": "mpirun"}
# Slow commands by their prefix: the reason, and where they are executed.
SLOW = {
    "tools/run": "builds and runs examples: .ci/run",
    "tools/test": "builds and runs all tests: .ci/run",
    "tools/bench": "measures for minutes to hours: tools/docs --commands --all, by hand",
    "tools/fuzz": "builds with sanitizers, no end of its own: a slice in the tests fuzz.*, and "
                  "tools/docs --commands --all",
    "tools/calibrate": "measures for minutes: shorter in the test consume.calibrated, and "
                       "tools/docs --commands --all",
    "wf-calibrate": "as tools/calibrate, which it is",
}
# Commands, by their beginning, that other tests execute.
ELSEWHERE = {
    "conan create": "as it is printed by the test consume.conan",
    "wf-logic": "by the test consume.calibrated, as tools/logic, which it is",
    "tools/format": "with --check by the test house.format",
    "mpirun": "by the tests labelled mpi, docs.outputs among them",
    "srun": "as mpirun: it is Slurm's, which no machine of the tests has",
    "WF_PEERS=": "by the tests labelled caf, through tests/processes.py",
}
# Libraries that a command links and that a machine may lack.
LIBRARIES = {"-lblas"}
# Words that are not paths of this tree: elsewhere, written by a run, or not paths at all.
NO_PATHS = re.compile(r"build/|out/|\d|smoothe-esyn/qdiv$|plan/")
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
ASSIGNMENT = re.compile(r"[A-Z_]+=\S*$")


class Page:
    """The commands of a page as (line, text), and its mistakes."""

    def __init__(self, path, text):
        self.path, self.commands, self.wrong = path, [], []
        found = []
        for line, language, lines in rules.code_blocks(text):
            if language in SHELL:
                found += [(line + 1 + at, words) for at, words in enumerate(lines)]
            elif language not in OTHER_LANGUAGES:
                self.wrong.append(f"{path}:{line}: nothing checks blocks of '{language}'")
        inside = re.compile(r"^( *)```.*?^ *```+ *$", re.DOTALL | re.MULTILINE)
        text = inside.sub(lambda match: "\n" * match[0].count("\n"), text)
        lines = text.splitlines()
        for at, line in enumerate(lines):
            before = lines[at - 1] if at else ""
            indented = line.startswith("    ") and (not before.strip() or before.startswith("    "))
            if indented and line.strip():
                found.append((at + 1, line.strip()))
                lines[at] = "    "
        text = "\n".join(lines)
        for match in SPAN.finditer(text):
            words = " ".join(match[1].split())
            line = text.count("\n", 0, match.start()) + 1
            if self.is_command(words, line):
                found.append((line, words))
        for line, words in sorted(found, key=lambda one: one[0]):
            words = re.sub(r"\s+#.*", "", words).strip()
            if words and not words.startswith("#"):
                self.add(line, words)

    def is_command(self, words, line):
        first = next((w for w in words.split() if not ASSIGNMENT.match(w)), words.split()[0])
        if first in PROGRAMS or first.startswith(("tools/", "./", ".ci/")):
            return first not in PROGRAMS or first.startswith("wf-") or " " in words
        if words.startswith("--"):
            return True
        if re.search(r"\s--[a-z]", words):
            self.wrong.append(f"{self.path}:{line}: '{first}' is no known program: {words}")
        path = re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", first)
        if path and not NO_PATHS.match(first):
            if not (ROOT / first).exists() and not (ROOT / "include" / first).exists():
                self.wrong.append(f"{self.path}:{line}: there is no '{first}'")
        return False

    def add(self, line, words):
        if words.startswith("--"):
            if not self.commands:
                self.wrong.append(f"{self.path}:{line}: '{words}' belongs to no command")
                return
            program = self.commands[-1][1].split()
            head = next((at for at, w in enumerate(program) if w.startswith("-")), len(program))
            words = " ".join([*program[:head], words])
        self.commands.append((line, words))


def pages():
    paths = [path.relative_to(ROOT).as_posix()
             for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md",
                          *sorted((ROOT / "docs").rglob("*.md"))]]
    for path in PAGES + [path for path in paths if path not in PAGES]:
        yield Page(path, (ROOT / path).read_text(encoding="utf-8"))


def filled(words, install):
    """A command with its placeholders replaced."""
    values = {**PLACEHOLDERS, "DIR": str(install)}
    return " ".join(values.get(word, word) for word in words.split())


def slow(words):
    """The reason why a command is not executed each time, or None, and its program."""
    program = next(w for w in words.split() if not ASSIGNMENT.match(w))
    return SLOW.get(program), program


def elsewhere(words):
    """The test that executes a command, or None."""
    return next((test for head, test in ELSEWHERE.items() if words.startswith(head)), None)


def read_only(words, program):
    """The command that only checks the options of a slow one."""
    head, tail = words.split(program, 1)
    if program == "tools/bench":
        suite, *options = tail.split()
        return " ".join([f"{head}{program}", suite, "--dry-run", *options])
    return f"{head}{program} --dry-run{tail}"


def copy_of_the_tree(place):
    """A copy of the repository without build results."""
    def built(folder, names):
        left = {"build", "out", ".git"} if pathlib.Path(folder) == ROOT else {"__pycache__"}
        return left & set(names)
    return shutil.copytree(ROOT, place / "wf", ignore=built, symlinks=True)


class Runner:
    def __init__(self, place, everything):
        self.everything = everything
        self.install = place / "install"
        self.tree = copy_of_the_tree(place)
        self.conan = None
        self.environment = {**os.environ, "CONAN_HOME": str(place / "conan"),
                            "PATH": f"{self.install / 'bin'}:{os.environ['PATH']}"}
        for name in ("WF_BINARY_DIR", "CXX"):  # not set in a reader's shell
            self.environment.pop(name, None)

    def missing(self, words):
        """A library that the command needs and that cannot be linked here, or None."""
        for library in LIBRARIES:
            if library in words and subprocess.run(
                    ["g++", "-shared", "-o", os.devnull, library], capture_output=True).returncode:
                return library
        return None

    def run(self, words):
        """Runs a command like a reader; returns the error output, or "" on success."""
        environment = dict(self.environment)
        reason, program = slow(words)
        printed = filled(words, self.install)
        if program == "conan":
            self.conan = self.conan or consume.conan_programs() / "conan"
            environment["PATH"] = f"{self.conan.parent}:{environment['PATH']}"
        if reason and not self.everything:
            printed = read_only(printed, program)
        print(f"$ {printed}", flush=True)
        done = subprocess.run(["bash", "-c", printed], cwd=self.tree, env=environment, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL)
        return "" if done.returncode == 0 else (done.stdout + done.stderr)[-2000:].strip()


def tools_answer():
    """Every script of tools/ prints its usage, and rejects an unknown option."""
    for path in sorted((ROOT / "tools").iterdir()):
        if not os.access(path, os.X_OK) or not path.is_file():
            continue
        with tempfile.TemporaryDirectory() as place:
            def ask(word):
                return subprocess.run([path, word], cwd=place, capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL)
            print(f"$ tools/{path.name} --help; tools/{path.name} --nonsense", flush=True)
            helped, refused = ask("--help"), ask("--nonsense")
            if helped.returncode or len(helped.stdout) < 20:
                yield f"tools/{path.name} --help: prints no usage"
            if not refused.returncode or "--nonsense" not in refused.stderr:
                yield f"tools/{path.name} --nonsense: is not refused in words"
            if left := os.listdir(place):
                yield f"tools/{path.name}: writes {left}"


WRONG = """
`toolz/run`, `wf-calibrat --out x`, `--before any command`,

    tools/bench compile --plans-onyl
    tools/single_heder > wf.hpp

```fish
tools/run
```
"""


def self_test(runner):
    """Yields the mistakes of a wrong page that are not found."""
    page = Page("a wrong page", WRONG)
    if len(page.wrong) != 4:
        yield f"of the four mistakes of a wrong page, {len(page.wrong)} are found"
    for _, words in page.commands:
        if not runner.run(words):
            yield f"'{words}' is accepted"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="the slow ones, too")
    parser.add_argument("--list", action="store_true", help="only what is done with each")
    arguments = parser.parse_args()
    read = list(pages())
    wrong = [one for page in read for one in page.wrong]
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    wrong += [f"tests/house/commands.py: .ci/run does not execute {program}"
              for program, reason in SLOW.items()
              if reason.endswith(".ci/run") and not re.search(rf"^{program}\b", ci, re.MULTILINE)]
    done, count = {}, 0
    with tempfile.TemporaryDirectory() as place:
        runner = None if arguments.list else Runner(pathlib.Path(place), arguments.all)
        for page in read:
            for line, words in page.commands:
                count += 1
                where = f"{page.path}:{line}"
                if runner is None:
                    print(f"{where}: {words}   "
                          f"[{slow(words)[0] or elsewhere(words) or 'executed'}]")
                elif not arguments.all and elsewhere(words):
                    print(f"{where}: executed {elsewhere(words)}: {words}")
                elif library := runner.missing(words):
                    print(f"{where}: skipped, for there is no {library}: {words}")
                elif words not in done:
                    done[words] = runner.run(words)
                if done.get(words):
                    wrong.append(f"{where}: {words}\n{done[words]}")
        if runner is not None:
            wrong += tools_answer()
            wrong += self_test(runner)
    print("\n".join(wrong))
    print(f"{count} commands, {len(wrong)} problems")
    sys.exit(1 if wrong or count < 30 else 0)


if __name__ == "__main__":
    main()
