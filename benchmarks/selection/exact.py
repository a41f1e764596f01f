#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""exact.py: solves problems from their definition, without code of wf, and compares the values.

Reads what `selection generated N` prints, a problem a line with wf's answers, and models it anew
for CP-SAT (package ortools, constraint programming in whole numbers): a truth value for each
candidate and each class, an order of classes that may need each other, nothing reduced, no prices.
Prints one RESULT line; fails if a value differs or is not proven.
"""

import json
import sys

from ortools.sat.python import cp_model


def cyclic(problem):
    """The classes that may be on a cycle: those left after repeatedly removing classes that no
    other needs."""
    needs = {k: set() for k in range(problem["classes"])}
    for owner, children in zip(problem["owner"], problem["children"]):
        needs[owner].update(children)
    left = set(needs)
    while True:
        needed = set().union(*(needs[k] & left for k in left)) if left else set()
        kept = {k for k in needed if needs[k] & left}
        if kept == left:
            return left
        left = kept


def model_of(problem):
    model = cp_model.CpModel()
    owner, classes = problem["owner"], problem["classes"]
    x = [model.NewBoolVar("") for _ in owner]
    y = [model.NewBoolVar("") for _ in range(classes)]
    for k in range(classes):
        model.Add(sum(x[n] for n in range(len(owner)) if owner[n] == k) == y[k])
    for root in problem["roots"]:
        model.Add(y[root] == 1)
    loop = cyclic(problem)
    order = {k: model.NewIntVar(0, len(loop), "") for k in loop}
    for n, children in enumerate(problem["children"]):
        for child in children:
            model.AddImplication(x[n], y[child])
            if owner[n] in loop and child in loop:
                model.Add(order[owner[n]] > order[child]).OnlyEnforceIf(x[n])
    sums = [[cost * x[n] for n, cost in enumerate(costs) if cost] for costs in problem["costs"]]
    for first, second, excluded, *costs in problem["pairs"]:
        if excluded:
            model.AddBoolOr([x[first].Not(), x[second].Not()])
            continue
        both = model.NewBoolVar("")
        model.AddBoolOr([x[first].Not(), x[second].Not(), both])
        for terms, cost in zip(sums, costs):
            terms.append(cost * both)
    for metric, most in problem["limits"]:
        model.Add(sum(sums[metric]) <= most)
    model.Minimize(sum(sums[problem["minimised"]]))
    return model


def optimum(problem):
    """The least total, or None if there is no selection; and whether it is proven."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = 120
    solver.parameters.relative_gap_limit = 0
    solver.parameters.absolute_gap_limit = 0
    status = solver.Solve(model_of(problem))
    if status == cp_model.OPTIMAL:
        return round(solver.ObjectiveValue()), True
    return None, status == cp_model.INFEASIBLE


def main():
    count = dict.fromkeys(("problems", "equal", "infeasible", "different", "unproven", "unchecked",
                           "dived", "cut"), 0)
    for line in sys.stdin:
        problem = json.loads(line)
        total, proven = optimum(problem)
        count["problems"] += 1
        count["infeasible"] += proven and total is None
        count["dived"] += problem["dives"] > 0
        count["cut"] += problem["cuts"] > 0
        count["unchecked"] += problem["select"] is not None and not problem["checked"]
        if not proven:
            count["unproven"] += 1
        elif problem["select"] == problem["certified"] == total:
            count["equal"] += 1
        else:
            count["different"] += 1
        if not proven or problem["select"] != total or problem["certified"] != total:
            print(f"{problem['name']}: select={problem['select']} certified={problem['certified']} "
                  f"exact={total} proven={int(proven)}", flush=True)
    print("RESULT suite=selection set=generated kind=exact what=generated " +
          " ".join(f"{name}={value}" for name, value in count.items()))
    return 0 if count["problems"] and count["problems"] == count["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
