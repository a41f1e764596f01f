# SPDX-License-Identifier: BSL-1.0
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import load
from conan.tools.scm import Version


class Wf(ConanFile):
    name = "wf"
    description = "Workflows captured, priced, optimised and mapped while compiling"
    license = "BSL-1.0"
    topics = ("workflow", "compile-time", "scheduling", "optimisation", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    # Adds the dependencies of the components run, yaml, tensors, tbb and parallel. The package is
    # otherwise the same: its components core and engine have no dependencies.
    options = {f"with_{part}": [True, False] for part in ("run", "yaml", "tensors", "tbb")}
    default_options = {"with_run": True, "with_yaml": False, "with_tensors": False,
                       "with_tbb": False}
    exports = "cmake/wf-requirements.cmake"
    exports_sources = ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "tools/calibrate",
                       "tools/logic")
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/wf/core/version.hpp"))
        numbers = re.findall(r"^#define WF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M)
        self.version = ".".join(numbers)

    def layout(self):
        cmake_layout(self)

    def required(self, name):
        """The value of a name in cmake/wf-requirements.cmake."""
        file = load(self, os.path.join(self.recipe_folder, "cmake/wf-requirements.cmake"))
        return re.search(rf"^set\(wf_{name} (\S+)\)$", file, re.M)[1]

    def versions(self, name):
        """The range of versions of a dependency: up to the next major one, unless it has an end."""
        oldest, _, end = self.required(f"{name}_versions").partition("...<")
        return f"[>={oldest} <{end or int(oldest.split('.')[0]) + 1}]"

    def requirements(self):
        if self.options.with_run:
            self.requires(f"boost/{self.versions('boost')}", transitive_headers=True,
                          options={"header_only": True})
            self.requires(f"eigen/{self.versions('eigen')}", transitive_headers=True)
            self.requires(f"range-v3/{self.versions('range_v3')}",
                          transitive_headers=True)
        if self.options.with_yaml:
            self.requires(f"yaml-cpp/{self.versions('yaml_cpp')}",
                          transitive_headers=True, transitive_libs=True)
        if self.options.with_tensors:
            self.requires(f"zlib/{self.versions('zlib')}",
                          transitive_headers=True, transitive_libs=True)
        if self.options.with_tbb:
            self.requires(f"onetbb/{self.versions('tbb')}",
                          transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)
        gcc, clang = self.required("oldest_gcc"), self.required("oldest_clang")
        compiler, version = str(self.settings.compiler), Version(self.settings.compiler.version)
        if compiler == "msvc" or (compiler == "gcc" and version < gcc) or (
                compiler == "clang" and version < clang):
            raise ConanInvalidConfiguration(
                f"wf needs g++ {gcc}, clang {clang} or a later version of either: "
                f"this is {compiler} {version}")

    def package_id(self):
        self.info.clear()

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"WF_BUILD_{part}"] = False
        toolchain.generate()

    def package(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.install()

    def package_info(self):
        # wf ships its own CMake package.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/wf"]
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
