// SPDX-License-Identifier: Apache-2.0
// The functions that the page calls. There is one call of Resize at a time: begin, set, plan, then explain and run.
// Functions that can fail return a tesela_status; the message of the last failure is page_text().
#pragma once

#include <cstddef>
#include <cstdint>

#define PAGE_EXPORT(name) __attribute__((export_name(#name)))

extern "C" {

PAGE_EXPORT(page_allocate) void* page_allocate(size_t bytes);
PAGE_EXPORT(page_release) void page_release(void* memory);

/// The last text: an error message, a JSON text, a name.
PAGE_EXPORT(page_text) const char* page_text();

PAGE_EXPORT(page_version) const char* page_version();
/// Makes the operators as JSON, as `tesela ops --json` prints them, the text.
PAGE_EXPORT(page_ops) int32_t page_ops();
/// A value that an attribute or plan field of Resize may have; null after the last one.
PAGE_EXPORT(page_allowed) const char* page_allowed(const char* name, size_t index);

/// Begins a call of the newest Resize.
PAGE_EXPORT(page_begin) int32_t page_begin();
PAGE_EXPORT(page_set_text) int32_t page_set_text(const char* name, const char* value);
PAGE_EXPORT(page_set_integer) int32_t page_set_integer(const char* name, int32_t value);
PAGE_EXPORT(page_set_number) int32_t page_set_number(const char* name, double value);
PAGE_EXPORT(page_set_axes) int32_t page_set_axes(const int32_t* axes, size_t count);
/// roi, scales (float) and sizes of `page_plan`; what is not given is omitted.
PAGE_EXPORT(page_give) int32_t page_give(const char* name, const double* numbers, size_t count);
PAGE_EXPORT(page_plan) int32_t page_plan(const char* dtype, int32_t rank, const int32_t* extents);

/// Of the plan.
PAGE_EXPORT(page_output_extent) int32_t page_output_extent(int32_t axis);
PAGE_EXPORT(page_output_dtype) const char* page_output_dtype();
/// Makes the explanation of some outputs of an axis as JSON the text.
PAGE_EXPORT(page_explain) int32_t page_explain(int32_t axis, int32_t first, int32_t count);
/// Dense tensors.
PAGE_EXPORT(page_run) int32_t page_run(const void* x, void* y);

/// The digest of a group of 100 cases of tests/digests.
PAGE_EXPORT(page_digest) uint64_t page_digest(int32_t group);

}  // extern "C"
