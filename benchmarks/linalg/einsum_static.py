#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Finds the orders of the expressions of data/opt_einsum_exprs while compiling.

    einsum_static.py DATA FOLDER     the data folder, and where to put what is generated

Writes a program whose constants are the flops of wf's orders, compiles it with each compiler that
is there within its default limits, and compares what it prints with the best known.
"""

import json
import math
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = """#include <cstdio>
#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/network.hpp>

using wf::shape;

template <class... Shapes>
constexpr double flops(const char* equation, Shapes... shapes) {
  const shape all[] = {shapes...};
  const auto network = wf::parse_network(equation, all);
  if (!network) return -1;
  const auto order = wf::best_contraction(*network);
  return order && order->proven ? order->cost.flops : -1;
}

"""


def program(problems):
    lines = [HEAD]
    for number, problem in enumerate(problems):
        shapes = "".join(f", shape::of({', '.join(map(str, s))})" for s in problem["shapes"])
        lines.append(f'constexpr double flops_{number} = flops("{problem["einsum"]}"{shapes});\n'
                     f'static_assert(flops_{number} >= 0 && '
                     f'flops_{number} <= {problem["best_flops"]!r});\n')
    lines.append("\nint main() {\n")
    lines += [f'  std::printf("%.17g\\n", flops_{n});\n' for n in range(len(problems))]
    return "".join(lines) + "}\n"


def measure(compiler, source, folder):
    """The flops that the compiled program prints, seconds of the compiler, and its errors."""
    binary = folder / f"einsum_static_{compiler}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([compiler, "-std=c++20", f"-I{ROOT / 'include'}", source, "-o", binary],
                          capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime
    if done.returncode != 0:
        return None, seconds, done.stderr
    printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    return [float(line) for line in printed.split()], seconds, ""


def main():
    data, folder = map(pathlib.Path, sys.argv[1:3])
    file = data / "opt_einsum_exprs" / "exprs.json"
    if not file.exists():
        print(f"linalg: skipped: no data; {file} is missing")
        return
    problems = json.loads(file.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "einsum_static.cpp"
    source.write_text(program(problems), encoding="utf-8")
    failed = False
    for compiler in ("g++", "clang++-19", "clang++"):
        if shutil.which(compiler) is None:
            continue
        found, seconds, errors = measure(compiler, source, folder)
        if found is None:
            print(f"{compiler} refuses the orders within its default limits:\n{errors[:2000]}")
            failed = True
            continue
        ratios = [p["best_flops"] / f for p, f in zip(problems, found)]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        losses = sum(ratio < 1 for ratio in ratios)
        print(f"{compiler}: {len(found)} orders found while compiling, in {seconds:.1f} s")
        print(f"RESULT suite=linalg set=einsum_{compiler} rival=best_of_three_planners "
              f"geomean={mean:.4f} worst={min(ratios):.4f} losses={losses} "
              f"problems={len(ratios)}")
        failed = failed or losses > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
