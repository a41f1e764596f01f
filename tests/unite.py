#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes one translation unit that includes several test files, each in a namespace of its own.

usage: unite.py OUTPUT FILE...

Compilers spend most of a test's time on what it includes of wf and instantiates of it; the files of
one translation unit share that. What the files include comes first, outside the namespaces: every
header guards itself, so that its second inclusion is empty.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
INCLUDE = re.compile(r'^#include ([<"])(.*)(?<!\.inc)[>"]', re.M)
# Declarations in outer namespaces and preprocessor directives cannot be wrapped in a namespace.
ALONE = re.compile(r"^(namespace wf\w* \{|template <>|template class|#(?!include ).*)", re.M)


def included(file, text):
    """The include directives of a file, with paths that are valid anywhere."""
    for bracket, name in INCLUDE.findall(text):
        beside = file.parent / name
        if bracket == '"':
            yield f'#include "{beside.resolve() if beside.exists() else name}"'
        else:
            yield f"#include <{name}>"


def main(output, *names):
    includes, bodies = {}, []
    for file in map(pathlib.Path, names):
        text = file.read_text()
        if odd := ALONE.search(text):
            sys.exit(f"{file}: cannot be united for '{odd[0]}': name it in wf_tests_alone")
        includes |= dict.fromkeys(included(file, text))
        name = "_".join(file.relative_to(TESTS).with_suffix("").parts)
        bodies.append(f'namespace of_{name} {{\n#include "{file}"\n}}\n')
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(includes) + "\n" + "".join(bodies))


if __name__ == "__main__":
    main(*sys.argv[1:])
