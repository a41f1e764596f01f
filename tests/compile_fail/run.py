#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that wrong programs are refused with the right words, and their right twins accepted.

A case is one file:

    // EXPECT: WF101: inner dimensions differ: 3 vs 5
    #include <wf/wf.hpp>
    #ifdef WF_FAIL
    auto wrong = ...;  // HERE
    #else
    auto right = ...;
    #endif

With WF_FAIL defined, compiling must fail, and every EXPECT must stand in the compiler's messages;
if a line ends in "// HERE", some message must also point at that line. EXPECT-GCC and EXPECT-CLANG
hold for one compiler, where the words are the compiler's own. Without WF_FAIL, the same file must
compile without a warning.

The page --page lists the sentence of every case that has one with a WF code, as g++ prints it. It
is compared with what the cases print now; --update writes it anew.

White space is joined before comparing, and a sentence that the compiler prints as several
fixed_string arguments is joined with spaces, so that an EXPECT holds the sentence as the user
reads it. Source lines that compilers echo do not count.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = "// HERE"
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
         "-Werror", "-Wno-unused-const-variable", f"-I{ROOT / 'include'}",
         "-isystem", "/usr/include/eigen3"]
TIME_LIMIT = 120  # limit in seconds per compilation, reached only by runaway compilers

# `wf::fixed_string<6>{"conv2"}` (g++) or `fixed_string<6>{{"conv2"}}` or `{"conv2"}` (clang).
PIECE = r'(?:wf::)?fixed_string<\d+[a-z]*>\s*\{+\s*"((?:[^"\\]|\\.)*)"\s*\}+'
SENTENCE = re.compile(PIECE + r"(?:\s*,\s*" + PIECE + ")*")


def join_spaces(text):
    return " ".join(text.split())


def join_pieces(text):
    """Replaces each run of fixed_string arguments by its characters."""
    def joined(match):
        pieces = re.findall(PIECE, match.group(0))
        return join_spaces(" ".join(re.sub(r"\\(.)", r"\1", piece) for piece in pieces))
    return SENTENCE.sub(joined, text)


def compiler_kind(compiler):
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return "CLANG" if "clang" in version else "GCC"


# Flags that suppress echoed source lines, which could contain an EXPECT.
NO_ECHO = {"GCC": "-fno-diagnostics-show-caret", "CLANG": "-fno-caret-diagnostics"}


def compile_case(command, file, *more):
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run([*command, *more, str(file)], capture_output=True, text=True,
                              errors="replace", timeout=TIME_LIMIT, env=environment)
    except subprocess.TimeoutExpired:
        return None, f"no end within {TIME_LIMIT} s"
    return done.returncode == 0, done.stdout + done.stderr


def shorten(output, lines=40):
    parts = output.splitlines()
    return "\n".join("    " + line[:400] for line in parts[:lines])


def sentence_of(output):
    """Subject and sentence of the first diagnosis with a WF code, or None."""
    plain = join_spaces(output)
    diagnosis = re.search(r"ill_formed<(" + PIECE + "(?:\\s*,\\s*" + PIECE + ")*)", plain)
    if diagnosis:
        pieces = [re.sub(r"\\(.)", r"\1", p) for p in re.findall(PIECE, diagnosis.group(1))]
        return pieces[0], join_spaces(" ".join(pieces[1:]))
    plain_words = re.search(r"static assertion failed: (WF\d+: .*)", output)
    return ("", plain_words.group(1).strip()) if plain_words else None


def check(command, kind, file, sentences):
    """Checks a case; returns None, or the problem. Its diagnosis is added to `sentences`."""
    lines = file.read_text(encoding="utf-8").splitlines()
    expectations = [re.fullmatch(r"// EXPECT(?:-(\w+))?:(.*)", line) for line in lines]
    expected = [match[2].strip() for match in expectations if match and match[1] in (None, kind)]
    directives = [line.split()[0] for line in lines if line.startswith("#")]
    if not expected or not all(expected):
        return "no EXPECT"
    if "#ifdef WF_FAIL" not in lines or "#else" not in directives:
        return "no '#ifdef WF_FAIL … #else … #endif'"

    accepted, output = compile_case(command, file, "-DWF_FAIL")
    if accepted is None:
        return f"the wrong program: {output}"
    if accepted:
        return "the wrong program compiles"
    sentences[file.name] = sentence_of(output)
    plain = join_spaces(output)
    readable = join_spaces(join_pieces(plain))
    for sentence in expected:
        if join_spaces(sentence) not in plain and join_spaces(sentence) not in readable:
            return f"the messages lack: {sentence}\n{shorten(output)}"
    for number, line in enumerate(lines, 1):
        if line.rstrip().endswith(HERE) and f"{file.name}:{number}:" not in output:
            return f"no message points at line {number}\n{shorten(output)}"

    accepted, output = compile_case(command, file)
    if not accepted:
        return f"the right twin does not compile\n{shorten(output)}"
    return None


def self_test(file, problem):
    """Checks a case below self_test/, which is broken on purpose and states the expected
    problem."""
    first = file.read_text(encoding="utf-8").splitlines()[1]
    wanted = first.split("REJECT:", 1)[1].strip()
    if wanted == "nothing":
        return problem
    if problem is None:
        return f"accepted, but must be rejected: {wanted}"
    return None if wanted in problem.splitlines()[0] else f"rejected for another reason: {problem}"


def page_section(room, sentences):
    """The section of the page with a room's cases."""
    lines = [f"## {room}", ""]
    for name in sorted(sentences):
        if sentences[name] is None or not re.match(r"WF\d+", sentences[name][1]):
            continue
        subject, sentence = sentences[name]
        lines += [f"### {name.removesuffix('.cpp').replace('_', ' ')}", "",
                  f"> {'**' + subject + '**: ' if subject else ''}{sentence}", "",
                  "```cpp", f'--8<-- "tests/compile_fail/{room}/{name}"', "```", ""]
    return "\n".join(lines)


def check_page(page, room, sentences, update):
    """Checks or updates a room's section of the page; returns None, or what to do."""
    wanted = page_section(room, sentences)
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^## {room}$.*?(?=^## |\Z)", text, re.M | re.S)
    if found and found.group(0).strip() == wanted.strip():
        return None
    if not update:
        return f"{page} is out of date: run tools/diagnostics"
    wanted += "\n"
    text = text[:found.start()] + wanted + text[found.end():] if found else text + "\n" + wanted
    page.write_text(text.rstrip() + "\n", encoding="utf-8")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, help="the list of all sentences")
    parser.add_argument("--update", action="store_true", help="write the page anew")
    parser.add_argument("cases", nargs="+", type=pathlib.Path, help="files or directories")
    arguments = parser.parse_args()

    files = []
    for case in arguments.cases:
        files += sorted(case.rglob("*.cpp")) if case.is_dir() else [case]
    if not files:
        sys.exit(f"no case in {', '.join(map(str, arguments.cases))}")

    kind = compiler_kind(arguments.compiler)
    command = [arguments.compiler, NO_ECHO[kind], *FLAGS]

    sentences = {}

    def timed(file):
        start = time.monotonic()
        problem = check(command, kind, file, sentences)
        if arguments.self_test:
            problem = self_test(file, problem)
        return file, problem, time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(timed, files))
    failures = 0
    for file, problem, seconds in results:
        print(f"{'ok  ' if problem is None else 'FAIL'} {seconds:5.1f} s  {file}")
        if problem is not None:
            failures += 1
            print("  " + problem)
    if arguments.page and kind == "GCC" and failures == 0:
        problem = check_page(arguments.page, files[0].parent.name, sentences, arguments.update)
        if problem:
            failures += 1
            print(problem)
    print(f"{len(results)} pairs, {failures} failed ({arguments.compiler})")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
