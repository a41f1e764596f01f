# SPDX-License-Identifier: BSL-1.0
"""The protocol of a worker (logic/worker.hpp) for rivals in Python, and what they read and write.

A problem has `clear()`; `solve()` and `list()`, which are timed; `size()`, the number of facts; and
`facts()`: pairs of the name of a relation and its columns, a value being the last one.
"""

import json
import pathlib
import statistics
import sys
import time

import numpy

# Of PageRank: as its program says.
STEPS, DAMPING = 50, 0.85


def read(program, name, dtype=numpy.int64):
    """The facts of a relation of a program, as an array of a row for each."""
    path = pathlib.Path(program) / "facts" / f"{name}.tsv"
    return numpy.loadtxt(path, dtype=dtype, delimiter="\t", ndmin=2)


def graph_layer(program):
    """Of a layer of a graph convolution: rows, columns and values of the entries of A in order of
    rows, and the matrices X and W."""
    rows, columns, shares = read(program, "A", float).T
    dense = json.loads((pathlib.Path(program) / "facts" / "inputs.json").read_text())
    return (rows.astype(int), columns.astype(int), shares,
            *(numpy.array(dense[name]) for name in "XW"))


def shares(program):
    """Of PageRank: tails and heads of edges in order of heads, what share of its tail's rank each
    carries, and whether each node is a sink."""
    edges = read(program, "edge")
    tails, heads = edges[numpy.lexsort(edges.T)].T
    degrees = numpy.bincount(tails, minlength=edges.max() + 1)
    return tails, heads, 1 / degrees[tails], degrees == 0


def entries(matrix):
    """The columns of the entries of a dense matrix, as `write` takes them."""
    return [*(index.ravel() for index in numpy.indices(matrix.shape)), matrix.ravel()]


def write(path, columns):
    """Writes facts to a file, in lexicographic order; real values to another one, too."""
    columns = [numpy.asarray(column) for column in columns]
    order = numpy.lexsort(columns[::-1])
    columns = [column[order] for column in columns]
    numpy.stack([column.astype("<u4") for column in columns], axis=1).tofile(path)
    if columns[-1].dtype.kind == "f":
        columns[-1].astype("<f8").tofile(f"{path}.values")


def run(problem, times):
    """Solves a problem so often, and prints the medians and the number of facts."""
    solved, listed = [], []
    for _ in range(times):
        problem.clear()
        start = time.process_time()
        problem.solve()
        solved.append(time.process_time() - start)
        problem.list()
        listed.append(time.process_time() - start)
    print(f"{statistics.median(solved):.9f} {statistics.median(listed):.9f} {problem.size()}",
          flush=True)


def serve(families):
    """Serves the problem that the command line asks for: a family and a program."""
    family, program, answers = sys.argv[1:]
    problem = families[family](program)
    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "run":
            run(problem, int(words[1]))
            continue
        for name, columns in problem.facts():
            write(pathlib.Path(answers) / name, columns)
        print("written", flush=True)
