#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Consumes wf in the ways of its users, each time in a fresh directory.

    run.py installed      cmake --install, then find_package(wf) and pkg-config
    run.py calibrated     cmake --install, then wf-calibrate with these options, and its table
    run.py fetch_content  FetchContent from this checkout
    run.py single_header  the generated wf.hpp
    run.py conan          conan create, with a client from PyPI and dependencies from the system
    run.py workflow_tools exported workflows run by GNU make and by Snakemake from PyPI

WF_BINARY_DIR names a configured build tree of wf, CXX the compiler.
"""

import ctypes.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import venv

from workflow_tools import step

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/consume"
VERSION_HEADER = ROOT / "include/wf/core/version.hpp"
CXX = os.environ.get("CXX", "g++")
BINARY_DIR = pathlib.Path(os.environ.get("WF_BINARY_DIR", ROOT / "build/gcc"))
# Package names in CMake.
LIBRARIES = ["Boost", "Eigen3", "range-v3", "yaml-cpp", "ZLIB", "TBB", "MPI", "CAF"]
# The package id of a package that does not depend on the configuration.
INDEPENDENT = "da39a3ee5e6b4b0d3255bfef95601890afd80709"


def run(*command, refused=None, environment=None):
    """Runs a command and returns its output; with `refused`, it must fail with that message."""
    command = [str(part) for part in command]
    print("$", " ".join(command), flush=True)
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})})
    output = done.stdout + done.stderr
    if refused is None and done.returncode != 0:
        sys.exit(f"{output}\nfailed")
    if refused is not None:
        # CMake and Conan may break lines anywhere.
        if done.returncode == 0 or refused not in " ".join(output.split()):
            sys.exit(f"{output}\nmust be refused with: {refused}")
        print(f"  refused, as it must be: {refused}")
    return output


def version():
    return ".".join(re.findall(r"^#define WF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
                               VERSION_HEADER.read_text(encoding="utf-8"), re.MULTILINE))


def refusal():
    """The message with which the headers, CMake and Conan refuse an old compiler."""
    return re.search(r"^#error (wf needs g\+\+.*)$", VERSION_HEADER.read_text(encoding="utf-8"),
                     re.MULTILINE)[1]


def fresh(name):
    place = BINARY_DIR / "consume" / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    return place


def configure(project, build, *definitions, refused=None):
    run("cmake", "-G", "Ninja", "-S", HERE / project, "-B", build, f"-DCMAKE_CXX_COMPILER={CXX}",
        *[f"-D{definition}" for definition in definitions], refused=refused)


def build_and_run(build, *programs):
    run("cmake", "--build", build)
    for program in ["consumer", *programs]:
        print(run(build / program), end="")


def headers_below(place):
    return sorted(path.relative_to(place) for path in place.rglob("*.hpp"))


# All installed files besides the headers.
INSTALLED = {
    "bin/wf-calibrate", "bin/wf-logic", "share/licenses/wf/LICENSE", "share/pkgconfig/wf.pc",
    "share/pkgconfig/wf-engine.pc",
    *(f"share/cmake/wf/wf-{name}.cmake" for name in [
        "config", "config-version", "requirements", "compiled",
        *(f"{component}-targets" for component in ["core", "engine", "run", "yaml", "tensors",
                                                "tbb", "parallel", "mpi", "caf"])]),
    "share/cmake/wf/FindCAF.cmake"}


def check_files(prefix):
    """Checks that exactly the headers known to git and INSTALLED are installed: no header of a new
    room is missing, and there is no stray file."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "--", "include"],
                          capture_output=True, text=True)
    known = set(done.stdout.split()) if done.returncode == 0 and done.stdout else {
        f"include/{path}" for path in headers_below(ROOT / "include")}  # not a git checkout
    found = {path.relative_to(prefix).as_posix() for path in prefix.rglob("*")
             if not path.is_dir()}
    if found != known | INSTALLED:
        sys.exit(f"not installed: {sorted((known | INSTALLED) - found)}; "
                 f"installed, but not known to git: {sorted(found - known - INSTALLED)}")


def install(place):
    run("cmake", "--install", BINARY_DIR, "--prefix", place / "first")
    prefix = place / "moved"  # an installation is relocatable
    (place / "first").rename(prefix)
    return prefix


def installed():
    place = fresh("installed")
    prefix = install(place)
    check_files(prefix)

    found = f"CMAKE_PREFIX_PATH={prefix}"
    major, minor, _ = version().split(".")
    configure("installed", place / "all", found, f"WF_VERSION={major}.{minor}")
    build_and_run(place / "all", "planner")
    configure("installed", place / "next", found, f"WF_VERSION={major}.{int(minor) + 1}",
              refused="compatible with requested version")
    configure("installed", place / "old", found, f"WF_VERSION={major}.{minor}",
              f"CMAKE_PROJECT_INCLUDE={HERE / 'old_compiler.cmake'}", refused=refusal())

    check_components(place, found)
    check_options(place, found)
    check_bare_install(place)
    check_pkg_config(place, prefix)


def without(*libraries):
    return [f"CMAKE_DISABLE_FIND_PACKAGE_{library}=ON" for library in libraries]


def check_components(place, found):
    """Each component requires its own dependencies, in tested versions, and no others."""
    for component in ["core", "engine"]:
        configure("core_only", place / component, found, f"WF_COMPONENTS={component}",
                  *without(*LIBRARIES))
    build_and_run(place / "core")
    for component, library in [("run", "Boost"), ("run", "Eigen3"), ("run", "range-v3"),
                               ("yaml", "yaml-cpp"), ("tensors", "ZLIB"), ("tbb", "TBB"),
                               ("parallel", "TBB"), ("mpi", "MPI"), ("caf", "CAF")]:
        configure("core_only", place / f"no_{library}", found, f"WF_COMPONENTS={component}",
                  *without(library), refused=library)
    if pathlib.Path("/usr/include/zlib.h").exists():
        configure("with_tensors", place / "tensors", found)
        build_and_run(place / "tensors")
    if shutil.which("mpirun"):
        configure("with_mpi", place / "mpi", found)
        build_and_run(place / "mpi")
    if pathlib.Path("/usr/include/caf").exists():
        configure("with_caf", place / "caf", found)
        build_and_run(place / "caf")
    configure("core_only", place / "unknown", found, "WF_COMPONENTS=attic",
              refused="wf has no component 'attic'")

    # A library that is too old or too new: a stub that states its version is sufficient. The
    # system's Eigen must not be found instead.
    hidden = place / "hidden.cmake"
    hidden.write_text("set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)\n"
                      "set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n")
    for library, states, sentence, also in [
            ("Eigen3", "5.0.0", 'version range "3.4...<3.5"', [f"CMAKE_PROJECT_INCLUDE={hidden}"]),
            ("range-v3", "0.11.0", "wf needs range-v3 0.12 or later", [])]:
        other = place / f"other_{library}"
        other.mkdir()
        (other / f"{library}Config.cmake").write_text("")
        (other / f"{library}ConfigVersion.cmake").write_text(
            f"set(PACKAGE_VERSION {states})\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n"
            "if(PACKAGE_FIND_VERSION_MAX AND PACKAGE_VERSION VERSION_GREATER "
            "PACKAGE_FIND_VERSION_MAX)\n  set(PACKAGE_VERSION_COMPATIBLE FALSE)\nendif()\n")
        configure("core_only", place / f"with_other_{library}", found, "WF_COMPONENTS=run",
                  f"{library}_DIR={other}", *also, refused=sentence)


def check_options(place, *definitions):
    """WF_WITH_BLAS and WF_WITH_TBB, each on, and the first one off."""
    has_blas = any(map(ctypes.util.find_library, ["lapack", "openblas"]))
    if not has_blas or not pathlib.Path("/usr/include/oneapi/tbb.h").exists():
        print("the options are left out: there is no LAPACK or no TBB (tools/setup installs both)")
        return
    for blas, says in [("OFF", "without a BLAS"), ("ON", "on a BLAS")]:
        build = place / f"options_{blas}"
        configure("options", build, *definitions, f"WF_WITH_BLAS={blas}", "WF_WITH_TBB=ON")
        run("cmake", "--build", build)
        if says not in run(build / "consumer"):
            sys.exit(f"WF_WITH_BLAS={blas} does not compute {says}")
    for library, option in [("LAPACK", "WF_WITH_BLAS"), ("TBB", "WF_WITH_TBB")]:
        configure("options", place / f"options_no_{library}", *definitions, f"{option}=ON",
                  *without(library), refused=library)


def check_bare_install(place):
    """wf can be installed without any library, and its option at that time is the default for those
    who use the installation."""
    own, prefix = place / "bare", place / "bare_prefix"
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", own, f"-DCMAKE_CXX_COMPILER={CXX}",
        *[f"-DWF_BUILD_{part}=OFF" for part in ["TESTS", "EXAMPLES", "BENCHMARKS"]],
        *[f"-D{definition}" for definition in without(*LIBRARIES)])
    run("cmake", "--install", own, "--prefix", prefix)
    check_files(prefix)
    # Installation with the option needs TBB, so the installed file is edited instead.
    config = prefix / "share/cmake/wf/wf-config.cmake"
    text = config.read_text()
    if text.count("set(WF_WITH_TBB OFF)") != 1:
        sys.exit("the package does not keep the options of its installation")
    config.write_text(text.replace("set(WF_WITH_TBB OFF)", "set(WF_WITH_TBB ON)"))
    configure("core_only", place / "bare_core", f"CMAKE_PREFIX_PATH={prefix}",
              "WF_COMPONENTS=core", *without("TBB"), refused="TBB")
    configure("core_only", place / "bare_without", f"CMAKE_PREFIX_PATH={prefix}", "WF_WITH_TBB=OFF",
              "WF_COMPONENTS=core", *without("TBB"))


def check_pkg_config(place, prefix):
    path = {"PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    for package in ["wf", "wf-engine"]:
        said = run("pkg-config", "--modversion", package, environment=path).strip()
        if said != version():
            sys.exit(f"{package}.pc has version {said}")
    if run("pkg-config", "--print-requires", "wf-engine", environment=path).split():
        sys.exit("wf-engine.pc requires something")
    flags = run("pkg-config", "--cflags", "wf", environment=path).split()
    compile_units(place / "packaged", flags)


def rules(place, prefix):
    """The program of docs/how-to/run-rules.md, by the installed wf-logic."""
    example = ROOT / "examples/rules"
    explained = ["--explain", "Ancestor('Ada','Eve')", "--explain", "Ancestor('Eve','Ada')"]
    for command, options, wanted in [("run", explained, "family.txt"),
                                     ("show", [], "family.show.txt")]:
        said = run(prefix / "bin/wf-logic", command, example / "family.tl", *options,
                   environment={"CXX": CXX, "CXXFLAGS": "-O1",
                                "XDG_CACHE_HOME": str(place / "cache")})
        if not said.startswith((example / wanted).read_text()):
            sys.exit(f"wf-logic says:\n{said}")


def calibrated(*options):
    """A table of times of this machine, by the installed program and headers alone."""
    place = fresh("calibrated")
    prefix = install(place)
    seen = place / "calibrate.d"
    times = place / "times.yaml"
    run(prefix / "bin/wf-calibrate", "--shapes", "8", "--out", times, *options,
        environment={"CXX": CXX, "CPPFLAGS": f"-MD -MF {seen}", "CXXFLAGS": "-O1"})
    if str(ROOT / "include") in seen.read_text() or str(prefix / "include") not in seen.read_text():
        sys.exit("wf-calibrate includes other headers than the installed ones")
    rules(place, prefix)
    if not pathlib.Path("/usr/include/yaml-cpp/yaml.h").exists():
        return
    configure("with_yaml", place / "yaml", f"CMAKE_PREFIX_PATH={prefix}")
    build_and_run(place / "yaml")
    if "--match" in options:
        run(place / "yaml/timed", times, refused="wf-calibrate measures all")
    else:
        print(run(place / "yaml/timed", times), end="")
    text = times.read_text()
    entry = text[text.index("  - name: concat\n"):]
    entry = entry[:entry.find("\n  - name:") + 1] or entry
    times.write_text(text.rstrip("\n") + "\n" + entry)
    run(place / "yaml/timed", times, refused="'concat' has two times")


def compile_units(program, flags):
    """Two translation units that both include everything compile, link and run."""
    units = [HERE / "two_units/main.cpp", HERE / "two_units/other.cpp"]
    run(CXX, "-std=c++20", *flags, *units, "-o", program)
    print(run(program), end="")


def fetch_content():
    place = fresh("fetch_content")
    configure("fetch_content", place / "build", f"WF_SOURCE_DIR={ROOT}")
    build_and_run(place / "build", "planner")
    configure("core_only", place / "core", f"WF_SOURCE_DIR={ROOT}", "WF_COMPONENTS=core",
              *without(*LIBRARIES))
    build_and_run(place / "core")
    check_options(place, f"WF_SOURCE_DIR={ROOT}")
    configure("fetch_content", place / "old", f"WF_SOURCE_DIR={ROOT}",
              f"CMAKE_PROJECT_INCLUDE={HERE / 'old_compiler.cmake'}", refused=refusal())


def single_header():
    place = fresh("single_header")
    # The command as printed in the README, run where `tools` exists.
    (place / "tools").symlink_to(ROOT / "tools")
    printed = re.search(r"`(tools/single_header > wf\.hpp)`",
                        (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    run("sh", "-c", f"cd '{place}' && {printed}")
    (place / "wf").mkdir()
    shutil.move(place / "wf.hpp", place / "wf/wf.hpp")
    if sorted(path.name for path in place.iterdir()) != ["tools", "wf"]:
        sys.exit("the command writes other files, too")
    run("sh", "-c", f"cd '{place}' && tools/single_header --help")
    run(sys.executable, ROOT / "tools/single_header", "wf/none.hpp",
        refused="there is no header wf/none.hpp")
    compile_units(place / "consumer", [f"-I{place}"])

    everything = place / "everything/wf/wf.hpp"
    once = "wf/run/static/definitions.hpp"  # included by one source file of a program
    executors = sorted(f"wf/{path}" for path in headers_below(ROOT / "include/wf")
                       if path.parts[0] == "run" and path.parts[1] not in ("mpi", "caf")
                       and f"wf/{path}" != once)
    run(sys.executable, "-B", ROOT / "tools/single_header", "-o", everything, "wf/wf.hpp",
        *executors)
    compile_units(place / "executor", [f"-I{place / 'everything'}", "-isystem",
                                       "/usr/include/eigen3"])


def from_pypi(name, requirements):
    """The folder of the programs of pinned packages, in a virtual environment that is kept between
    runs."""
    place = ROOT / "build" / name
    stamp = place / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        shutil.rmtree(place, ignore_errors=True)
        venv.create(place, with_pip=True)
        run(place / "bin/python", "-m", "pip", "install", "--quiet", "-r", requirements)
        shutil.copy(requirements, stamp)
    return place / "bin"


def conan_programs():
    """The folder of the pinned Conan client."""
    return from_pypi("conan-client", HERE / "requirements.txt")


def conan():
    client = conan_programs() / "conan"
    place = fresh("conan")
    environment = {"CONAN_HOME": str(place / "home"), "CXX": CXX}

    def call(*arguments, refused=None):
        return run(client, *arguments, refused=refused, environment=environment)

    call("profile", "detect")
    call("remote", "remove", "conancenter")
    call("remote", "add", "system", HERE / "conan_index", "--type=local-recipes-index")
    # A copy of the test package, because Conan builds it in its own folder.
    shutil.copytree(ROOT / "test_package", place / "test_package")
    # As printed in the documents.
    text = (ROOT / "docs/how-to/consume.md").read_text(encoding="utf-8")
    create = re.search(r"^conan (create) \. (.*) -s compiler\.cppstd=20$", text, re.MULTILINE)
    create = [create[1], ROOT, *create[2].split(), "-c",
              "tools.cmake.cmaketoolchain:generator=Ninja"]
    output = call(*create, "--test-folder", place / "test_package", "-s", "compiler.cppstd=20")
    said = f"wf {version()} through Conan: 3/4 of 8 is 6, by a plan that is proven"
    if said not in output:
        sys.exit(f"{output}\nthe test package did not run")
    if f":{INDEPENDENT}" not in call("list", f"wf/{version()}:*", "--format=compact"):
        sys.exit("the package depends on the configuration")
    bridges = [("yaml", "/usr/include/yaml-cpp/yaml.h"), ("tensors", "/usr/include/zlib.h"),
               ("tbb", "/usr/include/oneapi/tbb.h")]
    options = [part for bridge, header in bridges if pathlib.Path(header).exists()
               for part in ("-o", f"wf/*:with_{bridge}=True")]
    call(*create, "--test-folder=", "-s", "compiler.cppstd=20", *options)
    if call("list", f"wf/{version()}:*", "--format=compact").count(f":{INDEPENDENT}") != 1:
        sys.exit("the package depends on its options")
    alone = call("graph", "info", f"--requires=wf/{version()}", "-s", "compiler.cppstd=20",
                 "-o", "wf/*:with_run=False", "--format=json")
    if any(f'"ref": "{library}' in alone for library in ["boost", "eigen", "range-v3"]):
        sys.exit(f"{alone}\nwithout executors wf requires a library")
    if '"ref": "wf/' not in alone:
        sys.exit(f"{alone}\nthere is no wf")
    call(*create, "--test-folder=", "-s", "compiler.cppstd=17",
         refused="Current cppstd (17) is lower than the required C++ standard (20)")
    call(*create, "--test-folder=", "-s", "compiler.cppstd=20", "-s", "compiler=gcc",
         "-s", "compiler.version=11", refused=refusal())


class Exported:
    """A workflow as WfFormat and as rules of a build system, in a folder of its own."""

    def __init__(self, source, place):
        self.place = place
        shutil.copytree(source, place)
        what = json.loads((place / "instance.json").read_text())["workflow"]["specification"]
        self.tasks = {task["id"]: task for task in what["tasks"]}
        self.maker = {file: task["id"] for task in what["tasks"]
                      for file in task.get("outputFiles", [])}
        self.given = [file["id"] for file in what["files"] if file["id"] not in self.maker]
        for file in self.given:
            self.write(file, file)

    def write(self, file, contents):
        (self.place / file).parent.mkdir(parents=True, exist_ok=True)
        (self.place / file).write_text(contents)

    def before(self, task):
        """The tasks that must end before a task begins."""
        files = step.inputs_of(self.tasks[task])
        return {*self.tasks[task]["parents"], *(self.maker[f] for f in files if f in self.maker)}

    def behind(self, file):
        """The tasks that depend on a file."""
        found = {task for task in self.tasks if file in step.inputs_of(self.tasks[task])}
        while more := {t for t in self.tasks if t not in found and self.before(t) & found}:
            found |= more
        return found

    def contents(self, file):
        """What the workflow writes to a file, computed without any build system."""
        if file not in self.maker:
            return (self.place / file).read_text()
        task = self.maker[file]
        inputs = [self.contents(f) for f in step.inputs_of(self.tasks[task])]
        return step.contents(task, file, inputs)

    def check(self, command, expected):
        """Runs a build system: it must run just the expected tasks, each once and in order."""
        log = self.place / "log"
        log.write_text("")
        run(*command, environment={"WF_STEP": str(HERE / "workflow_tools/step.py")})
        events = [tuple(line.split()) for line in log.read_text().splitlines()]
        if sorted(events) != sorted((w, t) for t in expected for w in ["begin", "end"]):
            sys.exit(f"{self.place}: ran {events}, not {sorted(expected)}")
        for task in expected:
            for earlier in self.before(task) & set(expected):
                if events.index(("end", earlier)) > events.index(("begin", task)):
                    sys.exit(f"{self.place}: {task} began before {earlier} had ended")
        for file in self.maker:
            if (self.place / file).read_text() != self.contents(file):
                sys.exit(f"{self.place}: {file} has other contents")


def workflow_tools():
    place = fresh("workflow_tools")
    run(CXX, "-std=c++20", f"-I{ROOT / 'include'}", f"-I{ROOT / 'tests'}",
        HERE / "workflow_tools/export.cpp", "-o", place / "export")
    run(place / "export", place / "exported")
    tools = from_pypi("snakemake", HERE / "workflow_tools/requirements.txt")
    names = sorted(path.name for path in (place / "exported").iterdir())
    for tool, name in [*(("make", name) for name in names),
                       *(("snakemake", name) for name in names[:4])]:
        workflow = Exported(place / "exported" / name, place / tool / name)
        command = (["make", "-C", workflow.place, "-j4"] if tool == "make" else
                   [tools / "snakemake", "--directory", workflow.place, "--snakefile",
                    workflow.place / "Snakefile", "--cores", "4", "--quiet", "all"])
        workflow.check(command, workflow.tasks)
        workflow.check(command, [])
        for file in workflow.given[:1]:
            time.sleep(0.1)  # clocks of file systems are coarse
            workflow.write(file, "changed")
            workflow.check(command, workflow.behind(file))


if __name__ == "__main__":
    ways = {way.__name__: way for way in [installed, calibrated, fetch_content, single_header,
                                             conan, workflow_tools]}
    if len(sys.argv) < 2 or sys.argv[1] not in ways:
        sys.exit(__doc__)
    ways[sys.argv[1]](*sys.argv[2:])
