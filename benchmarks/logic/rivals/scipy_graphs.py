# SPDX-License-Identifier: BSL-1.0
"""scipy_graphs.py FAMILY PROGRAM ANSWERS: a worker (logic/worker.hpp): shortest paths by
scipy.sparse.csgraph, which also has an empty path from each node to itself, and PageRank and a
layer of a graph convolution by products with a sparse matrix."""

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


class PageRank:
    """The matrix of in-edges has the damped shares of ranks that they carry."""

    def __init__(self, program):
        tails, heads, shares, self.sinks = serve.shares(program)
        self.nodes = len(self.sinks)
        self.matrix = csr_array((serve.DAMPING * shares, (heads, tails)),
                                shape=(self.nodes, self.nodes))
        self.sinks = numpy.nonzero(self.sinks)[0]

    def clear(self):
        self.rank = None

    def solve(self):
        rank = numpy.full(self.nodes, 1 / self.nodes)
        for _ in range(serve.STEPS):
            each = (1 - serve.DAMPING + serve.DAMPING * rank[self.sinks].sum()) / self.nodes
            rank = self.matrix @ rank
            rank += each
        self.rank = rank

    def list(self):
        """The ranks are an array already."""

    def size(self):
        return self.nodes

    def facts(self):
        return [("rank", [numpy.arange(self.nodes), self.rank])]


class GraphLayer:
    """relu(A X W), from the right: (A X) W takes longer."""

    def __init__(self, program):
        rows, columns, shares, self.x, self.w = serve.graph_layer(program)
        self.a = csr_array((shares, (rows, columns)), shape=(len(self.x), len(self.x)))
        self.clear()

    def clear(self):
        self.y = None

    def solve(self):
        self.y = self.a @ (self.x @ self.w)
        numpy.maximum(self.y, 0, out=self.y)

    def list(self):
        """The result is an array already."""

    def size(self):
        return self.y.size

    def facts(self):
        return [("Y", serve.entries(self.y))]


serve.serve({"apsp": AllPaths, "sssp": PathsFromOne, "pagerank": PageRank, "gcn": GraphLayer})
