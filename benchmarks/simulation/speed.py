# SPDX-License-Identifier: BSL-1.0
"""The set "speed": the simulator beside SimPy and SimGrid, in rounds in which each of them runs."""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

RIVALS = pathlib.Path(__file__).resolve().parent / "rivals"
# In CPU seconds: a rival runs in no further round once its runs took this long together.
ENOUGH = 60
# Relative differences of makespans that are accepted. SimPy counts the same ticks. SimGrid computes
# with doubles: in a large graph rounding decides which of two events is first, and its own solvers
# differ from each other by up to 0.5 % there, from wf by up to 2 %.
SMALL_TASKS, SMALL_TOLERANCE, LARGE_TOLERANCE = 1000, 1e-9, 0.05

SEMANTICS = {
    "simpy": "SimPy: every task and message is a generator that waits for resources; ports, "
             "payloads and the broker of a network do not exist.",
    "simgrid": "SimGrid: every task is an actor that starts when its last input has arrived; times "
               "are doubles, and rates are shared with a precision of 1e-5, where wf counts "
               "picoseconds.",
}


def skip(name, why):
    """Says that a rival is left out."""
    print(f"skipped: {name}: {why}", flush=True)


def simpy(place):
    """The command of SimPy, installed in a virtual environment that is kept; None without it."""
    python = place / "simpy" / "bin" / "python"
    version = "simpy>=4,<5"
    made = subprocess.run([python, "-c", "import simpy"], stderr=subprocess.DEVNULL,
                          check=False) if python.exists() else None
    if made is None or made.returncode != 0:
        shutil.rmtree(place / "simpy", ignore_errors=True)
        for command in ([sys.executable, "-m", "venv", place / "simpy"],
                        [python, "-m", "pip", "install", "--quiet", version]):
            done = subprocess.run(command, stdout=sys.stderr, check=False)
            if done.returncode != 0:
                return skip("SimPy", f"pip cannot install {version}")
    return [python, RIVALS / "simpy_tasks.py"]


def simgrid(place):
    """SimGrid's program, built if its package is installed; None without it."""
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "simgrid"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False) \
        if shutil.which("pkg-config") else None
    if found is None or found.returncode != 0:
        return skip("SimGrid", "there is no package simgrid (Debian: libsimgrid-dev, pkg-config)")
    program = place / "simgrid_tasks"
    compiler = os.environ.get("CXX", "g++")
    done = subprocess.run([compiler, "-std=c++20", "-O3", f"-I{RIVALS.parents[1]}",
                           RIVALS / "simgrid_tasks.cpp", "-o", program, *found.stdout.split()],
                          stdout=sys.stderr, check=False)
    if done.returncode != 0:
        return skip("SimGrid", f"{compiler} cannot build it")
    version = subprocess.run(["pkg-config", "--modversion", "simgrid"], text=True,
                             stdout=subprocess.PIPE, check=True).stdout.strip()
    print(f"SimGrid {version}, network solver Full, precision 1e-5; cpu solver TI, and Full for "
          "ratio_simgrid_full")
    return [program]


def measured(command):
    """Seconds and makespan of each line MEASURED that a program prints, by model and simulator."""
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {(m[1], m[2]): (float(m[3]), float(m[4])) for m in
            re.finditer(r"^MEASURED model=(\w+) by=(\w+) .*\bseconds=([0-9.]+) .*"
                        r"\bmakespan_s=([0-9.]+)", out, re.MULTILINE)}


class Rival:
    """A rival of a model of wf: `command` with the workload before `options`."""

    def __init__(self, name, model, command, options=(), exact=False):
        self.name, self.model, self.command, self.options = name, model, command, options
        self.exact = exact
        self.seconds = []
        self.deviation = 0

    def run(self, workload, makespan):
        """CPU seconds; keeps how far its makespan is from that of wf."""
        seconds, found = next(iter(measured([*self.command, workload, *self.options]).values()))
        self.deviation = abs(found - makespan) / makespan
        return seconds

    def is_near(self, tolerance):
        """Whether the makespan of the last run agrees with that of wf."""
        return self.deviation <= (SMALL_TOLERANCE if self.exact else tolerance)


def rivals(place):
    """All rivals that can be run here."""
    out = []
    command = simpy(place)
    if command:
        out.append(Rival("simpy", "fifo", command, exact=True))
    command = simgrid(place)
    if command:
        # The fastest solvers that are right, and those with which the oracle was computed.
        out.append(Rival("simgrid", "max_min", command, ["TI"]))
        out.append(Rival("simgrid_full", "max_min", command, ["Full"]))
    return out


OWN = {"fifo": ("fifo", "network"), "max_min": ("max_min", "program")}


def agree(program, all_rivals, place):
    """Whether all simulators find the same makespan of a small graph."""
    workload = place / "small.txt"
    own = measured([program, "speed", str(SMALL_TASKS), "1", workload])
    fine = True
    for rival in all_rivals:
        rival.run(workload, own[OWN[rival.model]][1])
        fine = fine and rival.is_near(SMALL_TOLERANCE)
        print(f"{rival.name}: its makespan of {SMALL_TASKS} tasks differs by {rival.deviation:.1e} "
              f"(accepted: {SMALL_TOLERANCE:.0e})")
    return fine


def print_results(tasks, own, all_rivals):
    """The medians, and a line RESULT for each model."""
    median = {key: statistics.median(all_seconds) for key, all_seconds in own.items()}
    for (model, by), seconds in median.items():
        print(f"MEASURED model={model} by={by} runs={len(own[model, by])} seconds={seconds:.5f} "
              f"tasks_per_s={tasks / seconds:.0f}")
    for rival in all_rivals:
        seconds = statistics.median(rival.seconds)
        print(f"MEASURED model={rival.model} by={rival.name} runs={len(rival.seconds)} "
              f"seconds={seconds:.5f} tasks_per_s={tasks / seconds:.0f} "
              f"makespan_deviation={rival.deviation:.1e}")
    for model, key in OWN.items():
        line = (f"RESULT suite=simulation set=speed model={model} tasks={tasks} "
                f"tasks_per_s={tasks / median[key]:.0f}")
        if model == "fifo":
            line += f" ratio_hand={median['fifo', 'hand'] / median[key]:.2f}"
        for rival in all_rivals:
            if rival.model == model:
                ratio = statistics.median(rival.seconds) / median[key]
                line += f" ratio_{rival.name}={ratio:.1f}"
        print(line)


def speed(program, tasks, rounds):
    """Measures both models and their rivals in CPU time of the simulation alone: each round runs
    wf (the median of three runs in one process, after which memory is mapped) and every rival."""
    place = program.parent / "simulation_rivals"
    place.mkdir(parents=True, exist_ok=True)
    all_rivals = rivals(place)
    for name in sorted({rival.name.split("_")[0] for rival in all_rivals}):
        print(SEMANTICS[name])
    own = {}
    with tempfile.TemporaryDirectory() as folder:
        fine = agree(program, all_rivals, pathlib.Path(folder))
        workload = pathlib.Path(folder) / "workload.txt"
        for _ in range(rounds):
            found = measured([program, "speed", str(tasks), "3", workload])
            for key, (seconds, _) in found.items():
                own.setdefault(key, []).append(seconds)
            for rival in all_rivals:
                if sum(rival.seconds) < ENOUGH:
                    rival.seconds.append(rival.run(workload, found[OWN[rival.model]][1]))
                    fine = fine and rival.is_near(LARGE_TOLERANCE)
    print_results(tasks, own, all_rivals)
    if not fine:
        print("simulation: a rival's makespan differs by more than is accepted", file=sys.stderr)
    return 0 if fine else 1
