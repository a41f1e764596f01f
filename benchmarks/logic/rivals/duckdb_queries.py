# SPDX-License-Identifier: BSL-1.0
"""duckdb_queries.py FAMILY PROGRAM ANSWERS: a worker (logic/worker.hpp): the recursive programs as
queries of DuckDB on one thread, its facts in tables in memory. Results are tables in memory, too.
"""

import duckdb

import serve

CLOSURE = """
    WITH RECURSIVE r(a, b) AS (
        FROM edge UNION SELECT r.a, edge.b FROM r JOIN edge ON r.b = edge.a)
    FROM r"""
GENERATION = """
    WITH RECURSIVE r(a, b) AS (
        SELECT p.a, q.a FROM par p JOIN par q ON p.b = q.b WHERE p.a != q.a
        UNION SELECT p.a, q.a FROM r JOIN par p ON p.b = r.a JOIN par q ON q.b = r.b)
    FROM r"""
ALL_PATHS = """
    WITH RECURSIVE r(a, b, c) USING KEY (a, b) AS (
        SELECT a, b, min(c) FROM edge GROUP BY a, b
        UNION SELECT r.a, edge.b, min(r.c + edge.c)
        FROM r JOIN edge ON r.b = edge.a
        LEFT JOIN recurring.r AS old ON old.a = r.a AND old.b = edge.b
        WHERE old.c IS NULL OR r.c + edge.c < old.c GROUP BY r.a, edge.b)
    FROM r"""
PATHS_FROM_ONE = """
    WITH RECURSIVE r(a, b) USING KEY (a) AS (
        SELECT a, 0 FROM source
        UNION SELECT edge.b, min(r.b + edge.c)
        FROM r JOIN edge ON r.a = edge.a LEFT JOIN recurring.r AS old ON old.a = edge.b
        WHERE old.b IS NULL OR r.b + edge.c < old.b GROUP BY edge.b)
    FROM r"""
POINTS = """
    WITH RECURSIVE r(a, b) AS (
        FROM {} UNION SELECT s.b, r.b FROM r JOIN Assign s ON r.a = s.a)
    FROM r"""
ALIAS = "SELECT DISTINCT p.a, q.a AS b FROM VarPointsTo p JOIN VarPointsTo q ON p.b = q.b"
MORE = """
    INSERT INTO Assign SELECT DISTINCT s.a, l.b
    FROM Alias x JOIN Store s ON s.b = x.a JOIN Load l ON l.a = x.b AND l.c = s.c
    ANTI JOIN Assign old ON old.a = s.a AND old.b = l.b"""


class Problem:
    """Facts in tables, and results in others; columns are a, b and c."""

    inputs, results = {}, []

    def __init__(self, program):
        self.database = duckdb.connect(":memory:", config={"threads": 1})
        for name, width in self.inputs.items():
            rows = serve.read(program, name)
            columns = {c: rows[:, at].astype("int32") for at, c in enumerate("abc"[:width])}
            self.database.register("facts", columns)
            self.database.execute(f"CREATE TABLE {name} AS FROM facts")
        self.lists = {}

    def clear(self):
        self.lists = {}
        for name in self.results:
            self.database.execute(f"DROP TABLE IF EXISTS {name}")

    def keep(self, name, query):
        """Makes a table of the rows of a query, instead of an older one."""
        self.database.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def list(self):
        self.lists = {name: self.database.execute(f"FROM {name}").fetchnumpy()
                      for name in self.results}

    def size(self):
        return sum(len(columns["a"]) for columns in self.lists.values())

    def facts(self):
        return [(name, list(columns.values())) for name, columns in self.lists.items()]


def by_query(result, query, **inputs):
    """A class of problems that one query solves."""
    def solve(self):
        self.keep(result, query)
    return type("Query", (Problem,), {"inputs": inputs, "results": [result], "solve": solve})


class PointsTo(Problem):
    """Relations that depend on each other are a loop of statements: it is faster than one recursion
    over a table of all of them."""

    inputs = {"AssignAlloc": 2, "PrimitiveAssign": 2, "Load": 3, "Store": 3}
    results = ["Assign", "Alias", "VarPointsTo"]

    def solve(self):
        self.keep("Assign", "FROM PrimitiveAssign")
        self.keep("VarPointsTo", POINTS.format("AssignAlloc"))
        while True:
            self.keep("Alias", ALIAS)
            if self.database.execute(MORE).fetchall() == [(0,)]:
                return
            self.keep("VarPointsTo", POINTS.format("VarPointsTo"))


serve.serve({"tc": by_query("tc", CLOSURE, edge=2), "sg": by_query("sg", GENERATION, par=2),
             "apsp": by_query("d", ALL_PATHS, edge=3),
             "sssp": by_query("d", PATHS_FROM_ONE, edge=3, source=1), "points_to": PointsTo})
