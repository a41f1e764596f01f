# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class OneTbb(ConanFile):
    """The system's TBB, whose headers are on the compiler's default search path."""
    name = "onetbb"
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "TBB")
        self.cpp_info.set_property("cmake_target_name", "TBB::tbb")
        self.cpp_info.includedirs = []
        self.cpp_info.system_libs = ["tbb"]
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
