# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class Zlib(ConanFile):
    """The system's zlib, whose headers are on the compiler's default search path."""
    name = "zlib"
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.system_libs = ["z"]
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
