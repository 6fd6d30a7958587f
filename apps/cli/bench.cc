// SPDX-License-Identifier: Apache-2.0
// tesela bench: measures the time of a call, given as a case of tests/cases.txt.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <type_traits>

#include "arguments.h"
#include "bench_tensors.h"
#include "case_call.h"
#include "case_words.h"
#include "failure.h"
#include "numbers.h"
#include "report.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct BenchRequest {
  std::vector<std::string> cases;
  std::string file;
  double seconds = 0.5;
  int threads = 0;
  bool reference = false;
  bool list = false;
  bool json = false;
};

using Clock = std::chrono::steady_clock;

struct Times {
  double min_ns;
  double median_ns;
};

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

// Short calls are measured many at a time, because of the clock's resolution.
template <class Call>
Times measure(double seconds, const Call& call) {
  constexpr double kMin = 20e3;
  const auto timed = [&call](int64_t count) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < count; ++i) call();
    return nanoseconds(Clock::now() - start) / static_cast<double>(count);
  };
  double once = timed(1);
  once = seconds > 0 ? std::min(once, timed(1)) : once;
  const auto batch = static_cast<int64_t>(std::clamp(kMin / once, 1.0, 1e5));
  std::vector<double> samples = {once};
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (Clock::now() < end) {
    samples.push_back(timed(batch));
  }
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
  return {*std::min_element(samples.begin(), samples.end()), samples[samples.size() / 2]};
}

struct Result {
  CaseWords words;
  Times run;
  Times planned;  // including planning
  Times cached;   // including a look into a cache of plans
  uint64_t bytes;
};

Result bench_case(const CaseWords& words, const BenchRequest& request) {
  const Op op = make_op(words);
  const Plan plan = make_plan(words, op);
  const std::optional<BenchTensor> input = make_input(words);
  const BenchTensor output = make_output(words, plan);
  const tesela_tensor x = input ? input->view.c() : tesela_tensor{}, y = output.view.c();
  tesela_run_options options{};
  options.struct_size = sizeof options;
  options.threads = request.threads;
  options.backend = request.reference ? TESELA_BACKEND_REFERENCE : TESELA_BACKEND_AUTO;
  const tesela_tensor* given = input ? &x : nullptr;
  const CaseInputs inputs(words, op);
  PlanCache cache;
  const auto run_with = [&](const auto& owner) { call(tesela_plan_run, owner.get(), given, &y, &options); };
  const auto run = [&] { run_with(plan); };
  const auto plan_and_run = [&] {
    run_with(make<Plan::Owner>(tesela_plan_create, op.get(), inputs.size(), inputs.data(), nullptr));
  };
  const auto find_and_run = [&] {
    run_with(make<Plan::Owner>(tesela_plan_cache_get, cache.get(), op.get(), inputs.size(), inputs.data(), nullptr));
  };
  const uint64_t bytes = bytes_of(y) + (input ? bytes_of(x) : 0);
  return {words, measure(request.seconds, run), measure(request.seconds / 4, plan_and_run),
          measure(request.seconds / 4, find_and_run), bytes};
}

std::string time_text(double ns) {
  char text[32];
  const char* unit = ns < 1e4 ? "ns" : ns < 1e7 ? "us" : "ms";
  std::snprintf(text, sizeof text, "%.4g %s", ns < 1e4 ? ns : ns < 1e7 ? ns / 1e3 : ns / 1e6, unit);
  return text;
}

std::string line_of(const CaseWords& words) {
  return (words.name.empty() ? "" : words.name + ": ") + words.text;
}

std::string plain_line(const Result& result) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.4g GB/s", static_cast<double>(result.bytes) / result.run.min_ns);
  return line_of(result.words) + ": min " + time_text(result.run.min_ns) + ", median " +
         time_text(result.run.median_ns) + ", " + rate + ", with planning " + time_text(result.planned.min_ns) +
         ", with a plan from a cache " + time_text(result.cached.min_ns) + "\n";
}

// JSON has no infinities.
template <class T>
Json number_json(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  }
  return value;
}

Json json_of(const CaseWords& words) {
  Json attributes = Json::object();
  for (const CaseAttribute& attribute : words.attributes)
    std::visit([&](const auto& value) { attributes[attribute.name] = number_json(value); }, attribute.value);
  Json roi = Json::array();
  for (const float end : words.roi) roi.push_back(number_json(end));
  return {{"name", words.name},
          {"case", words.text},
          {"words", words.words},
          {"numbers", words.numbers},
          {"domain", words.domain},
          {"operator", words.type},
          {"since_version", words.since_version},
          {"dtype", tesela_dtype_name(words.dtype)},
          {"input", words.source},
          {"output", words.target},
          {"attributes", attributes},
          {"value", number_json(words.value)},
          {"roi", roi},
          {"gap", words.gap},
          {"input_order", words.input_order},
          {"output_order", words.output_order}};
}

Json json_of(const Result& result) {
  Json json = json_of(result.words);
  json["min_ns"] = result.run.min_ns;
  json["median_ns"] = result.run.median_ns;
  json["planned_min_ns"] = result.planned.min_ns;
  json["cached_min_ns"] = result.cached.min_ns;
  json["bytes"] = result.bytes;
  return json;
}

// A case contains spaces or an arrow; other text is the name of a case in the file.
bool is_case(const std::string& text) {
  return text.find(' ') != std::string::npos || text.find("->") != std::string::npos;
}

std::vector<CaseWords> chosen_cases(const BenchRequest& request) {
  std::vector<CaseWords> known, chosen;
  if (!request.file.empty()) known = read_cases(request.file);
  if (request.cases.empty()) return known;
  for (const std::string& word : request.cases) {
    const auto named = std::find_if(known.begin(), known.end(), [&](const CaseWords& c) { return c.name == word; });
    if (is_case(word))
      chosen.push_back(parse_case(word));
    else if (named != known.end())
      chosen.push_back(*named);
    else
      usage("no case is named " + in_quotes(word) + (request.file.empty() ? "; give the words or --file" : ""));
  }
  return chosen;
}

int bench(const BenchRequest& request) {
  const std::vector<CaseWords> cases = chosen_cases(request);
  if (cases.empty()) usage("a case is missing, or --file");
  Json all = Json::array();
  const auto add = [&](const Json& json, const std::string& line) {
    if (request.json)
      all.push_back(json);
    else
      write_standard_output(line);
  };
  for (const CaseWords& words : cases) {
    if (request.list) {
      add(json_of(words), line_of(words) + "\n");
      continue;
    }
    const Result result = bench_case(words, request);
    add(json_of(result), plain_line(result));
  }
  if (request.json) write_standard_output(json_text({{"cases", all}}));
  return 0;
}

constexpr const char* kBenchExamples = R"(GB/s count the input and the output once.

Examples:
  tesela bench 'linear float 1x3x540x960 -> 1x3x1080x1920' --threads 1
  tesela bench 'cubic antialias uint8 1x3x1080x1920 -> 1x3x256x256 cubic_coeff_a=-0.5'
  tesela bench 'tile int64 1024x1024 -> 1024x8192' 'fill float -> 1000000 value=1.5'
  tesela bench --file tests/cases.txt R1.f32 T3.f32
  tesela bench --file tests/cases.txt --list --json
)";

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "bench", "Measure how long calls take");
  verb.footer([] { return case_grammar() + kBenchExamples; });
  BenchRequest& r = set_action<BenchRequest>(verb, chosen, bench);
  add_words(verb, "CASE", r.cases, "A call in words, or with --file the name of one")->type_name("");
  add_text(verb, "--file", "FILE", "Cases, one per line; all are run if none is named",
           [&r](const std::string& text) { r.file = text; });
  add_text(verb, "--seconds", "S", "How long each case is run (default 0.5)", [&r](const std::string& text) {
    r.seconds = static_cast<double>(parse_float("--seconds", text));
    if (!(r.seconds >= 0) || r.seconds > 3600) usage("--seconds: expected a number in [0, 3600]");
  });
  add_text(verb, "--threads", "N", "Threads; 0, the default, uses one for each core that the process may use",
           [&r](const std::string& text) { r.threads = static_cast<int>(parse_integer("--threads", text, 0, 1024)); });
  add_flag(verb, "--reference", r.reference, "Run the reference backend instead of the kernels");
  add_flag(verb, "--list", r.list,
           "Print the cases without measuring them; with --json, their operators and attributes");
  add_flag(verb, "--json", r.json, "Print one JSON document");
}

}  // namespace tesela::cli
