# SPDX-License-Identifier: BSL-1.0
"""Other solvers on the strengthened model: one thread, no gap, the same limit.

A solver's answer is a list of candidates and whether it claims that they are optimal; the value is
computed here, from the definition. CPU time is that of the process, for solvers that are Python
packages that of the call which solves.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import process
import rival_models

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"cbc": "cbc", "glpk": "glpsol", "toulbar2": "toulbar2"}
PACKAGES = {"highs": "highspy", "cpsat": "ortools"}


def python():
    """The Python interpreter that has the solver packages."""
    return os.environ.get("WF_RIVALS_PYTHON", sys.executable)


def missing(solver):
    """Why a solver cannot run; None if it can."""
    if solver in PROGRAMS:
        return None if shutil.which(PROGRAMS[solver]) else f"no program {PROGRAMS[solver]}"
    found = subprocess.run([python(), "-c", f"import {PACKAGES[solver]}"], capture_output=True,
                           check=False).returncode == 0
    return None if found else f"{python()} has no package {PACKAGES[solver]} (WF_RIVALS_PYTHON)"


def names_above_half(lines, name_at, value_at):
    """The candidates whose variables are 1, from lines of names and values."""
    out = []
    for line in lines:
        words = line.split()
        if (len(words) > max(name_at, value_at) and re.fullmatch(r"x\d+", words[name_at]) and
                float(words[value_at]) > 0.5):
            out.append(int(words[name_at][1:]))
    return out


class Answer:
    """A solver's answer; `candidates` is None if it has no solution."""

    def __init__(self, candidates=None, proven=False, cpu_s=0.0, note=""):
        self.candidates, self.proven, self.cpu_s, self.note = candidates, proven, cpu_s, note


def cbc(model, folder, seconds, threads, wall):
    rival_models.write_lp(model, folder / "model.lp")
    more = ["-threads", threads] if threads > 1 else []
    done = process.run(["cbc", folder / "model.lp", "-timeMode", "cpu", "-sec", seconds, *more,
                        "-ratioGap", 0, "-allowableGap", 0, "-solve", "-solution",
                        folder / "cbc.out"], wall)
    path = folder / "cbc.out"
    if done.code is None or not path.exists():
        return Answer(cpu_s=done.cpu_s, note="killed" if done.code is None else "no solution file")
    head, *lines = path.read_text().splitlines()
    if "no integer solution" in head or "nfeasible" in head:
        return Answer(cpu_s=done.cpu_s, note=head)
    return Answer(names_above_half(lines, 1, 2), head.startswith("Optimal"), done.cpu_s)


def glpk(model, folder, seconds, _, wall):
    rival_models.write_lp(model, folder / "model.lp")
    done = process.run(["glpsol", "--lp", folder / "model.lp", "--tmlim", max(1, int(seconds)),
                        "--mipgap", 0, "--cuts", "-w", folder / "glpk.out"], wall)
    path = folder / "glpk.out"
    if done.code is None or not path.exists():
        return Answer(cpu_s=done.cpu_s, note="killed" if done.code is None else "no solution file")
    lines = path.read_text().splitlines()
    status = next((line.split()[4] for line in lines if line.startswith("s mip")), "u")
    if status not in "of":
        return Answer(cpu_s=done.cpu_s, note="no solution")
    # The candidates are the first variables of the file.
    columns = [line.split() for line in lines if line.startswith("j ")]
    return Answer([int(c[1]) - 1 for c in columns
                   if int(c[1]) <= len(model["owner"]) and float(c[2]) > 0.5],
                  status == "o", done.cpu_s)


def toulbar2(model, folder, seconds, _, wall):
    """Solves repeatedly: forbids the cycles and overlong paths of each solution until there are
    none."""
    nogoods, spent = [], 0.0
    while True:
        rival_models.write_cfn(model, folder / "model.cfn", nogoods)
        left = max(1, round(seconds - spent))
        done = process.run(["toulbar2", folder / "model.cfn", f"-timer={left}",
                            f"-w={folder / 'toulbar2.out'}", "-s=0"], wall, cwd=folder)
        spent += done.cpu_s
        path = folder / "toulbar2.out"
        text = path.read_text().split() if path.exists() else []
        if not text:
            note = "killed" if done.code is None else "no solution"
            return Answer(cpu_s=spent, note=note)
        path.unlink()
        candidates = [of_class[int(value)] for of_class, value in zip(model["candidates"], text)
                      if int(value) < len(of_class)]
        proven = re.search(r"^Optimum: ", done.output, re.MULTILINE) is not None
        chosen, nogood = rival_models.chosen_of(model, candidates)
        if chosen:
            nogood = rival_models.too_long(model, chosen)
        if not nogood:
            return Answer(candidates, proven, spent)
        if not proven or spent > seconds:
            return Answer(cpu_s=spent, note="no selection without a loop or a long path "
                                            f"({len(nogoods)} cut)")
        nogoods.append(nogood)


def package(solver, model_path, folder, seconds, threads, wall):
    """Runs a solver that is a Python package in a process of its own."""
    made = folder / f"{solver}.json"
    done = process.run([python(), "-B", HERE / "rival_worker.py", solver, model_path, made, seconds,
                        threads], wall)
    if not made.exists():
        last = done.errors.strip().splitlines()[-1:] or ["no answer"]
        return Answer(cpu_s=done.cpu_s, note="killed" if done.code is None else last[0])
    found = json.loads(made.read_text())
    return Answer(found["candidates"], found["proven"], found["cpu_s"], found["note"])


def nothing(solver, model, answer):
    """The record of a failed run."""
    return {"solver": solver, "state": "none", "value": "-", "bound": "-", "proven": False,
            "nodes": "-", "cpu_s": answer.cpu_s, "note": answer.note, "total": None,
            "known": model.get("known")}


def solve(solver, model_path, folder, seconds, threads):
    """The value of a rival's answer in the model, as a record like those of the benchmark
    program."""
    model = rival_models.load(model_path)
    if not model["feasible"]:
        return nothing(solver, model, Answer(note="no selection keeps the limits"))
    wall = 2 * seconds + 60
    if solver in PACKAGES:
        answer = package(solver, model_path, folder, seconds, threads, wall)
    else:
        answer = {"cbc": cbc, "glpk": glpk, "toulbar2": toulbar2}[solver](
            model, folder, seconds, threads, wall)
    record = nothing(solver, model, answer)
    if answer.candidates is None:
        return record
    total = rival_models.price(model, answer.candidates)
    if total is None:
        return record | {"state": "wrong", "note": "its solution is no selection"}
    return record | {"state": "found", "value": rival_models.published(model, total),
                     "total": total, "proven": answer.proven}
