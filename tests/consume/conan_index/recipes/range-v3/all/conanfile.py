# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class RangeV3(ConanFile):
    """The system's range-v3, which is on the compiler's default search path."""
    name = "range-v3"
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "range-v3")
        self.cpp_info.set_property("cmake_target_name", "range-v3::range-v3")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
