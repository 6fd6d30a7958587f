# SPDX-License-Identifier: Apache-2.0
# The library: its objects, which unit tests link, too, and what is made of them, shared and static.

# Files about models come from strangers and hold no elements: they are read with checked containers, and small code is better
# there than fast code.
file(GLOB_RECURSE tesela_sources CONFIGURE_DEPENDS src/*.cc)
file(GLOB tesela_model_sources CONFIGURE_DEPENDS src/files/*.cc src/fix/*.cc src/model/*.cc src/tensor_io/*.cc src/graph/*.cc
  src/session/*.cc src/shapes/*.cc src/peers/*.cc src/plan/explain*.cc src/plan/describe.cc src/schema/ops_text.cc src/api/c_api_model.cc)
list(REMOVE_ITEM tesela_sources ${tesela_model_sources})

add_library(tesela_core OBJECT ${tesela_sources})
add_library(tesela_models OBJECT ${tesela_model_sources})
target_compile_definitions(tesela_models PRIVATE _GLIBCXX_ASSERTIONS)
target_compile_options(tesela_models PRIVATE $<$<CONFIG:Release>:-Os>)

# Files that hold no kernels are compiled together: they share what they instantiate of templates, which takes most of their
# time. Files that give one name to different things are in different groups. A file is in the first of its groups.
# tesela_together(GROUP PATTERN...): patterns of files below src/, without the ending
function(tesela_together group)
  list(TRANSFORM ARGN REPLACE "(.+)" "src/\\1.cc")
  file(GLOB together CONFIGURE_DEPENDS ${ARGN})
  foreach(source IN LISTS together)
    get_property(has_group SOURCE ${source} PROPERTY UNITY_GROUP SET)
    if(NOT has_group)
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
set(kernels)
file(GLOB_RECURSE cpu_sources CONFIGURE_DEPENDS src/backend/cpu/*.cc)
foreach(source IN LISTS cpu_sources)
  file(STRINGS ${source} is_kernel REGEX "hwy/foreach_target.h" LIMIT_COUNT 1)
  if(is_kernel)
    list(APPEND kernels ${source})
  endif()
endforeach()
if(TESELA_TOGETHER)
  set_target_properties(tesela_core tesela_models PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_property(SOURCE ${kernels} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(alone types/elements types/float_formats backend/cpu/move/move backend/cpu/resize/joined_planes
      api/c_api_model api/c_api_plan_cache)
    set_property(SOURCE src/${alone}.cc PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  tesela_together(explain plan/explain* plan/describe peers/pytorch)
  tesela_together(fix fix/* peers/importers)
  tesela_together(graph graph/* peers/exporters)
  tesela_together(model model/* files/* peers/onnxruntime)
  tesela_together(peers peers/onnx_reference peers/[cefmn]*)
  tesela_together(session session/* tensor_io/* peers/openvino)
  tesela_together(shapes shapes/* schema/ops_text peers/onnxruntime_providers)

  # Programs without models leave the first group out of an archive.
  tesela_together(api_models api/c_api_model* api/c_api_values api/c_api_explain api/c_api_doctor)
  tesela_together(api api/*)
  tesela_together(backend backend/* backend/reference/*)
  tesela_together(cpu backend/cpu/* backend/cpu/move/* backend/cpu/move/layout/* backend/cpu/move/loops/run_nest)
  tesela_together(plan plan/* types/*)
  tesela_together(resize backend/cpu/resize/[abprsv]* backend/cpu/resize/column_gather backend/cpu/resize/horizontal*
    backend/cpu/resize/joined_rules)
  tesela_together(schema schema/* doctor/* plan/sampling/* plan/emulation/openvino*)
  tesela_together(emulation_pytorch plan/emulation/pytorch*)
  tesela_together(emulation_onnxruntime plan/emulation/onnxruntime*)
  tesela_together(emulation_onnx plan/emulation/*)
endif()

# Headers take most of the time of compiling a file.
set(precompiled <algorithm> <atomic> <charconv> <cmath> <functional> <map> <span> <string> <unordered_map> <vector>
  <fmt/format.h> <model/graph.h> <plan/plan.h> <schema/infer.h> <types/elements.h> <types/text.h>)
target_precompile_headers(tesela_core PRIVATE ${precompiled} <backend/backend.h>)
target_precompile_headers(tesela_models PRIVATE ${precompiled} <types/json.h>)
# fmt optimizes itself by a pragma, after which g++ takes what includes it precompiled for optimized, too. Intrinsics that need a
# constant do not compile then.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set_property(SOURCE ${kernels} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endif()

# What the objects and the programs of this project that link them are compiled with.
add_library(tesela_internals INTERFACE)
target_include_directories(tesela_internals INTERFACE include src ${TESELA_HWY_INCLUDE_DIRS})
target_include_directories(tesela_internals SYSTEM INTERFACE ${TESELA_PROTOZERO_INCLUDE})
# Highway leaves this target out unless asked: Ice Lake and newer, Zen 4 and newer. Its namespace has another name here,
# because a program that links the static library may use a Highway of its own.
target_compile_definitions(tesela_internals INTERFACE HWY_WANT_AVX3_DL hwy=tesela_hwy)
set(tesela_linked pugixml::pugixml TBB::tbb PNG::PNG JPEG::JPEG ZLIB::ZLIB fmt::fmt)
target_link_libraries(tesela_internals INTERFACE tesela_flags ${tesela_linked})

# All of the library's objects, for programs that see what the shared library hides.
add_library(tesela_objects INTERFACE)
target_link_libraries(tesela_objects INTERFACE tesela_internals)
foreach(target tesela_core tesela_models)
  target_link_libraries(${target} PRIVATE tesela_internals)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_sources(tesela_objects INTERFACE $<TARGET_OBJECTS:${target}>)
endforeach()

# What users link: the interface of C, shared (tesela::tesela) or static (tesela::static), and that of C++ (tesela::cpp).
if(TESELA_BUILD_SHARED)
  set(version_script ${PROJECT_SOURCE_DIR}/cmake/tesela.map)
  add_library(tesela SHARED)
  target_link_libraries(tesela PRIVATE tesela_objects)
  target_link_options(tesela PRIVATE "-Wl,--version-script=${version_script}")
  # Before 1.0 a minor version may change the interface.
  set(tesela_soversion ${PROJECT_VERSION_MAJOR})
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(tesela_soversion 0.${PROJECT_VERSION_MINOR})
  endif()
  set_target_properties(tesela PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${tesela_soversion} LINK_DEPENDS ${version_script} LINKER_LANGUAGE CXX)
endif()

# Its users link what it was built with, too; the CMake package and pkg-config's file say what that is.
add_library(tesela_static STATIC $<TARGET_OBJECTS:tesela_core> $<TARGET_OBJECTS:tesela_models>)
add_library(tesela::static ALIAS tesela_static)
target_link_libraries(tesela_static PRIVATE ${tesela_linked})
target_compile_definitions(tesela_static INTERFACE TESELA_STATIC)
set_target_properties(tesela_static PROPERTIES OUTPUT_NAME tesela EXPORT_NAME static LINKER_LANGUAGE CXX)
if(NOT TESELA_BUILD_STATIC)
  set_target_properties(tesela_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

set(tesela_linkable tesela)
if(NOT TESELA_BUILD_SHARED)
  set(tesela_linkable tesela_static)
endif()
add_library(tesela::tesela ALIAS ${tesela_linkable})
add_library(tesela_cpp INTERFACE)
add_library(tesela::cpp ALIAS tesela_cpp)
target_link_libraries(tesela_cpp INTERFACE ${tesela_linkable})
target_compile_features(tesela_cpp INTERFACE cxx_std_20)
set_target_properties(tesela_cpp PROPERTIES EXPORT_NAME cpp)
set(tesela_header_users ${tesela_linkable} tesela_static)
list(REMOVE_DUPLICATES tesela_header_users)
foreach(target IN LISTS tesela_header_users)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
endforeach()
