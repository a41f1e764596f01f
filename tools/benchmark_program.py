# SPDX-License-Identifier: BSL-1.0
"""Builds the programs of benchmarks."""

import os
import pathlib
import subprocess
import sys

from mpi import AS_ROOT, launcher

ROOT = pathlib.Path(__file__).resolve().parents[1]


def build(name):
    """Builds the program of a suite optimised, as tools/bench says, and returns its path."""
    preset = os.environ.get("WF_PRESET", "gcc-release")
    folder = pathlib.Path(os.environ.get("WF_BINARY_DIR", ROOT / "build" / preset))
    jobs = os.environ.get("WF_JOBS", str(os.cpu_count()))
    for command in (["cmake", "--preset", preset],
                    ["cmake", "--build", "--preset", preset, "--target", f"benchmark_{name}",
                     "--", "-j", jobs]):
        subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=True)
    return folder / "benchmarks" / name


def run_on_processes(ranks, command):
    """Runs a program as processes of MPI, also as root; its exit code."""
    return subprocess.run([*launcher(ranks), *command], env={**os.environ, **AS_ROOT},
                          check=False).returncode
