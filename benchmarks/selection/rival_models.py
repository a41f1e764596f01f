# SPDX-License-Identifier: BSL-1.0
"""wf's strengthened model of an instance (model.hpp) in the formats of other solvers, and the
evaluation of their solutions.

Variables: x<n> is candidate n, t<k> the order of class k in a loop (or, if the depth is limited,
the height of any class: it is higher than what it needs), z<i> a pair that is paid.
"""

import json


def load(path):
    """Reads a model and adds the candidates of each class and the range of each class's order."""
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    if model["feasible"]:
        model["candidates"] = [[] for _ in range(model["classes"])]
        for n, owner in enumerate(model["owner"]):
            model["candidates"][owner].append(n)
        model["order_of"] = orders(model)
    return model


def orders(model):
    """The least and the largest order of each class that has one."""
    if "depth" in model:
        return dict(enumerate(model["heights"]))
    return {k: (0, last - first - 1) for first, last in model["blocks"] for k in range(first, last)}


def published(model, total):
    """A total in the publisher's units, as text."""
    value = model["offset"] - total if model["maximised"] else total
    sign, value = ("-" if value < 0 else ""), abs(value)
    digits = len(str(model["scale"])) - 1
    text = f"{value // model['scale']}.{value % model['scale']:0{digits}}" if digits else f"{value}"
    return sign + (text.rstrip("0").rstrip(".") if digits else text)


def rows(model):
    """The linear rows: coefficients of variables, a relation, a right-hand side."""
    needed = set(model["needed"])
    for k, candidates in enumerate(model["candidates"]):
        yield [(1, f"x{n}") for n in candidates], "=" if k in needed else "<=", 1
    for some, needs in model["implications"]:
        yield [(1, f"x{n}") for n in some] + [(-1, f"x{n}") for n in needs], "<=", 0
    for start, to, users in model["arcs"]:
        slack = model["order_of"][to][1] - model["order_of"][start][0] + 1
        yield ([(1, f"t{start}"), (-1, f"t{to}")] + [(-slack, f"x{n}") for n in users], ">=",
               1 - slack)
    for maximum, uses in model["limits"]:
        yield [(use, f"x{n}") for n, use in enumerate(uses) if use], "<=", maximum
    for clique in model["cliques"]:
        yield [(1, f"x{n}") for n in clique], "<=", 1
    for i, (first, second, _) in enumerate(model["pairs"]):
        yield [(1, f"x{first}"), (1, f"x{second}"), (-1, f"z{i}")], "<=", 1


def in_lines(words, width=120):
    """Joins words, with line breaks between them."""
    out, size = [], 0
    for word in words:
        if size + len(word) > width:
            out.append("\n")
            size = 0
        out.append(word + " ")
        size += len(word) + 1
    return "".join(out)


def terms(pairs):
    return in_lines(f"{'+' if c >= 0 else '-'} {abs(c)} {name}" for c, name in pairs)


def write_lp(model, path):
    """CPLEX LP format. The candidates come first, in order."""
    objective = [(cost, f"x{n}") for n, cost in enumerate(model["cost"])]
    objective += [(cost, f"z{i}") for i, (_, _, cost) in enumerate(model["pairs"])]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"Minimize\n obj: {terms(objective)}\nSubject To\n")
        for number, (left, relation, right) in enumerate(rows(model)):
            if left:
                file.write(f" r{number}: {terms(left)}{relation} {right}\n")
        file.write("Bounds\n")
        for k, (least, most) in model["order_of"].items():
            file.write(f" {least} <= t{k} <= {most}\n")
        file.write(f"Binaries\n{in_lines(f'x{n}' for n in range(len(model['owner'])))}\nEnd\n")


def write_cfn(model, path, nogoods=()):
    """The format of toulbar2. Variables: a class, whose values are its candidates and at last, if
    not every selection needs it, none; for limits, a truth value for each candidate that is not
    chosen. Loops of more than two classes, and paths that are too long, are forbidden one by one:
    `nogoods` are sets of candidates."""
    needed = set(model["needed"])
    cost, candidates, owner = model["cost"], model["candidates"], model["owner"]
    place = [0] * len(owner)
    for of_class in candidates:
        for i, n in enumerate(of_class):
            place[n] = i
    variables = {f"k{k}": len(c) + (k not in needed) for k, c in enumerate(candidates)}
    functions = {f"f{k}": {"scope": [f"k{k}"], "costs": [cost[n] for n in c] + [0] *
                           (k not in needed)} for k, c in enumerate(candidates)}
    top = (sum(max((cost[n] for n in c), default=0) for c in candidates) +
           sum(pair[2] for pair in model["pairs"]) + 1)
    tables = {}  # by two classes: costs by two values

    def add(first, a, second, b, price):
        if first > second:
            first, a, second, b = second, b, first, a
        costs = tables.setdefault((first, second), {})
        costs[a, b] = min(top, costs.get((a, b), 0) + price)

    for some, needs in model["implications"]:
        other = owner[needs[0]] if needs else None
        for n in some:
            if other is None:
                functions[f"f{owner[n]}"]["costs"][place[n]] = top
                continue
            allowed = {place[m] for m in needs}
            for value in set(range(variables[f"k{other}"])) - allowed:
                add(owner[n], place[n], other, value, top)
    for a, b in model["excluded"]:
        add(owner[a], place[a], owner[b], place[b], top)
    for a, b, price in model["pairs"]:
        add(owner[a], place[a], owner[b], place[b], price)
    for (first, second), costs in tables.items():
        functions[f"p{first}_{second}"] = {
            "scope": [f"k{first}", f"k{second}"], "defaultcost": 0,
            "costs": [word for (a, b), price in costs.items() for word in (a, b, price)]}
    add_limits(model, place, variables, functions, top)
    for number, nogood in enumerate(nogoods):
        functions[f"n{number}"] = {"scope": [f"k{owner[n]}" for n in nogood], "defaultcost": 0,
                                   "costs": [place[n] for n in nogood] + [top]}
    problem = {"problem": {"name": "selection", "mustbe": f"<{top}"}, "variables": variables,
               "functions": functions}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(problem, file)


def add_limits(model, place, variables, functions, top):
    """Sums of weighted truth values with a lower bound, the form that toulbar2 1.1 supports."""
    used = sorted({n for _, uses in model["limits"] for n, use in enumerate(uses) if use})
    for n in used:
        k = model["owner"][n]
        variables[f"b{n}"] = 2  # 1: candidate n is not chosen
        values = range(variables[f"k{k}"])
        functions[f"c{n}"] = {"scope": [f"k{k}", f"b{n}"],
                              "costs": [top if (value == place[n]) == (b == 1) else 0
                                        for value in values for b in (0, 1)]}
    for number, (maximum, uses) in enumerate(model["limits"]):
        scope = [n for n, use in enumerate(uses) if use]
        least = sum(uses) - maximum
        if least > 0:
            functions[f"l{number}"] = {
                "scope": [f"b{n}" for n in scope], "type": "knapsack",
                "params": {"capacity": least, "weights": [uses[n] for n in scope]}}


def chosen_of(model, candidates):
    """The selection that the chosen candidates form from the roots on: candidates by class, and the
    classes of a cycle if there is one. None if a needed class has no candidate."""
    by_class = {model["owner"][n]: n for n in candidates}
    chosen, state = {}, {}
    for root in model["roots"]:
        path = [(root, None)]
        while path:
            k, children = path.pop()
            if children is None:
                if state.get(k) == "done":
                    continue
                if k not in by_class:
                    return None, None
                state[k], chosen[k] = "open", by_class[k]
                children = iter(model["children"][by_class[k]])
            child = next(children, None)
            if child is None:
                state[k] = "done"
                continue
            path.append((k, children))
            if state.get(child) == "open":
                names = [one for one, _ in path]
                return None, [by_class[one] for one in names[names.index(child):]]
            path.append((child, None))
    return chosen, None


def longest_path(model, chosen):
    """The candidates on the longest path of a selection, from a root down."""
    height, path = {}, [(root, False) for root in model["roots"]]
    while path:
        k, seen = path.pop()
        children = model["children"][chosen[k]]
        if seen:
            height[k] = 1 + max((height[child] for child in children), default=0)
        elif k not in height:
            path.append((k, True))
            path.extend((child, False) for child in children if child not in height)
    out, level = [], model["roots"]
    while level:
        k = max(level, key=height.get)
        out.append(chosen[k])
        level = model["children"][chosen[k]]
    return out


def too_long(model, chosen):
    """Candidates on a path longer than the depth limit, if there is one."""
    path = longest_path(model, chosen) if "depth" in model else []
    return path[:model["depth"] + 1] if path and len(path) > model["depth"] else None


def price(model, candidates):
    """The total of the chosen candidates from the definition of the problem; None if they are no
    selection."""
    chosen, _ = chosen_of(model, candidates)
    if chosen is None:
        return None
    if too_long(model, chosen):
        return None
    taken = set(chosen.values())
    if any(a in taken and b in taken for a, b in model["excluded"]):
        return None
    for maximum, uses in model["limits"]:
        if sum(uses[n] for n in taken) > maximum:
            return None
    return (sum(model["cost"][n] for n in taken) +
            sum(cost for a, b, cost in model["pairs"] if a in taken and b in taken))
