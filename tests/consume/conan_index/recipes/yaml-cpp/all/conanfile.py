# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class YamlCpp(ConanFile):
    """The system's yaml-cpp, whose headers are on the compiler's default search path."""
    name = "yaml-cpp"
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.system_libs = ["yaml-cpp"]
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
