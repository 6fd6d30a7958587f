// SPDX-License-Identifier: Apache-2.0
// The program: verbs, exit statuses, and one line for each error.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>

#include "arguments.h"
#include "failure.h"
#include "interrupts.h"
#include "numbers.h"
#include "streams.h"
#include "unknown_words.h"

namespace tesela::cli {
namespace {

constexpr const char* kExitStatuses = R"(Exit status:
  0    done
  1    a comparison found a mismatch; for lint, errors; for doctor, problems
  2    usage: options and their values
  3    a bad model, file, attribute, type, shape or path; for check, faults
  4    an operator, opset or type that is not supported
  5    over a limit, or out of memory
  6    input or output failed
  70   an internal error of Tesela: please report it
  130  interrupted

Results go to the standard output, messages to the standard error. A file is written completely or not at all.
'tesela VERB --help' explains a verb and shows examples.
)";

// The message on one line of limited length, with any characters from arguments.
std::string one_line(std::string message) {
  constexpr size_t kMax = 300;
  std::replace(message.begin(), message.end(), '\n', ' ');
  message = printable(message).str();
  if (message.size() > kMax) message = std::string(beginning_of(message, kMax - 3)) + "...";
  return message;
}

int report_failure(tesela_status code, std::string_view message) noexcept {
  wait_if_interrupted();
  try {
    write_standard_error("tesela: " + one_line(std::string(message)) + "\n");
  } catch (const std::exception&) {
    write_standard_error("tesela: out of memory\n");
  }
  return tesela_status_exit_code(code);
}

void build(CLI::App& program, Action& chosen) {
  program.name("tesela");
  program.require_subcommand(0, 1);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  program.get_formatter()->label("REQUIRED", "");
  program.set_help_flag("-h,--help", "Print this help");
  program.set_version_flag("--version", std::string("tesela ") + tesela_version(), "Print the version");
  program.footer(kExitStatuses);
  for (const auto add : {add_run, add_inspect, add_check, add_lint, add_fix, add_test, add_resize, add_tile, add_fill,
                         add_ops, add_bench, add_explain, add_doctor})
    add(program, chosen);
  for (CLI::App* verb : program.get_subcommands({})) verb->group("Verbs");
  add_python_verbs(program, chosen);
  add_document(program, chosen);
}

// Help and the version are not errors; other exceptions of CLI11 are wrong command lines.
int finish_parse(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() != 0) {
    // A misspelt word can cause the error about a missing one, so it is reported first.
    const std::string unknown = unknown_word_text(program);
    return report_failure(TESELA_ERROR_USAGE, unknown.empty() ? std::string(error.what()) + "; see --help" : unknown);
  }
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // missing memory must not cut the text
  program.exit(error, out, out);
  write_standard_output(out.str());
  return 0;
}

int run_program(int count, const char* const* words) {
  CLI::App program("Resize, Upsample, Tile and ConstantOfShape of ONNX, exactly: on models, tensors and images.");
  Action chosen;
  build(program, chosen);
  std::vector<std::string> reversed = canonical_words(count, words);
  std::reverse(reversed.begin(), reversed.end());
  try {
    program.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return finish_parse(program, error);
  }
  if (!chosen) usage("a verb is missing; see --help");
  return chosen();
}

}  // namespace

int run_guarded(int count, const char* const* words) {
  try {
    open_closed_streams();
    catch_interrupts();
    return run_program(count, words);
  } catch (const Error& error) {
    return report_failure(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return report_failure(TESELA_ERROR_NO_MEMORY, "out of memory");
  } catch (const std::exception& fault) {
    return report_failure(TESELA_ERROR_INTERNAL, fault.what());
  }
}

std::atomic<bool> memory_ran_out = false;

[[noreturn]] void note_missing_memory() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

// Whether missing memory ends the program: of an exception that left a noexcept function of the standard library, such
// as the constructor of directory_iterator, there is no current exception.
bool is_missing_memory(const std::exception_ptr& fault) {
  if (!fault) return memory_ran_out;
  try {
    std::rethrow_exception(fault);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// Destructors of CLI11 and nlohmann's JSON allocate, and so do CLI11's static initialisers, where nothing can catch.
[[noreturn]] void end_on_terminate() {
  if (is_missing_memory(std::current_exception())) {
    const int exit_status = report_failure(TESELA_ERROR_NO_MEMORY, "out of memory");
    // The library removes the files that it has not finished.
    std::quick_exit(exit_status);
  }
  std::abort();
}

// Before static initialisers without a priority.
[[gnu::constructor(101)]] void catch_early_failures() {
  std::set_terminate(end_on_terminate);
  std::set_new_handler(note_missing_memory);
}

}  // namespace tesela::cli

int main(int argc, char** argv) {
  const int exit_status = tesela::cli::run_guarded(argc, argv);
  tesela::cli::hold_interrupts();
  return exit_status;
}
