// SPDX-License-Identifier: Apache-2.0
// Which function binds a plan to which backend.
#include "backend/program.h"

#include <iterator>

namespace tesela {
namespace {

constexpr ProgramPtr (*kBind[])(const Plan&) = {
#define TESELA_BACKEND(folder) folder::bind,
#include "backend/backends.def"
#undef TESELA_BACKEND
};

}  // namespace

bool is_backend(int number) {
  return number >= 0 && number < static_cast<int>(std::size(kBind));
}

ProgramPtr bind(const Plan& plan, Backend backend) {
  return kBind[static_cast<size_t>(backend)](plan);
}

}  // namespace tesela
