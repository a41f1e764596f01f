# SPDX-License-Identifier: BSL-1.0
"""Kills processes in the middle of their work, and checks what the survivors say.

    tests/killed/run.py mpi MPIEXEC PROGRAM RUNS
    tests/killed/run.py ulfm MPIEXEC PROGRAM RUNS  an MPI that reports losses
    tests/killed/run.py caf PROGRAM RUNS           those that were killed are started again

A third of the runs are with servers whose answers are lost with them, the others with machines and
with tasks, which survivors run.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests"), str(ROOT / "tools")]
import mpi  # noqa: E402
import processes  # noqa: E402

RANKS = 4
LOSS = "0.2"  # of messages
HOST = 4  # as a number of victims: the host alone


def is_victim(rank, victims):
    return rank == 0 if victims == HOST else 0 < rank <= victims


def fault_of(said, expected):
    """Says what is wrong with the lines of a run, of which all processes expect one."""
    for name, ranks in expected.items():
        words = dict(re.findall(rf"^{name} (\d) (.*), \d+ of", said, re.MULTILINE))
        if sorted(words) != ranks or any(word != "ok" for word in words.values()):
            return f"expected '{name} {', '.join(ranks)} ok':\n{said}"
    recovered = re.findall(r"^(?:machines|tasks) .* (\d+) of (\d+) ", said, re.MULTILINE)
    if recovered and sum(int(has) for has, _ in recovered) != int(recovered[0][1]):
        return f"the survivors have not all outputs:\n{said}"
    return ""


def over_mpi(mpiexec, program, options, what, seed, victims):
    """Runs the program over MPI; returns what is wrong, or nothing."""
    command = [*mpi.launcher(RANKS, mpiexec, options), program, what, str(seed), str(victims),
               LOSS]
    try:
        done = subprocess.run(command, env={**os.environ, **mpi.AS_ROOT}, capture_output=True,
                              text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "the survivors do not come to their end"
    survivors = [str(rank) for rank in range(RANKS) if not is_victim(rank, victims)]
    return fault_of(done.stdout + done.stderr, {"first" if what == "servers" else what: survivors})


def over_caf(program, what, seed, victims, how):
    """Runs the program over CAF, and starts it again where it was killed."""
    addresses = processes.free_addresses(RANKS)
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}

    def start(rank, how):
        return processes.start([program, what, str(seed), str(victims), LOSS, how], rank,
                               addresses, **output)

    dead = [rank for rank in range(RANKS) if is_victim(rank, victims)]
    all_ranks = [str(rank) for rank in range(RANKS)]
    alive = [rank for rank in all_ranks if int(rank) not in dead]
    comes_back = how == "kill" and what == "servers"
    expected = {"first": alive, "second": all_ranks if comes_back else []}
    if what != "servers":
        expected = {what: alive}
    started = [start(rank, how) for rank in range(RANKS)]
    said = ""
    for rank in dead if how == "kill" else []:
        said += started[rank].communicate()[0]
        if started[rank].returncode != -signal.SIGKILL:
            said += f"process {rank} was not killed\n"
        if comes_back:
            started[rank] = start(rank, "again")
    waits_for = [p for rank, p in enumerate(started) if comes_back or rank not in dead]
    has_ended = processes.wait(waits_for, 30)
    for rank, process in enumerate(started):
        process.kill()
        if comes_back or rank not in dead or how != "kill":
            said += process.communicate()[0]
    return fault_of(said, expected) or ("" if has_ended else said)


def main():
    transport, *command, runs = sys.argv[1:]
    with_servers = -(-int(runs) // 3)
    seeds = range(1, with_servers + 1)
    some = [(("machines", "tasks")[i % 2], i // 2 + 1) for i in range(int(runs) - with_servers)]
    if transport == "caf":
        cases = [("servers", seed, seed % (HOST + 1), "kill") for seed in seeds[1:]]
        cases += [("servers", 1, 2, "stop")]
        cases += [(what, seed, seed % (HOST + 1), "kill") for what, seed in some]
    else:
        command.append(["--with-ft", "ulfm"] if transport == "ulfm" else ["--enable-recovery"])
        cases = [("servers", seed, (seed - 1) % RANKS) for seed in seeds]
        cases += [(what, seed, (seed + 1) % (HOST + 1)) for what, seed in some]
    wrong = 0
    for case in cases:
        fault = (over_caf if transport == "caf" else over_mpi)(*command, *case)
        wrong += fault != ""
        if fault:
            print(f"{case}: {fault}")
    print(f"{len(cases) - wrong} of {len(cases)} runs as they must be")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
