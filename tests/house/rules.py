# SPDX-License-Identifier: BSL-1.0
"""The rules of the house. Each rule is a function from a tree (path → text) to its problems.

A problem reads "path:line: what is wrong". The docstring of a rule says what it demands.
"""

import functools
import posixpath
import re

from declarations import code_tokens, declarations, tokenize
from standard import HEADER_OF

# The rooms in order of data flow: a room may include only earlier ones.
ROOMS = ["core", "formula", "ir", "registry", "storage", "cost", "order", "contraction", "capture",
         "rewrite", "lint", "types", "toolchain", "cache", "search", "choice", "select", "map",
         "simulate", "compile", "partition", "logic", "report", "run", "calibrate", "adapt"]
# Generic rooms, which may include fewer.
SEES = {"formula": {"core"}, "search": {"core"}}
STATIC_ROOMS = ROOMS[:ROOMS.index("rewrite")]
RUN_TIME_ONLY = {"contraction/large/"}  # part of one of these rooms, but not for the compile-time
                                        # tier
STATIC_PROMISE = {"capture", "cost"}  # the rooms <wf/static.hpp> lists in full, but for
STATIC_OPTIONAL = {"capture/call_node", "capture/circuit", "capture/equations/", "capture/fixpoint",
                   "capture/functions/wire", "capture/subworkflow", "capture/trace",
                   "capture/tracer", "cost/cost_table", "cost/critical_path",
                   "cost/implementation_times", "cost/polynomial_maximum", "cost/price_within",
                   "cost/time_on_cores"}
EXECUTOR_ROOMS = ["run", "calibrate", "adapt"]
# The promise of <wf/wf.hpp>: what a first program needs, and nothing of the rooms above `select`
# except the explanation of a plan.
FIRST_PROGRAM = {"choice/builtin", "cost/cost_table", "cost/critical_path", "registry/registry",
                 "registry/static_registry", "registry/times/host_times", "report/graph/explain",
                 "select/optimise", "select/static_plan"}
FIRST_ROOMS = STATIC_ROOMS + ["search", "choice", "select"]
FIRST_EXTRA = {"report/graph/", "report/page/columns"}
# The other umbrellas, each with its rooms. Bridges and calibration have no umbrella.
TIERS = {"capture": STATIC_ROOMS, "select": ["search", "choice", "select"], "map": ["map"],
         "simulate": ["simulate"],
         "toolchain": ["rewrite", "lint", "types", "toolchain", "compile"],
         "partition": ["partition"], "logic": ["logic"],
         "report": ["report"], "run": ["run"]}
# Headers outside of umbrellas: definitions needed once per program, those with threads or files,
# reports on rules, and the bridge from operators to the simulator.
TIER_OPTIONAL = {"compile/program", "report/logic/", "report/toolchain/dump_tracer",
                 "report/toolchain/golden_tracer", "run/blas/", "run/caf/", "run/host_backend",
                 "run/mpi/", "run/network/", "run/rules_backend", "run/static/", "run/transport/",
                 "search/first_exception", "search/threads"}
UMBRELLAS = {f"include/wf/{name}.hpp" for name in ["wf", "static", *TIERS]}

# Standard headers of the compile-time tier: others exceed its include budget.
STATIC_STANDARD = {"cstdint", "cstddef", "type_traits", "concepts", "utility", "compare", "limits",
                   "initializer_list", "source_location", "bit"}

# Third-party header → rooms that may include it.
THIRD_PARTY = [
    (r"(unsupported/)?Eigen/", EXECUTOR_ROOMS),
    (r"boost/hana(/|\.hpp)", EXECUTOR_ROOMS),
    # wf::core and wf::engine do not depend on them: see cmake/targets.cmake.
    (r"boost/mp11(/|\.hpp)", EXECUTOR_ROOMS),
    (r"range/v3/", EXECUTOR_ROOMS),
    (r"(mpi(-ext)?\.h$|boost/mpi|caf/)", ["run"]),
    (r"malloc\.h$", ["run"]),  # what happens to freed memory
    (r"unistd\.h$", ["calibrate"]),  # sizes of caches
    (r"(yaml-cpp/|nlohmann/|oneapi/tbb/|zlib\.h$)", ["adapt"]),
]
# Umbrella headers of range-v3.
WIDE_RANGE_HEADERS = re.compile(
    r"range/v3/(all|core|view|action|algorithm|numeric|utility|functional|iterator|range)\.hpp")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


# --- common functions -----------------------------------------------------------------------------

def cpp_files(tree, *roots):
    for path in sorted(tree):
        if path.endswith((".hpp", ".cpp")) and path.startswith(tuple(r + "/" for r in roots)):
            yield path


def headers(tree):
    """Paths of the headers in rooms."""
    for path in cpp_files(tree, "include"):
        if path not in UMBRELLAS:
            yield path


def room_of(path):
    parts = path.split("/")
    return parts[2] if path.startswith("include/wf/") and len(parts) > 3 else None


def stands_in(name, places):
    """True if the places name a header such as "map/batch/mapper", or one of its folders:
    "map/batch/"."""
    parts = name.split("/")
    return name in places or any("/".join(parts[:n]) + "/" in places for n in range(1, len(parts)))


@functools.lru_cache(maxsize=None)
def includes(text):
    """(line, bracket, header) of every include."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            out.append((number, match[1], match[2]))
    return out


def reachable(tree, start):
    """The wf headers that a header includes, directly or indirectly."""
    seen = []
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path in seen or path not in tree:
            continue
        seen.append(path)
        waiting += ["include/" + h for _, _, h in includes(tree[path]) if h.startswith("wf/")]
    return seen


# --- includes ------------------------------------------------------------------------------------

def include_direction(tree):
    """A room includes only earlier rooms; formula and search include only core."""
    for path in headers(tree):
        room = room_of(path)
        if room not in ROOMS:
            yield f"{path}:1: there is no room '{room}'"
            continue
        allowed = SEES.get(room, set(ROOMS[:ROOMS.index(room)])) | {room}
        for line, bracket, header in includes(tree[path]):
            if bracket == '"':
                yield f"{path}:{line}: wf headers are included as <wf/...>"
            if not header.startswith("wf/"):
                continue
            target = "include/" + header
            if target in UMBRELLAS:
                yield f"{path}:{line}: a room does not include <{header}>"
            elif target not in tree:
                yield f"{path}:{line}: <{header}> does not exist"
            elif room_of(target) not in allowed:
                yield f"{path}:{line}: {room} may not include {room_of(target)}"


def include_cycles(tree):
    """No header includes itself indirectly."""
    for path in cpp_files(tree, "include"):
        for line, _, header in includes(tree[path]):
            if path in reachable(tree, "include/" + header):
                yield f"{path}:{line}: <{header}> leads back to this file"


def third_party(tree):
    """A third-party library is visible only in its rooms; doctest only in tests."""
    for path in cpp_files(tree, "include"):
        room = room_of(path)
        libraries = set()
        for line, _, header in includes(tree[path]):
            if header.startswith("wf/") or re.fullmatch(r"[a-z_0-9]+", header):
                continue
            for pattern, rooms in THIRD_PARTY:
                if re.match(pattern, header):
                    libraries.add(pattern)
                    if room not in rooms:
                        yield f"{path}:{line}: <{header}> may not be included in '{room}'"
                    break
            else:
                yield f"{path}:{line}: <{header}> may not be included anywhere in wf"
            if WIDE_RANGE_HEADERS.fullmatch(header):
                yield f"{path}:{line}: <{header}> is too wide: include the one algorithm"
        if room == "adapt" and len(libraries) > 1:
            yield f"{path}:1: a bridge is to one third-party library"
    for path in cpp_files(tree, "examples", "benchmarks"):
        for line, _, header in includes(tree[path]):
            if header.startswith("doctest"):
                yield f"{path}:{line}: doctest is for tests"


def static_tier(tree):
    """The compile-time tier includes only cheap standard headers."""
    for path in cpp_files(tree, "include"):
        if path != "include/wf/static.hpp" and (room_of(path) not in STATIC_ROOMS or stands_in(
                path[len("include/wf/"):], RUN_TIME_ONLY)):
            continue
        for line, _, header in includes(tree[path]):
            if re.fullmatch(r"[a-z_0-9]+", header) and header not in STATIC_STANDARD:
                yield f"{path}:{line}: <{header}> costs too much for the compile-time tier"


def promise_of(umbrella):
    """The headers that an umbrella must include, as a predicate, and the rooms that it may
    include."""
    if umbrella == "static":
        return (lambda room, name: room in STATIC_PROMISE and not stands_in(name, STATIC_OPTIONAL),
                STATIC_ROOMS)
    if umbrella == "wf":
        return lambda room, name: name in FIRST_PROGRAM, FIRST_ROOMS
    rooms = TIERS[umbrella]
    return (lambda room, name: room in rooms and not stands_in(name, TIER_OPTIONAL),
            ROOMS[:ROOMS.index(rooms[-1]) + 1])


def umbrella(tree):
    """An umbrella contains only includes and is complete except for optional headers. static.hpp
    promises capture and cost, wf.hpp what a first program needs, and each other one its rooms; none
    reaches further rooms, and only run.hpp includes Eigen."""
    for path in sorted(UMBRELLAS & set(tree)):
        for token in tokenize(tree[path]):
            is_include = re.match(r"\s*#\s*(include\s*<wf/|pragma once)", token.text)
            if token.kind != "comment" and not is_include:
                yield f"{path}:{token.line}: a table of contents only includes <wf/...>"
        own = path[len("include/wf/"):-len(".hpp")]
        wanted, allowed = promise_of(own)
        reached = reachable(tree, path)
        for header in headers(tree):
            room = room_of(header)
            name = header[len("include/wf/"):-len(".hpp")]
            extra = own == "wf" and stands_in(name, FIRST_EXTRA)
            if wanted(room, name) and header not in reached:
                yield f"{path}:1: {header} is missing"
            if header in reached and room not in allowed and not extra:
                yield f"{path}:1: {header} does not belong here"
        for header in reached if own != "run" else []:
            for line, _, included in includes(tree[header]):
                if included.startswith(("Eigen/", "unsupported/Eigen", "mpi.h", "caf/")):
                    yield f"{header}:{line}: {path} must not need <{included}>"


def headers_behind(tree, start):
    """The files of this repository that a file includes, itself among them, and the names of other
    headers that they include."""
    own, foreign, waiting = [], set(), [start]
    while waiting:
        path = waiting.pop()
        if path in own:
            continue
        own.append(path)
        beside = posixpath.dirname(path)
        for _, _, header in includes(tree[path]):
            places = [posixpath.normpath(posixpath.join(place, header))
                      for place in (beside, "include", "tests", "benchmarks")]
            found = [place for place in places if place in tree]
            if found:
                waiting.append(found[0])
            else:
                foreign.add(header)
    return own, foreign


NAMESPACE = re.compile(r"^namespace (\w+(?:::\w+)*) \{", re.MULTILINE)
SCOPE = re.compile(r"\b(?:namespace|struct|class|using) (\w+(?:::\w+)*)")
ASSERTIONS = re.compile(r"(TEST_CASE\w*|SUBCASE|CAPTURE|INFO|(CHECK|REQUIRE|WARN)(_\w+)?)$")


def own_includes(tree):
    """A test, and a header of tests or benchmarks, includes what it names of namespace std, of
    doctest and of the namespaces that tests share, itself or through headers of this repository:
    several tests are compiled as one file, where a neighbour's includes would do. tools/alone
    compiles each of them alone."""
    shared = {name for path in cpp_files(tree, "tests", "benchmarks") if path.endswith(".hpp")
              for name in NAMESPACE.findall(tree[path]) if not name.startswith("wf::")} - {"wf"}
    for path in cpp_files(tree, "tests", "benchmarks"):
        if path.startswith(("tests/compile_fail/", "tests/consume/", "tests/assembly/")):
            continue
        own, foreign = headers_behind(tree, path)
        opened = {part for file in own for name in SCOPE.findall(tree[file])
                  for part in name.split("::")}
        told = set()
        tokens = code_tokens(tree[path])
        for at, token in enumerate(tokens):
            after = [t.text for t in tokens[at + 1:at + 3]] + ["", ""]
            before = tokens[at - 1].text if at else ""
            wanted = missing = None
            if token.text == "std" and after[0] == "::":
                wanted = f"std::{after[1]}"
                header = HEADER_OF.get(after[1])
                missing = f"<{header}>" if header and header not in foreign else None
            elif token.text in shared and after[0] == "::" and before not in ("::", "namespace"):
                wanted = token.text
                missing = None if token.text in opened else f"a header of namespace {token.text}"
            elif ASSERTIONS.match(token.text) and after[0] == "(":
                wanted = "doctest"
                missing = None if "doctest/doctest.h" in foreign else "<doctest/doctest.h>"
            if missing and wanted not in told:
                told.add(wanted)
                yield f"{path}:{token.line}: uses {wanted} without {missing}"


# --- files ---------------------------------------------------------------------------------------

def mirrored_tests(tree):
    """Each header has a test file of the same name that includes it and has a test case."""
    for path in headers(tree):
        test = "tests/" + path[len("include/wf/"):-len(".hpp")] + ".cpp"
        header = path[len("include/"):]
        if test not in tree:
            yield f"{path}:1: {test} is missing"
        elif header not in [h for _, _, h in includes(tree[test])]:
            yield f"{test}:1: does not include <{header}>"
        elif not re.search(r"^\s*(TEST|SCENARIO|TYPE_TO)\w*\(", tree[test], re.MULTILINE):
            yield f"{test}:1: has no test case"
    for path in cpp_files(tree, "tests"):
        room = path.split("/")[1]
        header = "include/wf/" + path[len("tests/"):-len(".cpp")] + ".hpp"
        if path.endswith(".cpp") and room in ROOMS and header not in tree:
            yield f"{path}:1: tests no header: {header} does not exist"


def first_lines(tree):
    """A source file begins with its licence, and a header continues with #pragma once."""
    for path, text in sorted(tree.items()):
        lines = text.splitlines() + ["", ""]
        if path.endswith((".hpp", ".cpp")):
            if lines[0] != "// SPDX-License-Identifier: BSL-1.0":
                yield f"{path}:1: the first line is '// SPDX-License-Identifier: BSL-1.0'"
            if path.endswith(".hpp") and lines[1] != "#pragma once":
                yield f"{path}:2: the second line is '#pragma once'"
        elif path.endswith((".py", ".cmake", "CMakeLists.txt")) or lines[0].startswith("#!"):
            if "# SPDX-License-Identifier: BSL-1.0" not in lines[:2]:
                yield f"{path}:1: the first line is '# SPDX-License-Identifier: BSL-1.0'"


def line_width(tree):
    """Lines have at most 100 columns, no tab and no space at the end."""
    for path, text in sorted(tree.items()):
        if path.endswith((".md", ".json", ".svg", ".txt")) and not path.endswith("CMakeLists.txt"):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > 100:
                yield f"{path}:{number}: {len(line)} columns"
            if "\t" in line:
                yield f"{path}:{number}: a tab"
            if line != line.rstrip():
                yield f"{path}:{number}: white space at the end"


# --- declarations --------------------------------------------------------------------------------

def documented(tree):
    """Every public name has a docstring: "///" before it or "///<" after it."""
    for path in headers(tree):
        comments = {}
        for token in tokenize(tree[path]):
            if token.kind == "comment":
                comments[token.line] = token.text
        code_lines = {t.line for t in code_tokens(tree[path])}

        def says_something(line, mark):
            text = comments.get(line, "")
            return text.startswith(mark) and len(text.lstrip("/<").strip()) > 2

        for found in declarations(tree[path]):
            above = found.first - 1
            before = above not in code_lines and says_something(above, "///")
            after = says_something(found.last, "///<") or says_something(found.end, "///<")
            if not before and not after:
                yield f"{path}:{found.first}: {found.kind} '{found.name}' has no docstring"


def docstrings_of(source):
    """Each public declaration of a header with its docstring, joined to one line."""
    marks = {}
    code_lines = {t.line for t in code_tokens(source)}
    for token in tokenize(source):
        if token.kind == "comment":
            own = token.line not in code_lines
            marks[token.line] = (own, token.text[:4].rstrip(), token.text.lstrip("/<").strip())

    def is_part(line, mark, own):
        return line in marks and marks[line][0] == own and marks[line][1].startswith(mark)

    for found in declarations(source):
        text, line = [], found.first - 1
        while is_part(line, "///", True) and not marks[line][1].startswith("///<"):
            text.insert(0, marks[line][2])
            line -= 1
        line = found.last if is_part(found.last, "///<", False) else found.end
        if not text and is_part(line, "///<", False):
            text.append(marks[line][2])
            while is_part(line + 1, "///<", True):
                line += 1
                text.append(marks[line][2])
        yield found, " ".join(text)


# Words that carry no information about what is named.
FILLERS = set("a an the of is it its in to for and or that this with by as be on at".split())
# The beginning of a docstring that states the difference to another one.
LIKE_ANOTHER = re.compile(r"The same\b|As `|Also\b")
ERRORS = re.compile(r"\b[Ee]rrors?\b|\bfails?\b|\brefuse|\bWF\d|"
                    r"`(bad|unknown|missing|invalid)_\w+`")
QUANTITY = re.compile(r"(^|_)(size|capacity|stride|offset|delay|duration|latency|bandwidth|energy|"
                      r"bytes|memory|cycles|nanoseconds|seconds)_?$")
UNIT = re.compile(r"\b(bytes?|bits?|elements?|characters?|entries|nodes?|tasks?|symbols?|pixels?|"
                  r"rows?|columns?|operands?|states?|seconds?|nanoseconds?|ns|cycles?|"
                  r"units?|numbers?|values?|picojoules?|flops|extents?|how many|[KM]iB)\b", re.I)


def informative(tree):
    """A docstring says more than the name, and differs from others in its header; that of a
    function that returns a result or an error states the errors; that of a size, a distance or a
    time states its unit."""
    for path in headers(tree):
        said = {}
        for found, text in docstrings_of(tree[path]):
            where = f"{path}:{found.first}: {found.kind} '{found.name}'"
            if not text:
                continue  # see documented
            words = {word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.lower())}
            named = {word.rstrip("s") for word in re.findall(r"[a-z0-9]+", found.name.lower())}
            if not words - FILLERS - named and not found.name.startswith("operator"):
                yield f"{where}: its docstring says no more than its name"
            if LIKE_ANOTHER.match(text):
                continue
            # A type and a value of it, or a type and the enumerator on its line, may share one.
            name = found.name.rstrip("_")
            other, line = said.setdefault(text.lower(), (name, found.first))
            if other != name and line != found.first:
                yield f"{where}: its docstring is that of '{other}'"
            returns = [word for word in found.returns if word not in ("wf", "::", "const")]
            if found.kind == "function" and returns[:1] in (["result"], ["error"]) and (
                    "&" not in returns and not ERRORS.search(text)):
                yield f"{where}: its docstring names no errors"
            if found.kind == "variable" and QUANTITY.search(name) and not (
                    UNIT.search(text) or re.search(r"(bytes|cycles|seconds)$", name)):
                yield f"{where}: its docstring has no unit"


# Methods that traced values share with Eigen's matrices, so that users' functions accept both.
EIGEN_NAMES = {"cwiseProduct", "cwiseQuotient", "maxCoeff", "squaredNorm", "partialPivLu",
               "householderQr"}


def names(tree):
    """Public names are snake_case and not reserved."""
    for path in headers(tree):
        for found in declarations(tree[path]):
            if found.name.startswith(("operator", "~")):
                continue
            if path == "include/wf/capture/tracer.hpp" and found.name in EIGEN_NAMES:
                continue
            if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*_?", found.name):
                yield f"{path}:{found.first}: '{found.name}' is not snake_case"


VERSION_HEADER = "include/wf/core/version.hpp"
VERSION_MACRO = re.compile(r"\s*#\s*define\s+WF_VERSION(_MAJOR|_MINOR|_PATCH)?\s")


def plain_interface(tree):
    """Headers define no macros but the version's, declare nothing virtual, and have no
    using-directive at namespace scope."""
    for path in cpp_files(tree, "include"):
        code = code_tokens(tree[path])
        for token in tokenize(tree[path]):
            allowed = path == VERSION_HEADER and VERSION_MACRO.match(token.text)
            if token.kind == "directive" and not allowed and re.match(
                    r"\s*#\s*(define|undef)\b", token.text):
                yield f"{path}:{token.line}: a macro"
        depth = 0
        opened = []  # for each open brace: is it that of a namespace?
        for index, token in enumerate(code):
            if token.text == "virtual":
                yield f"{path}:{token.line}: a virtual function"
            if token.text == "{":
                before = [t.text for t in code[max(0, index - 12):index]]
                head = before[max((i for i, t in enumerate(before) if t in (";", "{", "}")),
                                  default=-1) + 1:]
                opened.append("namespace" in head)
                depth += not opened[-1]
            elif token.text == "}" and opened:
                depth -= not opened.pop()
            elif (token.text == "using" and code[index + 1].text == "namespace" and depth == 0):
                yield f"{path}:{token.line}: a using-directive outside of any function"


# The files that feed broken graphs to functions, by "header name".
GRAPH_FEEDERS = ("tests/fuzz/graphs.cpp", "tests/fuzz/graph_runs.cpp")
GRAPH_TYPES = {"graph", "graph_view", "choice_graph"}
# Exceptions that take a graph and need not be fed: they concern one node, which the caller found in
# a validated graph.
UNFED_GRAPHS = {
    "ir/graph/graph.hpp attribute_values": "of a node",
    "ir/graph/graph.hpp value_of": "of an attribute of a node",
    "ir/graph/copy.hpp cost_formulas": "of a node",
    "ir/graph/copy.hpp description_of": "of a node",
    "ir/graph/view.hpp is_opaque": "of a node",
    "ir/graph/validate.hpp validate_names": "a part of validate",
    "cost/symbols.hpp node_symbols": "of a node",
    "rewrite/inline.hpp is_call": "of a node",
    "registry/fit.hpp find_misfit": "of a node",
    "select/static_plan.hpp static_plan": "a graph that was chosen",
    "run/operators/application.hpp application": "of a node that is executed",
    "run/operators/application.hpp elements_of_node": "of a node that is executed",
    "run/operators/application.hpp exact_sums_scratch": "of a node that is executed",
}


def takes_graph(tokens):
    """True if a parameter is a graph, by value or by reference."""
    depth = 0
    words = []
    for token in (*tokens, ","):
        depth += (token in "([{<") - (token in ")]}>")
        if token == "," and depth == 0:
            declared = words[:words.index("=")] if "=" in words else words
            kept = [w for w in declared if w not in ("const", "wf", "::", "&", "&&")]
            if kept and kept[0] in GRAPH_TYPES and len(kept) <= 2:
                return True
            words = []
        else:
            words.append(token)
    return False


def fed_graphs(tree):
    """Every public function that takes a graph is fed 10,000 broken ones in tests/fuzz."""
    fed = {}
    for path in GRAPH_FEEDERS:
        for match in re.finditer(r'\{"(\w+(?:/\w+)+\.hpp) ([^"]+)"', tree.get(path, "")):
            line = tree[path].count("\n", 0, match.start()) + 1
            for name in match[2].split():
                fed[f"{match[1]} {name}"] = f"{path}:{line}"
    declared, taking = set(), {}
    for path in headers(tree):
        header = path[len("include/wf/"):]
        for found in declarations(tree[path]):
            of_class = found.scope.rpartition("::")[2]
            name = of_class if found.name == "operator()" else found.name
            declared.add(f"{header} {name}")
            if found.kind == "function" and takes_graph(found.parameters):
                taking.setdefault(f"{header} {name}", f"{path}:{found.first}")
    for key, where in taking.items():
        if key not in fed and key not in UNFED_GRAPHS:
            yield f"{where}: '{key}' takes a graph and is fed no broken one"
    for key, where in fed.items():
        if key not in declared:
            yield f"{where}: there is no '{key}'"
    for key in UNFED_GRAPHS:
        if GRAPH_FEEDERS[0] in tree and (key not in taking or key in fed):
            yield f"tests/house/rules.py:1: '{key}' takes no graph, or is fed"


# Rooms that know operators only by the facts in their kernels, not by name.
NAMELESS_ROOMS = ["storage", "cost", "order", "contraction", "rewrite", "lint", "types",
                  "toolchain", "cache", "search", "select", "map", "simulate", "compile", "report",
                  "calibrate"]
# The number of operator names, or words that match one, left in a header. It must only shrink:
# facts about an operator belong into its kernel.
OPERATOR_NAMES_LEFT = {
    "contraction/network": 1,  # subjects of errors
    "rewrite/views": 4, "types/relations/rule": 1,  # the attribute `after`
    "rewrite/unroll": 2, "toolchain/checks": 1,  # the attribute `step`, a step of a toolchain
    "report/toolchain/picture": 1, "report/toolchain/step_times": 1,
    "simulate/fault/parse_script": 2}  # words of the schema of scripts
OPERATOR_NAME = re.compile(r'\.name\s*=\s*"(\w+)"')


def operator_names(tree):
    """Outside of the registry, operators are known by their kernels' facts, not by name."""
    names = {match[1] for path in headers(tree) if room_of(path) == "registry"
             for match in OPERATOR_NAME.finditer(tree[path])}
    for path in headers(tree):
        if room_of(path) not in NAMELESS_ROOMS:
            continue
        found = [t for t in code_tokens(tree[path])
                 if t.kind == "string" and t.text.strip('"') in names]
        left = OPERATOR_NAMES_LEFT.get(path[len("include/wf/"):-len(".hpp")], 0)
        if len(found) > left:
            yield (f"{path}:{found[-1].line}: {found[-1].text} is the name of an operator: state "
                   f"in its kernel what is to be known ({len(found)} names, {left} allowed)")
        if len(found) < left:
            yield f"{path}:1: only {len(found)} names are left: say so in OPERATOR_NAMES_LEFT"
    for header in OPERATOR_NAMES_LEFT:
        if names and "include/wf/registry/domain/builtin.hpp" in tree and \
                f"include/wf/{header}.hpp" not in tree:
            yield f"tests/house/rules.py:1: there is no '{header}' in OPERATOR_NAMES_LEFT"


# --- sizes ---------------------------------------------------------------------------------------

MOST_LINES = 500  # of a header
MOST_BODY_LINES = 60  # of a function, from the line of its "{" to that of its "}"
TYPE_WORDS = {"class", "struct", "union", "enum"}
# Longer functions, by header and name, with their present numbers of lines, which must only shrink.
LONG_FUNCTIONS = {
    "cache/fingerprint/members with_members": 78,
}


def opened_by(head):
    """The kind of scope that a brace outside of functions opens, by the tokens since the last ";",
    "{" or "}"."""
    if "namespace" in head or "extern" in head:
        return "scope"
    depth = 0  # of parentheses and of the angle brackets of a template head
    plain = []
    for index, token in enumerate(head):
        depth -= token in ")]"
        if depth == 0:
            plain.append(token)
        depth += token in "(["
    if plain[:1] == ["template"] and "<" in plain:
        level, end = 0, 0
        for end, token in enumerate(plain):
            level += (token == "<") - (token == ">")
            if token == ">" and level == 0:
                break
        plain = plain[end + 1:]
    if "=" in plain and "operator" not in plain:
        return "value"
    if TYPE_WORDS & set(plain) and "(" not in plain[-1:] and ")" not in plain[-2:]:
        return "scope"
    return "function" if "(" in plain or not plain else "value"


def bodies(source):
    """(name, first line, last line) of the body of every function of a header."""
    code = code_tokens(source)
    opened, head = [], []
    name = ""
    inside = 0  # number of open braces inside of a function or an initialiser
    for token in code:
        if token.text == "{":
            kind = "inner" if inside else opened_by(head)
            if kind == "function" and "(" in head:
                name = next((head[i - 1] for i, text in enumerate(head)
                             if text == "(" and i and re.fullmatch(r"[A-Za-z_]\w*", head[i - 1])
                             and head[i - 1] not in ("requires", "noexcept", "decltype")),
                            "operator")
            opened.append((kind, token.line))
            inside += kind != "scope"
            head = head if inside else []
        elif token.text == "}" and opened:
            kind, first = opened.pop()
            inside -= kind != "scope"
            if kind == "function":
                yield name, first, token.line
            head = [] if not inside else head
        elif token.text == ";" and not inside:
            head = []
        elif not inside:
            head.append(token.text)


def sizes(tree):
    """A header has at most 500 lines, and the body of a function at most 60."""
    long = set()
    for path in headers(tree):
        header = path[len("include/wf/"):-len(".hpp")]
        lines = tree[path].count("\n")
        if lines > MOST_LINES:
            yield f"{path}:{MOST_LINES}: {lines} lines of {MOST_LINES}: it has several subjects"
        for name, first, last in bodies(tree[path]):
            key = f"{header} {name}"
            found = last - first + 1
            if found > MOST_BODY_LINES:
                long.add(key)
            if found > LONG_FUNCTIONS.get(key, MOST_BODY_LINES):
                yield f"{path}:{first}: '{name}' has {found} lines"
    for key in LONG_FUNCTIONS:
        if "include/wf/registry/domain/builtin.hpp" in tree and key not in long:
            yield f"tests/house/rules.py:1: '{key}' is short by now: take it off its list"


# --- documents -----------------------------------------------------------------------------------

FENCE = re.compile(r"^( *)```+ *(\w[\w+-]*)?(.*)$")
SNIPPET = re.compile(r'^\s*(?:;*)--8<--\s+"([^":]+)(?::([\w-]+))?"\s*$')


def code_blocks(text):
    """(line, language, lines) of every fenced block of a Markdown text."""
    out = []
    inside = None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if match and inside is None:
            inside = (number, (match[2] or "").lower(), [])
        elif match and inside is not None:
            out.append(inside)
            inside = None
        elif inside is not None:
            inside[2].append(line)
    return out


def stripped_lines(lines):
    return [line.strip() for line in lines if line.strip()]


def contains_run(haystack, needle):
    if not needle:
        return True
    return any(haystack[i:i + len(needle)] == needle for i in range(len(haystack)))


def doc_code(tree):
    """A C++ block of the documents is part of a compiled file, as a snippet or verbatim."""
    compiled = {path: stripped_lines(tree[path].splitlines())
                for path in cpp_files(tree, "examples", "tests", "test_package", "benchmarks",
                                      "include")
                if not path.startswith("tests/house/")}
    for path in sorted(tree):
        if not path.endswith(".md") or not (path == "README.md" or path.startswith("docs/")):
            continue
        for line, language, lines in code_blocks(tree[path]):
            if language not in ("cpp", "c++", "cxx"):
                continue
            rest = []
            for text in lines:
                snippet = SNIPPET.match(text)
                if not snippet:
                    rest.append(text)
                elif snippet[1] not in compiled:
                    yield f"{path}:{line}: {snippet[1]} is no compiled file"
                elif snippet[2] and f"[start:{snippet[2]}]" not in tree[snippet[1]]:
                    yield f"{path}:{line}: {snippet[1]} has no section '{snippet[2]}'"
            wanted = stripped_lines(rest)
            if not any(contains_run(have, wanted) for have in compiled.values()):
                yield f"{path}:{line}: no compiled file has these lines"


def doc_links(tree):
    """Relative links of the documents refer to existing files."""
    for path in sorted(tree):
        if not path.endswith(".md"):
            continue
        text = re.sub(r"```.*?```|`[^`\n]*`", lambda m: "\n" * m[0].count("\n"), tree[path],
                      flags=re.DOTALL)
        for match in re.finditer(r"\]\(([^)\s]+)\)", text):
            target = match[1].split("#")[0]
            line = text.count("\n", 0, match.start()) + 1
            if not target or re.match(r"[a-z]+:", target):
                continue
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if place not in tree and not any(p.startswith(place + "/") for p in tree):
                yield f"{path}:{line}: {match[1]} does not exist"


def error_codes(tree):
    """Each WF code has a section in docs/reference/errors.md and a test; each 1xx code has a test
    that fails to compile."""
    source = tree.get("include/wf/core/diagnosis/result.hpp", "")
    page = tree.get("docs/reference/errors.md")
    tests = "\n".join(tree[path] for path in cpp_files(tree, "tests")
                      if not path.startswith("tests/house/"))
    wrong = "\n".join(tree[path] for path in cpp_files(tree, "tests/compile_fail"))
    for number, line in enumerate(source.splitlines(), 1):
        match = re.match(r"\s*(\w+) = ([1-9]\d\d),", line)
        if not match:
            continue
        where = f"include/wf/core/diagnosis/result.hpp:{number}: WF{match[2]} ({match[1]})"
        if page is None or not re.search(rf"^#+ .*\bWF{match[2]}\b", page, re.MULTILINE):
            yield f"{where} has no section in docs/reference/errors.md"
        if not re.search(rf"\berrc::{match[1]}\b|\bWF{match[2]}\b", tests):
            yield f"{where} has no test"
        if match[2].startswith("1") and not re.search(rf"EXPECT[-\w]*:.*\bWF{match[2]}\b", wrong):
            yield f"{where} has no case in tests/compile_fail"


RULES = {rule.__name__: rule for rule in [
    include_direction, include_cycles, third_party, static_tier, umbrella, own_includes,
    mirrored_tests, first_lines, line_width, documented, informative, names, plain_interface,
    fed_graphs, operator_names, sizes, doc_code, doc_links, error_codes]}
