// The passes of a box before they run: how its rows lie, which tables serve them, and what each keeps.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/line_pass.h"
#include "backend/cpu/program.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/stage.h"

namespace tesela::cpu {

template <class C>
class BoxPasses {
 protected:
  BoxPasses(const Plan& plan, const Program& program, const BoxRun& run, std::span<std::byte> scratch);

  const Plan& plan_;
  const Layout& layout_;
  const ProgramTables<C>& tables_;
  const BoxRun& run_;
  Scratch scratch_;
  RowKernels kernels_;
  int64_t in_numbers_ = 0;    // of a row of the input box
  int64_t in_row_bytes_ = 0;
  int64_t out_numbers_ = 0;   // of the output box
  Extents in_strides_, out_strides_;
  SmallVector<Stage<C>, 3> stages_;
  LinePass<C> line_;
  PickedRows picked_;
  bool is_line_last_ = false;
  bool is_joined_ = false;    // the rows that the line takes, and those before, lie side by side
  bool fetches_ahead_ = false;
  bool fetches_sweeps_ = false;  // all rows of the next sweep, not only those of its first output
  bool reads_in_place_ = false;  // lines may take rows of the source as they lie there
  const std::byte* in_end_ = nullptr;  // of the memory that holds the box of the input, where it has no gaps

 private:
  void set_up_picks(size_t axis);
  void add_stage(const Pass& pass, size_t p);
  void make_own_line(const Pass& pass, size_t p, IndexRange range, int64_t channels);
  void set_up_rows(size_t s);
  bool lines_lie_side_by_side(size_t s) const;
  bool next_line_joins(size_t s) const;

  std::vector<std::unique_ptr<PassTable<C>>> own_tables_;
  Picks own_picks_;
  const Picks* picks_ = nullptr;
};

}  // namespace tesela::cpu
