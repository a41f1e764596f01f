# SPDX-License-Identifier: BSL-1.0
"""Compares wf's reading and writing of tensors with numpy's, and with that of safetensors.

    tests/tensor_files/run.py COPY_TENSORS

Without the package safetensors its files are left out.
"""

import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

try:
    import safetensors
    import safetensors.numpy
except ImportError:
    safetensors = None

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8"]
SHAPES = [(), (1,), (7,), (0,), (2, 3), (3, 0, 2), (2, 3, 4), (2, 1, 3, 2)]


def sample(random, dtype, shape):
    """An array with the extremes of its type that doubles have."""
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        info = numpy.iinfo(dtype)
        low, high = max(info.min, -2**53), min(info.max, 2**53)
        return numpy.clip(random.integers(low, high, shape, endpoint=True), low, high).astype(dtype)
    values = random.standard_normal(shape) * 10.0 ** random.integers(-6, 4, shape)
    values = numpy.asarray(values).astype(dtype)
    special = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, numpy.finfo(dtype).tiny / 8]
    for at, value in zip(range(values.size), special):
        if random.integers(0, 2):
            values.flat[at] = value
    return values


class Cases:
    """Files to copy, with the array that the copy should have, or None for an error."""

    def __init__(self, folder):
        self.folder = folder
        self.lines, self.wanted, self.targets = [], [], []

    def add(self, source, wanted, array="", form="npy"):
        target = f"out{len(self.lines)}.{form}"
        self.lines.append(f"{source} {target} {array}")
        self.wanted.append(wanted)
        self.targets.append(target)

    def add_arrays(self):
        random = numpy.random.default_rng(1)
        number = 0
        for code in ["?", *INTEGERS, *FLOATS]:
            for order in "<>":
                for shape in SHAPES:
                    array = sample(random, numpy.dtype(order + code), shape)
                    if number % 2:
                        array = numpy.asfortranarray(array)
                    name = f"a{number}"
                    numpy.save(self.folder / f"{name}.npy", array)
                    self.add(f"{name}.npy", array, form="npz" if number % 3 else "npy")
                    save = numpy.savez if number % 2 else numpy.savez_compressed
                    save(self.folder / f"{name}.npz", array)
                    self.add(f"{name}.npz", array)
                    number += 1

    def add_archives(self):
        first, second = numpy.arange(30000.0), numpy.eye(3)
        for name, save in [("many", numpy.savez), ("packed", numpy.savez_compressed)]:
            save(self.folder / f"{name}.npz", first, W=second)
            self.add(f"{name}.npz", first)
            self.add(f"{name}.npz", second, "W", "npz")
            self.add(f"{name}.npz", None, "missing")
        for version in [(1, 0), (2, 0), (3, 0)]:
            stream = io.BytesIO()
            numpy.lib.format.write_array(stream, second, version=version)
            (self.folder / f"v{version[0]}.npy").write_bytes(stream.getvalue())
            self.add(f"v{version[0]}.npy", second)

    def add_refused(self):
        refused = {"complex": numpy.ones(2, complex), "wide": numpy.ones(2, numpy.longdouble),
                   "record": numpy.zeros(2, [("a", "f8"), ("b", "i4")]),
                   "large": numpy.array([2**53 + 1], "u8"), "low": numpy.array([-2**63], "i8"),
                   "object": numpy.array([None, 1]), "text": numpy.array(["a", "b"]),
                   "time": numpy.array(["2020-01-01"], "M8[D]")}
        for name, array in refused.items():
            numpy.save(self.folder / f"{name}.npy", array)
            self.add(f"{name}.npy", None)

    def add_safetensors(self):
        random = numpy.random.default_rng(2)
        tensors = {f"t.{code}.{i}": numpy.asarray(sample(random, numpy.dtype(code), shape))
                   for code in ["?", *INTEGERS, *FLOATS] for i, shape in enumerate(SHAPES)}
        safetensors.numpy.save_file(tensors, self.folder / "all.safetensors", {"made": "here"})
        for name, array in tensors.items():
            self.add("all.safetensors", array, name)
        self.add("all.safetensors", None)
        # Numbers of 16 bits that numpy does not have.
        upper = (random.standard_normal(64).astype("f4").view("u4") >> 16).astype("u2")
        header = json.dumps({"b": {"dtype": "BF16", "shape": [8, 8], "data_offsets": [0, 128]}})
        content = len(header).to_bytes(8, "little") + header.encode() + upper.tobytes()
        (self.folder / "brain.safetensors").write_bytes(content)
        self.add("brain.safetensors", (upper.astype("u4") << 16).view("f4").reshape(8, 8))

    def add_lines(self):
        array = numpy.array([[1, -2.5, 0.1], [1e300, 5e-324, 3]])
        numpy.save(self.folder / "lines.npy", array)
        self.add("lines.npy", array, form="jsonl")
        facts = numpy.array([[1, 0, 1], [0, 0, 1]], bool)
        numpy.save(self.folder / "facts.npy", facts)
        self.add("facts.npy", facts, form="tsv")
        self.add("facts.npy", facts, form="csv")

    def got(self, target, wanted):
        path = self.folder / target
        if target.endswith(".jsonl"):
            schema, value = map(json.loads, path.read_text().splitlines())
            shape = {"schema": "fuse.tensor", "version": 1, "shape": list(wanted.shape)}
            return numpy.array(value["value"]) if schema == shape else None
        if target.endswith((".tsv", ".csv")):
            at = numpy.loadtxt(path, int, delimiter="," if target.endswith("csv") else "\t")
            out = numpy.zeros_like(wanted)
            out[tuple(at.T)] = True
            return out
        read = numpy.load(path)
        return read["arr_0"] if target.endswith(".npz") else read

    def check(self, program):
        done = subprocess.run([program, self.folder], input="\n".join(self.lines) + "\n",
                              capture_output=True, text=True, check=True)
        said = done.stdout.splitlines()
        if len(said) != len(self.lines):
            sys.exit(f"{len(said)} answers to {len(self.lines)} lines:\n{done.stderr}")
        for line, answer, target, wanted in zip(self.lines, said, self.targets, self.wanted):
            if wanted is None:
                if not answer.startswith("WF406"):
                    sys.exit(f"{line}: expected an error, not '{answer}'")
                continue
            if answer != "ok":
                sys.exit(f"{line}: {answer}")
            read = self.got(target, wanted)
            exact = wanted if wanted.dtype.kind == "b" else wanted.astype("f8")
            if read is None or read.dtype != exact.dtype or read.shape != exact.shape or (
                    not numpy.array_equal(read, exact, equal_nan=exact.dtype.kind == "f")):
                sys.exit(f"{line}: expected\n{exact}\nnot\n{read}")
        print(f"{len(self.lines)} files are read as numpy reads them")


def main():
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(pathlib.Path(folder))
        cases.add_arrays()
        cases.add_archives()
        cases.add_refused()
        cases.add_lines()
        if safetensors:
            cases.add_safetensors()
        else:
            print("without the package safetensors its files are left out")
        cases.check(sys.argv[1])


if __name__ == "__main__":
    main()
