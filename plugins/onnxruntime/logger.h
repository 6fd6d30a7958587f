// SPDX-License-Identifier: Apache-2.0
// Reports through ONNX Runtime's logger.
#pragma once

#include <string>

#include "options.h"
#include "runtime.h"

namespace tesela::ort {

class Logger {
 public:
  Logger(const Runtime& runtime, const OrtLogger* logger, Log level)
      : runtime_(runtime), logger_(logger), level_(level) {}

  bool reports_at(Log level) const { return level_ >= level; }
  /// Logs a warning, which ONNX Runtime shows by default.
  void report(const std::string& message) const {
    OrtStatus* const status =
        runtime_.api.Logger_LogMessage(logger_, ORT_LOGGING_LEVEL_WARNING, message.c_str(), "tesela", 0, kProviderName);
    if (status != nullptr) runtime_.api.ReleaseStatus(status);
  }

 private:
  Runtime runtime_;
  const OrtLogger* logger_;
  Log level_;
};

}  // namespace tesela::ort
