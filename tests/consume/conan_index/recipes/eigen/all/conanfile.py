# SPDX-License-Identifier: BSL-1.0
from conan import ConanFile


class Eigen(ConanFile):
    """The system's Eigen."""
    name = "eigen"
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Eigen3")
        self.cpp_info.set_property("cmake_target_name", "Eigen3::Eigen")
        self.cpp_info.includedirs = ["/usr/include/eigen3"]
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
