# SPDX-License-Identifier: BSL-1.0
"""jax_steps.py FAMILY PROGRAM ANSWERS: a worker (logic/worker.hpp): PageRank, the encoder of a
transformer and a layer of a graph convolution in JAX, compiled before the clock starts, on one
thread, with doubles; the encoder with floats."""

import math
import os
import pathlib

os.environ["XLA_FLAGS"] = ("--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1 "
                           + os.environ.get("XLA_FLAGS", ""))
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402

import serve  # noqa: E402

jax.config.update("jax_enable_x64", True)


def padded(tails, heads, nodes):
    """The k-th tails of all nodes' in-edges, for each k; `nodes` where there are fewer."""
    first = numpy.searchsorted(heads, numpy.arange(nodes))
    place = numpy.arange(len(heads)) - first[heads]
    out = numpy.full((place.max() + 1, nodes), nodes, dtype=numpy.int32)
    out[place, heads] = tails
    return out


class PageRank:
    """Sums of gathered ranks over padded in-edges: twice as fast as sums by segments, scattered
    sums and jax.experimental.sparse."""

    def __init__(self, program):
        tails, heads, shares, sinks = serve.shares(program)
        self.nodes = nodes = len(sinks)
        carried = numpy.zeros(nodes)
        carried[tails] = serve.DAMPING * shares

        def step(_, rank, carried, sinks, lists):
            sent = jnp.concatenate([rank * carried, jnp.zeros(1)])
            each = (1 - serve.DAMPING + serve.DAMPING * jnp.dot(sinks, rank)) / nodes
            return each + sum(sent[lists[k]] for k in range(len(lists)))

        def ranks(*constants):
            return jax.lax.fori_loop(0, serve.STEPS, lambda i, rank: step(i, rank, *constants),
                                     jnp.full(nodes, 1 / nodes))

        self.constants = [jnp.asarray(array) for array in (carried, sinks.astype(float),
                                                           padded(tails, heads, nodes))]
        self.ranks = jax.jit(ranks).lower(*self.constants).compile()
        self.clear()

    def clear(self):
        self.rank, self.values = None, None

    def solve(self):
        self.rank = self.ranks(*self.constants).block_until_ready()

    def list(self):
        self.values = numpy.asarray(self.rank)

    def size(self):
        return self.nodes

    def facts(self):
        return [("rank", [numpy.arange(self.nodes), self.values])]


class Layer:
    """A function of arrays, compiled, with one matrix as its result."""

    def __init__(self, function, *arguments):
        self.arguments = jax.tree.map(jnp.asarray, arguments)
        self.function = jax.jit(function).lower(*self.arguments).compile()
        self.clear()

    def clear(self):
        self.y = None

    def solve(self):
        self.y = self.function(*self.arguments).block_until_ready()

    def list(self):
        """The result is an array already."""

    def size(self):
        return self.y.size

    def facts(self):
        return [("Y", serve.entries(numpy.asarray(self.y)))]


class Encoder(Layer):
    """Layers of softmax attention and of two affine maps (logic/encoder.cpp)."""

    def __init__(self, program):
        folder = pathlib.Path(program)
        tokens, layers, heads, width, hidden = map(int, (folder / "sizes").read_text().split())
        inputs = numpy.fromfile(folder / "inputs.f32", dtype=numpy.float32)
        part = width // heads
        shapes = [(width, heads, part), (heads, part)] * 3
        shapes += [(heads, part, width), *[(width,)] * 3]
        shapes += [(width, hidden), (hidden,), (hidden, width), *[(width,)] * 3]
        ends = numpy.cumsum([tokens * width] + layers * [math.prod(each) for each in shapes])
        x, *rest = numpy.split(inputs, ends[:-1])
        weights = [[rest[layer * len(shapes) + k].reshape(shape) for k, shape in enumerate(shapes)]
                   for layer in range(layers)]
        super().__init__(self.encoded, x.reshape(tokens, width), weights)

    @staticmethod
    def encoded(x, layers):
        for wq, bq, wk, bk, wv, bv, wo, bo, gain, shift, wf, bf, wg, bg, *last in layers:
            q, k, v = (jnp.einsum("td,dhe->the", x, w) + b
                       for w, b in ((wq, bq), (wk, bk), (wv, bv)))
            scores = jnp.einsum("the,she->hts", q, k) / math.sqrt(q.shape[-1])
            mixed = jnp.einsum("hts,she->the", jax.nn.softmax(scores), v)
            x = Encoder.normalised(jnp.einsum("the,hed->td", mixed, wo) + bo + x, gain, shift)
            x = Encoder.normalised(jax.nn.gelu(x @ wf + bf, approximate=True) @ wg + bg + x, *last)
        return x

    @staticmethod
    def normalised(x, gain, shift):
        centred = x - x.mean(-1, keepdims=True)
        variance = jnp.square(centred).mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt(variance + 1e-5) * gain + shift


class GraphLayer(Layer):
    """relu(A X W): sums over padded rows of A, as for PageRank: twice as fast as sums by segments
    and jax.experimental.sparse."""

    def __init__(self, program):
        rows, columns, shares, x, w = serve.graph_layer(program)
        lists = padded(columns, rows, len(x))
        factors = numpy.zeros(lists.shape)
        place = numpy.arange(len(rows)) - numpy.searchsorted(rows, rows)
        factors[place, rows] = shares
        super().__init__(self.convolved, x, w, lists, factors)

    @staticmethod
    def convolved(x, w, lists, factors):
        mapped = jnp.concatenate([x @ w, jnp.zeros((1, w.shape[1]))])
        return jax.nn.relu(sum(factors[k][:, None] * mapped[lists[k]] for k in range(len(lists))))


serve.serve({"pagerank": PageRank, "encoder": Encoder, "gcn": GraphLayer})
