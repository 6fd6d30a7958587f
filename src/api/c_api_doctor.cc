// SPDX-License-Identifier: Apache-2.0
// The C interface: what this copy of the library is and what it found.
#include "api/boundary.h"
#include "doctor/facts.h"

using namespace tesela;
using namespace tesela::api;

extern "C" {

tesela_status tesela_doctor(tesela_text_format format, tesela_blob** text, size_t* problems, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (text == nullptr) return usage_error("tesela_doctor: text is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_doctor", format));
    const Json facts = library_facts();
    *text = make_blob(format == TESELA_TEXT_JSON ? facts.text() + "\n" : facts_text(facts));
    if (problems != nullptr) *problems = facts["problems"].size();
    return {};
  });
}

}  // extern "C"
