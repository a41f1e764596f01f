#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Consumes wf the way its users do, each time in a fresh directory.

    run.py installed      cmake --install, then find_package(wf) and pkg-config
    run.py calibrated     cmake --install, then wf-calibrate with these options, and its table
    run.py fetch_content  FetchContent from this checkout
    run.py single_header  the generated wf.hpp
    run.py conan          conan create, with a client from PyPI and dependencies from the system

WF_BINARY_DIR names a configured build tree of wf, CXX the compiler.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/consume"
CXX = os.environ.get("CXX", "g++")
BINARY_DIR = pathlib.Path(os.environ.get("WF_BINARY_DIR", ROOT / "build/gcc"))
# The package id of a package that is the same for every configuration.
INDEPENDENT = "da39a3ee5e6b4b0d3255bfef95601890afd80709"


def run(*command, refused=None, environment=None):
    """Runs a command and returns its output; with `refused`, it must fail and say so."""
    command = [str(part) for part in command]
    print("$", " ".join(command), flush=True)
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})})
    output = done.stdout + done.stderr
    if refused is None and done.returncode != 0:
        sys.exit(f"{output}\nfailed")
    if refused is not None:
        # CMake and Conan break lines where they like.
        if done.returncode == 0 or refused not in " ".join(output.split()):
            sys.exit(f"{output}\nmust be refused with: {refused}")
        print(f"  refused, as it must be: {refused}")
    return output


def version():
    header = (ROOT / "include/wf/core/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(r"version_number version\{(\d+), (\d+), (\d+)\}", header).groups())


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


def install(place):
    run("cmake", "--install", BINARY_DIR, "--prefix", place / "first")
    prefix = place / "moved"  # an installation may be moved
    (place / "first").rename(prefix)
    return prefix


def installed():
    place = fresh("installed")
    prefix = install(place)
    missing = set(headers_below(ROOT / "include")) ^ set(headers_below(prefix / "include"))
    if missing:
        sys.exit(f"not installed as they are: {sorted(map(str, missing))}")

    found = f"CMAKE_PREFIX_PATH={prefix}"
    major, minor, _ = version().split(".")
    configure("installed", place / "all", found, f"WF_VERSION={major}.{minor}")
    build_and_run(place / "all", "planner")
    configure("installed", place / "next", found, f"WF_VERSION={major}.{int(minor) + 1}",
              refused="compatible with requested version")

    without = ["CMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON", "CMAKE_DISABLE_FIND_PACKAGE_range-v3=ON"]
    configure("core_only", place / "core", found, "WF_COMPONENTS=core", *without)
    build_and_run(place / "core")
    configure("core_only", place / "run", found, "WF_COMPONENTS=run", *without,
              refused="range-v3")
    configure("core_only", place / "no_yaml", found, "WF_COMPONENTS=yaml",
              "CMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON", refused="yaml-cpp")
    configure("core_only", place / "unknown", found, "WF_COMPONENTS=attic",
              refused="wf has no component 'attic'")

    package_path = {"PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    flags = run("pkg-config", "--cflags", "wf", environment=package_path).split()
    if run("pkg-config", "--modversion", "wf", environment=package_path).strip() != version():
        sys.exit("wf.pc has another version")
    compile_units(place / "packaged", flags)


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
    if not pathlib.Path("/usr/include/yaml-cpp/yaml.h").exists():
        return
    configure("with_yaml", place / "yaml", f"CMAKE_PREFIX_PATH={prefix}")
    build_and_run(place / "yaml")
    if "--match" in options:
        run(place / "yaml/timed", times, refused="wf-calibrate measures all")
    else:
        print(run(place / "yaml/timed", times), end="")
    times.write_text(times.read_text().replace("- name: concat\n", "- name: concat3\n"))
    run(place / "yaml/timed", times, refused="'concat3' has two times")


def compile_units(program, flags):
    """Two translation units that both include everything link and run."""
    units = [HERE / "two_units/main.cpp", HERE / "two_units/other.cpp"]
    run(CXX, "-std=c++20", *flags, *units, "-o", program)
    print(run(program), end="")


def fetch_content():
    place = fresh("fetch_content")
    configure("fetch_content", place / "build", f"WF_SOURCE_DIR={ROOT}")
    build_and_run(place / "build", "planner")


def single_header():
    place = fresh("single_header")
    # The command of the README, as it is printed there, where `tools` is.
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
    once = "wf/run/static/definitions.hpp"  # by one source file of a program
    executors = sorted(f"wf/{path}" for path in headers_below(ROOT / "include/wf")
                       if path.parts[0] == "run" and f"wf/{path}" != once)
    run(sys.executable, "-B", ROOT / "tools/single_header", "-o", everything, "wf/wf.hpp",
        *executors)
    compile_units(place / "executor", [f"-I{place / 'everything'}", "-isystem",
                                       "/usr/include/eigen3"])


def conan_client():
    """The pinned client in a virtual environment that is kept between runs."""
    requirements = HERE / "requirements.txt"
    place = ROOT / "build/conan-client"
    stamp = place / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        shutil.rmtree(place, ignore_errors=True)
        venv.create(place, with_pip=True)
        run(place / "bin/python", "-m", "pip", "install", "--quiet", "-r", requirements)
        shutil.copy(requirements, stamp)
    return place / "bin/conan"


def conan():
    client = conan_client()
    place = fresh("conan")
    environment = {"CONAN_HOME": str(place / "home"), "CXX": CXX}

    def call(*arguments, refused=None):
        return run(client, *arguments, refused=refused, environment=environment)

    call("profile", "detect")
    call("remote", "remove", "conancenter")
    call("remote", "add", "system", HERE / "conan_index", "--type=local-recipes-index")
    # A copy of the test package, because it is built where it lies.
    shutil.copytree(ROOT / "test_package", place / "test_package")
    create = ["create", ROOT, "--build=missing", "--test-folder", place / "test_package",
              "-c", "tools.cmake.cmaketoolchain:generator=Ninja"]
    output = call(*create, "-s", "compiler.cppstd=20")
    if f"wf {version()} through Conan" not in output:
        sys.exit(f"{output}\nthe test package did not run")
    if f":{INDEPENDENT}" not in call("list", f"wf/{version()}:*", "--format=compact"):
        sys.exit("the package depends on the configuration")
    if pathlib.Path("/usr/include/yaml-cpp/yaml.h").exists():
        call(*create, "-s", "compiler.cppstd=20", "-o", "wf/*:with_yaml=True")
        if call("list", f"wf/{version()}:*", "--format=compact").count(f":{INDEPENDENT}") != 1:
            sys.exit("the package depends on its options")
    call(*create, "-s", "compiler.cppstd=17",
         refused="Current cppstd (17) is lower than the required C++ standard (20)")


if __name__ == "__main__":
    ways = {way.__name__: way for way in [installed, calibrated, fetch_content, single_header,
                                             conan]}
    if len(sys.argv) < 2 or sys.argv[1] not in ways:
        sys.exit(__doc__)
    ways[sys.argv[1]](*sys.argv[2:])
