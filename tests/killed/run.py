# SPDX-License-Identifier: BSL-1.0
"""Kills processes of MPI in the middle of their work, and checks what the survivors say.

    tests/killed/run.py MPIEXEC PROGRAM RUNS
"""

import os
import re
import subprocess
import sys

RANKS = 4
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def one_run(mpiexec, program, seed, victims):
    """Runs the program; returns what is wrong, or nothing."""
    command = [mpiexec, "-np", str(RANKS), "--enable-recovery", "--oversubscribe", "--bind-to",
               "none", "--mca", "mpi_yield_when_idle", "1", program, str(seed), str(victims), "0.2"]
    try:
        done = subprocess.run(command, env={**os.environ, **ROOT}, capture_output=True, text=True,
                              timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "the survivors do not come to their end"
    said = dict(re.findall(r"^(\d) (.*), \d+ answers", done.stdout, re.MULTILINE))
    survivors = [str(rank) for rank in range(RANKS) if not 0 < rank <= victims]
    if sorted(said) != survivors or any(word != "ok" for word in said.values()):
        return f"expected '{', '.join(survivors)} ok':\n{done.stdout}{done.stderr}"
    return ""


def main():
    mpiexec, program, runs = sys.argv[1:]
    wrong = 0
    for seed in range(1, int(runs) + 1):
        victims = (seed - 1) % RANKS
        fault = one_run(mpiexec, program, seed, victims)
        wrong += fault != ""
        if fault:
            print(f"seed {seed}, {victims} killed: {fault}")
    print(f"{int(runs) - wrong} of {runs} runs as they must be")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
