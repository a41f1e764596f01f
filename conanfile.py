# SPDX-License-Identifier: BSL-1.0
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import load


class Wf(ConanFile):
    name = "wf"
    description = "Workflows captured, priced, optimised and mapped while compiling"
    license = "BSL-1.0"
    topics = ("workflow", "compile-time", "scheduling", "optimisation", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_yaml": [True, False]}  # brings yaml-cpp, for <wf/adapt/yaml.hpp>
    default_options = {"with_yaml": False}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "tools/calibrate"
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/wf/core/version.hpp"))
        numbers = re.search(r"version_number version\{(\d+), (\d+), (\d+)\}", header)
        self.version = ".".join(numbers.groups())

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", transitive_headers=True, options={"header_only": True})
        self.requires("eigen/[>=3.4 <6]", transitive_headers=True)
        self.requires("range-v3/[>=0.12 <1]", transitive_headers=True)
        if self.options.with_yaml:
            self.requires("yaml-cpp/[>=0.7 <1]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)

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
