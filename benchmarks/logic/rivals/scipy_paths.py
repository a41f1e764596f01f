# SPDX-License-Identifier: BSL-1.0
"""scipy_paths.py FAMILY PROGRAM ANSWERS: a worker (logic/worker.hpp): shortest paths by
scipy.sparse.csgraph, which also has an empty path from each node to itself."""

import numpy
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import serve


class Paths:
    """Edges as a matrix in rows, and distances as a dense array."""

    def __init__(self, program):
        edges = serve.read(program, "edge")
        self.tails, self.heads = edges[:, 0], edges[:, 1]
        self.lengths = edges[:, 2].astype(float)
        nodes = 1 + max(self.tails.max(), self.heads.max())
        self.edges = csr_array((self.lengths, (self.tails, self.heads)), shape=(nodes, nodes))
        self.clear()

    def clear(self):
        self.distances, self.columns = None, None

    def list(self):
        found = numpy.nonzero(numpy.isfinite(self.distances))
        self.columns = [*found, self.distances[found]]

    def size(self):
        return len(self.columns[0])

    def facts(self):
        return [("d", self.columns)]


class AllPaths(Paths):
    """From each node; of the diagonal the shortest cycles."""

    def solve(self):
        self.distances = dijkstra(self.edges)
        numpy.fill_diagonal(self.distances, numpy.inf)
        cycles = numpy.full(len(self.distances), numpy.inf)
        back = self.distances[self.heads, self.tails]
        back[self.heads == self.tails] = 0
        numpy.minimum.at(cycles, self.tails, self.lengths + back)
        numpy.fill_diagonal(self.distances, cycles)


class PathsFromOne(Paths):
    """From the source."""

    def __init__(self, program):
        super().__init__(program)
        self.source = serve.read(program, "source")[0, 0]

    def solve(self):
        self.distances = dijkstra(self.edges, indices=self.source)


serve.serve({"apsp": AllPaths, "sssp": PathsFromOne})
