#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Random formulas with their exact values, computed by Python's fractions.

Each case is one line: formula, bindings, and the expected value or the name of the error, separated
by tabs; with --inc it is a C++ initialiser instead (tests/formula/cases.inc is made that way). The
formula is made as a tree, evaluated as a tree, and printed with as few or as many parentheses as
chance has it, so that precedence and associativity are tested too.

    tools/formula_fuzz.py --seed 1 --count 100000 > cases; WF_FORMULA_CASES=cases test_formula
    tools/formula_fuzz.py --seed 20261121 --count 2000 --longest 70 --inc > tests/formula/cases.inc
"""

import argparse
import math
import random
import sys
from fractions import Fraction

LIMIT = 2**127 - 1
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9,
         "Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9,
         "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
SYMBOLS = ["M", "N", "K", "A.bytes", "batch_size", "a_name_longer_than_ten"]

# Binding powers as documented: larger binds tighter.
CONDITION, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 11)
BINARY = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT,
          "%": PRODUCT, "**": POWER, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE,
          "==": COMPARE, "!=": COMPARE}
UNARY_FUNCTIONS = ["ceil", "floor", "round", "abs", "log2", "log", "sqrt", "exp"]


class Failure(Exception):
    """An evaluation error; its argument is the name of the code."""


class Undecided(Exception):
    """A sum whose partial sums overflow, although its closed form may not: either result is
    valid."""


def fit(value):
    if abs(value.numerator) > LIMIT or value.denominator > LIMIT:
        raise Failure("overflow")
    return value


def add(a, b):
    # A sum is computed over the least common denominator, which must fit as well.
    common = math.gcd(a.denominator, b.denominator)
    left = a.numerator * (b.denominator // common)
    right = b.numerator * (a.denominator // common)
    if max(abs(left), abs(right), abs(left + right)) > LIMIT:
        raise Failure("overflow")
    return fit(a + b)


def exact_root(n, degree):
    low, high = 0, 1 << (n.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= n:
            low = middle
        else:
            high = middle - 1
    return low if low**degree == n else None


def power(base, exponent):
    if exponent == 0:
        return Fraction(1)
    if base == 0:
        if exponent < 0:
            raise Failure("division_by_zero")
        return Fraction(0)
    if base == 1:
        return Fraction(1)
    if exponent.denominator != 1:
        if base < 0 or exponent.denominator > 127:
            raise Failure("no_exact_value")
        n = exact_root(base.numerator, exponent.denominator)
        d = exact_root(base.denominator, exponent.denominator)
        if n is None or d is None:
            raise Failure("no_exact_value")
        base, exponent = Fraction(n, d), Fraction(exponent.numerator)
    if base == -1:
        return Fraction(-1 if exponent.numerator % 2 else 1)
    if abs(exponent) > 127:
        raise Failure("overflow")
    return fit(base**exponent.numerator)


def floor_log2(a):
    k = a.numerator.bit_length() - a.denominator.bit_length()
    return k if a >= Fraction(2)**k else k - 1


def unary(name, a):
    if name in ("ceil", "floor", "round"):
        return Fraction({"ceil": math.ceil, "floor": math.floor, "round": round}[name](a))
    if name == "abs":
        return abs(a)
    if name == "log2" and a > 0 and a == Fraction(2)**floor_log2(a):
        return Fraction(floor_log2(a))
    if name == "log" and a == 1:
        return Fraction(0)
    if name == "exp" and a == 0:
        return Fraction(1)
    if name == "sqrt" and a >= 0:
        n, d = math.isqrt(a.numerator), math.isqrt(a.denominator)
        if n * n == a.numerator and d * d == a.denominator:
            return Fraction(n, d)
    raise Failure("no_exact_value")


def rounded(name, inner, a):
    """ceil or floor of a logarithm or root, exact for every argument."""
    if inner == "log2":
        if a <= 0:
            raise Failure("no_exact_value")
        k = floor_log2(a)
        return Fraction(k + 1 if name == "ceil" and Fraction(2)**k != a else k)
    if a < 0:
        raise Failure("no_exact_value")
    if name == "floor":
        return Fraction(math.isqrt(math.floor(a)))
    up = math.ceil(a)
    root = math.isqrt(up)
    return Fraction(root if root * root == up else root + 1)


def binary(op, a, b):
    if op == "+":
        return add(a, b)
    if op == "-":
        return add(a, -b)
    if op == "*":
        return fit(a * b)
    if op in ("/", "//", "%"):
        if b == 0:
            raise Failure("division_by_zero")
        whole = op != "/" and a.denominator == 1 and b.denominator == 1 and b > 0
        quotient = a / b if whole else fit(a / b)
        if op == "/":
            return quotient
        quotient = Fraction(math.floor(quotient))
        return quotient if op == "//" else add(a, -fit(quotient * b))
    if op == "**":
        return power(a, b)
    return Fraction(int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b,
                         "!=": a != b}[op]))


def evaluate(tree, env):
    kind = tree[0]
    if kind == "number":
        return tree[2]
    if kind == "symbol":
        if tree[1] not in env:
            raise Failure("unknown_symbol")
        return env[tree[1]]
    if kind == "sign":
        value = evaluate(tree[2], env)
        return -value if tree[1] == "-" else value
    if kind == "not":
        return Fraction(int(evaluate(tree[1], env) == 0))
    if kind == "call":
        inner = tree[2][0]
        if tree[1] in ("ceil", "floor") and inner[0] == "call" and inner[1] in ("log2", "sqrt"):
            return rounded(tree[1], inner[1], evaluate(inner[2][0], env))
        values = [evaluate(argument, env) for argument in tree[2]]
        if tree[1] in ("min", "max"):
            return (min if tree[1] == "min" else max)(values)
        return power(*values) if tree[1] == "pow" else unary(tree[1], values[0])
    if kind == "condition":
        return evaluate(tree[2] if evaluate(tree[1], env) != 0 else tree[3], env)
    if kind == "sum":
        return evaluate_sum(tree, env)
    op, left, right = tree[1:]
    if op in ("and", "or"):
        if (evaluate(left, env) != 0) == (op == "or"):
            return Fraction(int(op == "or"))
        return Fraction(int(evaluate(right, env) != 0))
    return binary(op, evaluate(left, env), evaluate(right, env))


def evaluate_sum(tree, env):
    low, high = evaluate(tree[2], env), evaluate(tree[3], env)
    if low.denominator != 1 or high.denominator != 1:
        raise Failure("wrong_arity")
    if high - low > 60:
        raise Undecided
    total = Fraction(0)
    for k in range(low.numerator, high.numerator + 1):
        try:
            total = add(total, evaluate(tree[4], {**env, tree[1]: Fraction(k)}))
        except Failure as failure:
            if failure.args[0] == "overflow" and high - low >= 16:
                raise Undecided from failure
            raise
    return total


def number(rng):
    choice = rng.random()
    if choice < 0.7:
        value = rng.choice([rng.randrange(0, 12), rng.randrange(0, 100), 2**rng.randrange(0, 12)])
        return ("number", str(value), Fraction(value))
    if choice < 0.8:
        unit = rng.choice(list(UNITS))
        value = rng.randrange(0, 20)
        return ("number", f"{value}{unit}", Fraction(value * UNITS[unit]))
    if choice < 0.9:
        text = f"{rng.randrange(0, 50)}.{rng.randrange(0, 1000)}"
        return ("number", text, Fraction(text))
    if choice < 0.97:
        text = str(rng.randrange(0, 100)) + rng.choice(["", ".5", ".25"])
        text += "e" + rng.choice(["", "-", "+"]) + str(rng.randrange(0, 12))
        return ("number", text, Fraction(text))
    value = rng.randrange(0, 10**rng.randrange(10, 38))
    return ("number", str(value), Fraction(value))


def integer(value):
    return ("number", str(value), Fraction(value))


def make(rng, depth, scope):
    if depth == 0 or rng.random() < 0.12:
        if rng.random() < 0.45:
            return number(rng)
        if scope and rng.random() < 0.6:
            return ("symbol", rng.choice(scope))
        return ("symbol", rng.choice(SYMBOLS if rng.random() < 0.985 else ["Q", "unbound.name"]))
    choice = rng.random()
    below = lambda: make(rng, depth - 1, scope)
    if choice < 0.62:
        op = rng.choices(list(BINARY), [1, 1, 8, 8, 10, 6, 4, 4, 3, 1, 1, 1, 1, 1, 1])[0]
        small = op == "**" and rng.random() < 0.6
        right = integer(rng.choice([2, 3])) if small else below()
        return ("binary", op, below(), right)
    if choice < 0.70:
        return ("sign", rng.choice("--+"), below())
    if choice < 0.73:
        return ("not", below())
    if choice < 0.79:
        return ("condition", below(), below(), below())
    if choice < 0.84 and len(scope) < 2:
        variable = rng.choice(["i", "j", "k", "M"])
        low = integer(rng.randrange(0, 5))
        usual = rng.random() < 0.9
        span = rng.randrange(0, 40 if scope else 12) if usual else rng.randrange(12, 40)
        high = integer(span) if rng.random() < 0.8 else below()
        inner = list(dict.fromkeys(scope + [variable]))
        return ("sum", variable, low, high, make(rng, min(depth - 1, 3), inner))
    if choice < 0.90:
        return ("call", rng.choice(["min", "max"]), [below() for _ in range(rng.randrange(2, 5))])
    if choice < 0.92:
        half = ("number", "0.5", Fraction(1, 2))
        return ("call", "pow", [below(), rng.choice([integer(2), half, below()])])
    if choice < 0.95:
        inner = ("call", rng.choice(["log2", "sqrt"]), [below()])
        return ("call", rng.choice(["ceil", "floor"]), [inner])
    return ("call", rng.choice(UNARY_FUNCTIONS), [below()])


def show(tree, rng, least=CONDITION):
    """The text of a tree; operators that bind weaker than `least` are put in parentheses."""
    kind = tree[0]
    space = rng.choice(["", "", " "])
    if kind in ("number", "symbol"):
        text, own = tree[1], ATOM
    elif kind == "sign":
        text, own = tree[1] + space + show(tree[2], rng, SIGN), SIGN
    elif kind == "not":
        text, own = "not " + show(tree[1], rng, NOT), NOT
    elif kind == "call":
        text = f"{tree[1]}({space}{(',' + space).join(show(a, rng) for a in tree[2])})"
        own = ATOM
    elif kind == "sum":
        text = f"sum_over({tree[1]},{space}{','.join(show(a, rng) for a in tree[2:])})"
        own = ATOM
    elif kind == "condition":
        text = f"{show(tree[1], rng, OR)} ?{space}{show(tree[2], rng)}{space}: {show(tree[3], rng)}"
        own = CONDITION
    else:
        op, own = tree[1], BINARY[tree[1]]
        gap = " " if op in ("and", "or") else space
        left = show(tree[2], rng, own + 1 if own in (COMPARE, POWER) else own)
        # A sign may follow '**' directly.
        right = show(tree[3], rng, SIGN if own == POWER else own + 1)
        text = left + gap + op + gap + right
    if own < least or rng.random() < 0.05:
        return "(" + text + ")"
    return text


def bindings(rng):
    out = {}
    for name in SYMBOLS:
        choice = rng.random()
        if choice < 0.75:
            out[name] = Fraction(rng.choice([rng.randrange(1, 10), rng.randrange(1, 1025),
                                             2**rng.randrange(0, 11)]))
        elif choice < 0.9:
            out[name] = Fraction(rng.randrange(-50, 51), rng.randrange(1, 9))
        else:
            out[name] = Fraction(rng.randrange(-10**rng.randrange(1, 20), 10**rng.randrange(1, 20)))
    return out


def names_in(tree):
    if tree[0] == "symbol":
        return {tree[1]}
    parts = [t for part in tree[1:] for t in (part if isinstance(part, list) else [part])]
    return set().union(*[names_in(t) for t in parts if isinstance(t, tuple)])


def initialiser(source, used, expected):
    """The case as C++ source, in lines of at most 100 columns."""
    line = f'{{"{source}", "{used}", "{expected}"}},'
    return line if len(line) <= 100 else f'{{"{source}",\n "{used}",\n "{expected}"}},'


def main():
    arguments = argparse.ArgumentParser(description=__doc__,
                                        formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--longest", type=int, default=400, help="longest formula in characters")
    arguments.add_argument("--inc", action="store_true", help="C++ initialisers instead of tabs")
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    print(f"formula_fuzz: seed {options.seed}", file=sys.stderr)
    if options.inc:
        print("// SPDX-License-Identifier: BSL-1.0\n// Generated by tools/formula_fuzz.py "
              f"--seed {options.seed} --count {options.count} --longest {options.longest} --inc")
    made = 0
    while made < options.count:
        tree = make(rng, rng.choice([1, 2, 2, 3, 3, 4, 5]), [])
        values = bindings(rng)
        source = show(tree, rng)
        if len(source) > options.longest:
            continue
        try:
            expected = str(evaluate(tree, values))
        except Failure as failure:
            expected = failure.args[0]
            if rng.random() < 0.3:  # limit the share of cases that are errors
                continue
        except Undecided:
            continue
        used = ",".join(f"{name}={values[name]}" for name in SYMBOLS if name in names_in(tree))
        if options.inc and len(used) > 90:
            continue
        case = (source, used, expected)
        print(initialiser(*case) if options.inc else "\t".join(case))
        made += 1


main()
