# SPDX-License-Identifier: Apache-2.0
"""The recipe for Conan 2."""

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get
from conan.tools.gnu import PkgConfigDeps


class TeselaRecipe(ConanFile):
    name = "tesela"
    version = "0.1.0"
    description = "The tensor operators Resize, Upsample, Tile and ConstantOfShape, exactly as ONNX defines them"
    license = "Apache-2.0"
    url = homepage = "https://tesela.example"
    topics = ("onnx", "tensor", "resize", "tile")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def requirements(self):
        for reference in ("fmt/[>=9.1]", "highway/[>=1.0.3]", "libjpeg-turbo/[>=2.1.5]", "libpng/[>=1.6.39 <2]", "onetbb/[>=2021.8]",
                          "protozero/[>=1.7.1 <2]", "pugixml/[>=1.13 <2]", "zlib/[>=1.2.13 <2]"):
            self.requires(reference)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")
        self.tool_requires("pkgconf/[>=2]")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Tesela is tested on Linux only")
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TESELA_BUILD_CLI"] = False
        toolchain.cache_variables["TESELA_BUILD_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["TESELA_BUILD_STATIC"] = not self.options.shared
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for file in ("LICENSE", "NOTICE"):
            copy(self, file, self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "tesela")
        self.cpp_info.set_property("cmake_target_name", "tesela::tesela")
        self.cpp_info.set_property("cmake_target_aliases", ["tesela::cpp"])
        self.cpp_info.set_property("pkg_config_name", "tesela")
        self.cpp_info.libs = ["tesela"]
        if not self.options.shared:
            self.cpp_info.defines = ["TESELA_STATIC"]
            self.cpp_info.system_libs = ["stdc++", "m", "pthread"]
