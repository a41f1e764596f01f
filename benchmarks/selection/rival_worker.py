#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""rival_worker.py highs|cpsat MODEL ANSWER SECONDS THREADS: solves a model with a Python package.

rivals.py runs this with an interpreter that has the package. The answer is a JSON file with the
chosen candidates (null if there are none), whether they are proven optimal, and the CPU seconds of
the call that solves.
"""

import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rival_models  # noqa: E402


def highs(model, seconds, threads):
    import highspy
    solver = highspy.Highs()
    for name, value in (("output_flag", False), ("threads", threads), ("time_limit", seconds),
                        ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0),
                        ("mip_feasibility_tolerance", 1e-9)):
        solver.setOptionValue(name, value)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lp"
        rival_models.write_lp(model, path)
        solver.readModel(str(path))
    begin = time.process_time()
    solver.run()
    spent = time.process_time() - begin
    proven = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    values = solver.getSolution().col_value
    if solver.getInfo().primal_solution_status != 2 or not values:
        return None, False, spent, str(solver.getModelStatus()).rsplit(".", maxsplit=1)[-1]
    # Columns are in the order of the file, candidates first.
    return [n for n in range(len(model["owner"])) if values[n] > 0.5], proven, spent, ""


def cpsat(model, seconds, threads):
    from ortools.sat.python import cp_model
    problem = cp_model.CpModel()
    x = [problem.NewBoolVar("") for _ in model["owner"]]
    needed = set(model["needed"])
    for k, candidates in enumerate(model["candidates"]):
        add = problem.AddExactlyOne if k in needed else problem.AddAtMostOne
        add([x[n] for n in candidates])
    for some, needs in model["implications"]:
        if len(some) == 1:
            problem.AddBoolOr([x[n] for n in needs]).OnlyEnforceIf(x[some[0]])
        else:
            problem.Add(sum(x[n] for n in some) <= sum(x[n] for n in needs))
    order = {k: problem.NewIntVar(least, most, "")
             for k, (least, most) in model["order_of"].items()}
    for start, to, users in model["arcs"]:
        for n in users:
            problem.Add(order[start] >= order[to] + 1).OnlyEnforceIf(x[n])
    for maximum, uses in model["limits"]:
        problem.Add(sum(use * x[n] for n, use in enumerate(uses) if use) <= maximum)
    for clique in model["cliques"]:
        problem.AddAtMostOne([x[n] for n in clique])
    paid = []
    for first, second, cost in model["pairs"]:
        both = problem.NewBoolVar("")
        problem.AddBoolOr([x[first].Not(), x[second].Not(), both])
        paid.append(cost * both)
    problem.Minimize(sum(cost * x[n] for n, cost in enumerate(model["cost"]) if cost) + sum(paid))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    solver.parameters.linearization_level = 2  # with one worker far better than the default
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.relative_gap_limit = 0
    solver.parameters.absolute_gap_limit = 0
    begin = time.process_time()
    status = solver.Solve(problem)
    spent = time.process_time() - begin
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, False, spent, solver.StatusName(status)
    chosen = [n for n, one in enumerate(x) if solver.Value(one)]
    return chosen, status == cp_model.OPTIMAL, spent, ""


def main():
    solver, model_path, answer_path, seconds, threads = sys.argv[1:]
    candidates, proven, spent, note = {"highs": highs, "cpsat": cpsat}[solver](
        rival_models.load(model_path), float(seconds), int(threads))
    made = pathlib.Path(answer_path)
    text = json.dumps({"candidates": candidates, "proven": proven, "cpu_s": spent, "note": note})
    made.with_suffix(".part").write_text(text)
    made.with_suffix(".part").rename(made)


if __name__ == "__main__":
    main()
