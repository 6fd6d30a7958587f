// SPDX-License-Identifier: Apache-2.0
// The C interface: cures of a model's nodes.
#include <memory>

#include "api/boundary.h"
#include "api/model_parts.h"
#include "fix/fix.h"

using namespace tesela;
using namespace tesela::api;

extern "C" {

tesela_status tesela_model_fix(const tesela_model* model, const tesela_fix_options* options, tesela_text_format format,
                               tesela_blob** text, tesela_blob** bytes, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr) return usage_error("tesela_model_fix: model is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_model_fix", format));
    tesela_fix_options given = {};
    TESELA_RETURN_IF_ERROR(read_struct(options, "options", given));
    const FixOptions fix_options = {given.meant == nullptr ? "" : given.meant, given.opset};
    TESELA_ASSIGN_OR_RETURN(Fixed fixed, fix_model(model_of(*model), limits_of(*model), fix_options));
    // Everything that can fail for want of memory is made before the file is written.
    std::unique_ptr<tesela_blob> report;
    if (text != nullptr)
      report.reset(make_blob(format == TESELA_TEXT_JSON ? fix_json(fixed.report) : fix_plain(fixed.report)));
    std::unique_ptr<tesela_blob> file;
    if (bytes != nullptr) file.reset(make_blob(fixed.bytes));
    if (given.path != nullptr) TESELA_RETURN_IF_ERROR(write_fixed(model_of(*model), fixed, given.path));
    if (bytes != nullptr) *bytes = file.release();
    if (text != nullptr) *text = report.release();
    return {};
  });
}

}  // extern "C"
