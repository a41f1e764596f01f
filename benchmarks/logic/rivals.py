# SPDX-License-Identifier: BSL-1.0
"""What wf is compared with: how each rival is installed below the build folder, and its command.

A rival is a worker (worker.hpp) that is given a family of problems, the folder of a program and one
for its answers, and runs on one thread.
"""

import os
import pathlib
import re
import subprocess
import sys

from benchmark_program import build

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = HERE / "rivals"

PACKAGES = {"duckdb": "duckdb>=2,<3", "scipy": "scipy>=1.17,<2",
            "jax": "jax[cpu]>=0.10,<1"}
RUST = (1, 85)  # the oldest that Ascent's version is built with
CARGO = """[package]
name = "ascent_rules"
version = "0.1.0"
edition = "2021"

[dependencies]
ascent = {{ version = "=0.8.1", default-features = false }}

[[bin]]
name = "ascent_rules"
path = "{source}"

[profile.release]
opt-level = 3
lto = "fat"
codegen-units = 1
panic = "abort"
"""


def skip(name, why):
    """Says that a rival is left out."""
    print(f"skipped: {name}: {why}", flush=True)


def done(command, **more):
    """Whether a command succeeds; what it prints goes to the error output."""
    try:
        return subprocess.run(command, stdout=sys.stderr, check=False, **more).returncode == 0
    except OSError:
        return False


def printed(command):
    """What a command prints; empty if it fails."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False).stdout.strip()
    except OSError:
        return ""


def package(name, script, place):
    """The command of a script with a Python package, in a virtual environment that is kept."""
    python = place / "python" / "bin" / "python"
    version = [python, "-c", f"import {name}; print({name}.__version__)"]
    if not printed(version):
        if not python.exists() and not done([sys.executable, "-m", "venv", place / "python"]):
            return skip(name, "there is no virtual environment (Debian: python3-venv)")
        if not done([python, "-m", "pip", "install", "--quiet", "numpy", PACKAGES[name]]):
            return skip(name, f"pip cannot install {PACKAGES[name]}")
    print(f"{name} {printed(version)}", flush=True)
    return [python, SOURCES / script]


def duckdb(place):
    """DuckDB: recursive queries over tables in memory."""
    return package("duckdb", "duckdb_queries.py", place)


def scipy(place):
    """SciPy: its shortest paths, and products with sparse matrices."""
    return package("scipy", "scipy_graphs.py", place)


def jax(place):
    """JAX: compiled loops over arrays."""
    return package("jax", "jax_steps.py", place)


def ascent(place):
    """Ascent: rules as a procedural macro of Rust, for this processor."""
    found = re.search(r"(\d+)\.(\d+)", printed(["cargo", "--version"]))
    if found is None or (int(found[1]), int(found[2])) < RUST:
        return skip("ascent", f"there is no cargo of Rust {RUST[0]}.{RUST[1]} or later "
                    "(https://rustup.rs)")
    project = place / "ascent"
    project.mkdir(exist_ok=True)
    (project / "Cargo.toml").write_text(CARGO.format(source=SOURCES / "ascent_rules.rs"))
    if not done(["cargo", "build", "--quiet", "--release"], cwd=project,
                env={**os.environ, "CARGO_TARGET_DIR": str(project / "target"),
                     "RUSTFLAGS": "-C target-cpu=native"}):
        return skip("ascent", "cargo cannot build it")
    version = re.search(r'name = "ascent"\nversion = "(.*)"', (project / "Cargo.lock").read_text())
    print(f"ascent {version[1]}, {printed(['rustc', '--version'])}", flush=True)
    return [project / "target" / "release" / "ascent_rules"]


def graphblas(_):
    """SuiteSparse:GraphBLAS: masked products of sparse matrices."""
    done([ROOT / "tools" / "setup", "libgraphblas-dev"])
    try:
        program = build("logic_graphblas")
    except subprocess.CalledProcessError:
        return skip("graphblas", "it cannot be built (Debian: libgraphblas-dev)")
    version = printed(["dpkg-query", "--show", "--showformat=${Version}", "libgraphblas-dev"])
    print(f"graphblas {version}", flush=True)
    return [program]


# The families of problems that each rival solves.
FAMILIES = {ascent: {"tc", "sg", "apsp", "sssp", "points_to"},
            duckdb: {"tc", "sg", "apsp", "sssp", "points_to"},
            graphblas: {"tc", "sg", "apsp", "sssp", "points_to"},
            scipy: {"apsp", "sssp", "pagerank", "gcn"},
            jax: {"pagerank", "encoder", "gcn"}}
NAMES = [rival.__name__ for rival in FAMILIES]


def installed(names, families, place):
    """The commands, by name, of those rivals that solve one of the families and can be run here."""
    place.mkdir(parents=True, exist_ok=True)
    out = {}
    for rival, solves in FAMILIES.items():
        if rival.__name__ in names and solves & families:
            if command := rival(place):
                out[rival.__name__] = command
    return out


def for_family(commands, family):
    """The commands, with the family, of the rivals that solve its problems."""
    return {rival.__name__: [*commands[rival.__name__], family]
            for rival, solves in FAMILIES.items()
            if rival.__name__ in commands and family in solves}
