# SPDX-License-Identifier: BSL-1.0
"""Starts programs as processes of MPI, as cmake/development.cmake does for tests."""

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launcher(ranks, mpiexec="mpirun", options=()):
    """The command that starts a program so, also with few processors."""
    return [mpiexec, "-np", str(ranks), *options, "--oversubscribe", "--bind-to", "none", "--mca",
            "mpi_yield_when_idle", "1"]
