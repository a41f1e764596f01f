# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class Boost(ConanFile):
    """The system's Boost headers, which are on the compiler's default search path."""
    name = "boost"
    package_type = "header-library"
    options = {"header_only": [True]}
    default_options = {"header_only": True}

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Boost")
        self.cpp_info.set_property("cmake_target_name", "Boost::headers")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
