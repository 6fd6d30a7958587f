# SPDX-License-Identifier: Apache-2.0
# Sets TESELA_ONNXRUNTIME_HEADERS for the Python package, unless it is set (OFF: no plugin): to the headers that a source
# distribution or an earlier build has, or that the script can get. Without them the package has no plugin, and says so when it is
# asked for it.
if(DEFINED TESELA_ONNXRUNTIME_HEADERS)
  return()
endif()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tesela_folder)
set(kept ${tesela_folder}/build/onnxruntime-headers)
if(EXISTS ${kept}/onnxruntime_c_api.h)
  set(TESELA_ONNXRUNTIME_HEADERS ${kept})
  return()
endif()

set(fetched ${CMAKE_BINARY_DIR}/onnxruntime-headers)
execute_process(COMMAND ${tesela_folder}/scripts/setup_onnxruntime_headers.sh ${fetched}
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0)
  set(TESELA_ONNXRUNTIME_HEADERS ${fetched})
else()
  message(WARNING "The package is built without the plugin for ONNX Runtime, whose headers could not be fetched:\n${said}")
endif()
