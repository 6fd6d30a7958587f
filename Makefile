# SPDX-License-Identifier: Apache-2.0
# Commands for developers. Each installs what is missing; a second run only does what changed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

export CTEST_PARALLEL_LEVEL ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

# $(call built,PRESET,CMAKE_ARGUMENTS): configures and builds one of CMakePresets.json.
built = cmake --preset $(1) $(2) > /dev/null && cmake --build --preset $(1) --

# The release build with its tests, the ONNX Runtime plugin, whose headers Debian 12 does not have, and the OpenVINO extension,
# whose headers are in its Python package.
ONNXRUNTIME_HEADERS := $(CURDIR)/build/onnxruntime-headers
WITH_TESTS = -DTESELA_BUILD_TESTS=ON -DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS) \
  -DTESELA_OPENVINO=ON -DOpenVINO_DIR="$$(echo $(CURDIR)/.venv/lib/python3*/site-packages/openvino/cmake)"

# Several processes; the tests of a file stay in one, because they share fixtures.
PYTEST = .venv/bin/python -m pytest -q --timeout 900 -n $(CTEST_PARALLEL_LEVEL) --dist loadfile $(wildcard tests/conformance tests/accuracy tests/proofs tests/python tests/sweeps) examples
SHEET := build/contact_sheet.png
# Long targets set ONCE. For commands that run no test of ctest or pytest:
ONCE_NO_TESTS = $(if $(ONCE),$(ONCE) --no-tests)

.PHONY: help build demo test page docs screenshots format lint soak reliability exported conformance fuzz sweeps bench bench-random clean matrix deb reproducible test-arm wheels wheel-arm

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

build: ## Build the library and the command line, optimized, in build/
	@scripts/setup_packages.sh build
	@$(call built,release)

demo: ## Make a contact sheet of a photograph with an ONNX model of all three operators
	@scripts/setup_packages.sh build
	@$(call built,release) tesela_cli
	build/tesela run examples/contact_sheet.onnx -i photo=examples/grace_hopper.jpg -o sheet=$(SHEET)
	@echo "Look at $(SHEET)"

test: ## Build and run every test once, the C++ tests again under sanitizers, and some digests of results on aarch64
	@scripts/setup_packages.sh build test arm
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@scripts/setup_models.sh
	@$(call built,release,$(WITH_TESTS))
	@scripts/setup_python_package.sh
	@$(call built,asan) tesela_tests tesela_sweep tesela_fuzz_replay
	@scripts/setup_aarch64.sh build/aarch64-packages
	@$(call built,arm) tesela_digests
	ctest --preset asan
	ctest --preset release
	scripts/run_arm.sh build-arm/tests/digests/tesela_digests --check tests/digests/manifest.txt --first 0 --count 240
	$(PYTEST)

page: ## Build the interactive page, build/page/index.html, and test it in node and Chromium
	@scripts/setup_packages.sh build page
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_python.sh requirements-docs.txt .venv-docs
	@$(call built,release) tesela tesela_cli
	@scripts/setup_python_package.sh
	scripts/build_page.sh
	$(ONCE) .venv/bin/python -m pytest -q --timeout 900 tests/page

docs: page ## Build the site in build/site, run its examples and check its links
	@scripts/setup_packages.sh build test
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_python.sh requirements-docs.txt .venv-docs
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@$(call built,release,-DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS)) tesela tesela_cli tesela_onnxruntime
	@scripts/setup_python_package.sh
	.venv/bin/python -m pytest -q --timeout 900 $(patsubst %,tests/python/test_%.py,site pages package_docs cli_documents)
	.venv/bin/python docs/site/reference.py build/reference
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet
	.venv-docs/bin/python docs/site/check.py build/site

screenshots: docs ## Photograph every page of the site on a wide and a narrow window, in build/screenshots
	@scripts/setup_packages.sh docs
	.venv-docs/bin/python docs/site/screenshots.py build/site build/screenshots

format: ## Format every C++ and C file
	@scripts/setup_packages.sh lint
	@scripts/format.sh

lint: ## Check the format and run clang-tidy, ruff and mypy
	@scripts/setup_packages.sh build test lint
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_python.sh requirements-lint.txt .venv-lint
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@cmake --preset clang -B build-tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON $(WITH_TESTS) > /dev/null
	scripts/format.sh --check
	.venv-lint/bin/ruff check --quiet .
	.venv/bin/python -m mypy --no-error-summary --ignore-missing-imports python/tesela
	scripts/tidy.sh build-tidy

test-arm: ## Cross-build for aarch64; run the C++ tests and compare the digests of results under qemu-user
	@scripts/setup_packages.sh build test arm
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_aarch64.sh build/aarch64-packages
	@$(call built,arm) tesela tesela_cli tesela_tests tesela_digests
	$(ONCE) scripts/test_arm.sh
	$(ONCE_NO_TESTS) .venv/bin/python tests/digests/matrix.py build-digests aarch64

wheels: ## Build the source distribution and wheels of the Python package into dist/, and check them
	@scripts/setup_packages.sh build
	@scripts/setup_python.sh requirements-wheels.txt .venv-wheels
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@$(call built,release,-DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS)) tesela tesela_cli tesela_onnxruntime
	scripts/build_wheels.sh

wheel-arm: ## Cross-build wheels for aarch64 into dist/, and use them under qemu-user
	@scripts/setup_packages.sh build arm
	@scripts/setup_python.sh requirements-wheels.txt .venv-wheels
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@scripts/setup_aarch64.sh build/aarch64-packages
	@$(call built,arm,-DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS)) tesela tesela_cli tesela_onnxruntime
	scripts/build_wheel_aarch64.sh
	tests/wheels/aarch64.sh

# Two versions without plugin providers, the oldest with them, the first with all current opsets, and the first with float8e8m0.
OTHER_ONNXRUNTIMES = 1.19.2 1.22.1 1.23.2 1.24.4 1.27.0

# The number of cases of random tests; with sanitizers, which take ten and forty times as long, fewer.
soak: export TESELA_CASES ?= 20000
soak: export ONCE ?= scripts/once.sh
soak: ## Run everything with two compilers and each sanitizer, long random sweeps, and large peers
	@scripts/setup_packages.sh build test soak bench
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@scripts/setup_models.sh
	@$(call built,release,$(WITH_TESTS) -DTESELA_BUILD_BENCH=ON)
	@scripts/setup_python_package.sh
	@$(call built,clang)
	@$(call built,asan,-DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS))
	@$(call built,tsan)
	$(ONCE) ctest --preset clang --timeout 3600
	$(ONCE) env TESELA_CASES=2000 ctest --preset asan --timeout 3600
	$(ONCE) env TESELA_CASES=1000 ctest --preset tsan --timeout 3600
	$(ONCE) ctest --preset release --timeout 3600
	$(ONCE_NO_TESTS) build/bench/tesela_kernels_bench --benchmark_min_time=0.001 > /dev/null
	$(ONCE) env TESELA_CASES=2000 scripts/test_python_asan.sh
	$(ONCE) env TESELA_CASES=300 scripts/test_onnxruntime_asan.sh
	$(ONCE) $(PYTEST)
	$(ONCE_NO_TESTS) .venv/bin/python tests/reliability/streams.py build/streams
	$(ONCE_NO_TESTS) .venv/bin/python tests/python/identify_draws.py 1000
	$(ONCE) .venv/bin/python tests/python/test_explain.py 1 20000
	$(ONCE_NO_TESTS) .venv/bin/python tests/python/fix_models.py 1000
	$(ONCE_NO_TESTS) .venv/bin/python tests/python/petabyte.py 1000
	$(ONCE) .venv/bin/python -W ignore tests/conformance/emulations.py onnxruntime --cases 100000
	$(ONCE) .venv/bin/python -W ignore tests/conformance/emulations.py onnx_reference --cases 100000
	$(ONCE) .venv/bin/python -W ignore tests/conformance/emulations.py openvino --cases 100000
	$(MAKE) matrix deb reproducible page
	$(MAKE) reliability
	@scripts/setup_python.sh requirements-soak.txt .venv-soak
	@scripts/setup_python_package.sh .venv-soak
	$(ONCE) .venv-soak/bin/python -m pytest -q --timeout 900 tests/live --ignore tests/live/exporters --ignore tests/live/scale
	.venv/bin/python tests/conformance/conformance_table.py --check
	@scripts/setup_python.sh requirements-scale.txt .venv-scale
	@scripts/setup_python_package.sh .venv-scale
	$(ONCE) .venv-scale/bin/python -m pytest -q --timeout 900 tests/live/scale
	$(ONCE) .venv/bin/python -W ignore tests/conformance/emulations.py pytorch --cases 100000
	$(MAKE) exported
	$(ONCE) .venv/bin/python -m pytest -q --timeout 3600 tests/live/exporters
	$(ONCE) .venv/bin/python bench/onnxruntime_models.py
	$(ONCE) env TESELA_CASES=300 scripts/test_onnxruntime_versions.sh $(OTHER_ONNXRUNTIMES)
	$(MAKE) wheels
	$(ONCE_NO_TESTS) tests/wheels/bare.sh
	$(MAKE) wheel-arm

matrix: ## Build with each compiler and in each way that packages choose, and print a table
	@scripts/setup_packages.sh build test soak
	$(ONCE_NO_TESTS) scripts/build_matrix.sh

deb: ## Build the Debian packages, check, install, use and remove them (as root)
	@scripts/setup_packages.sh build test deb
	$(ONCE_NO_TESTS) scripts/test_deb.sh

reproducible: ## Build twice, in other folders, times and languages, and compare the bytes
	@scripts/setup_packages.sh build
	$(ONCE_NO_TESTS) scripts/test_reproducible.sh

FIGURES := build/reliability

# Tests that do a slice in make test, and all here.
MEASURED = hardening cli_system_calls cli_no_memory

reliability: export ONCE ?= scripts/once.sh
reliability: export TESELA_FIGURES := $(CURDIR)/$(FIGURES)
reliability: ## Measure the goals of docs/reliability.md and write their figures into it
	rm -rf $(FIGURES)
	$(MAKE) fuzz
	$(MAKE) sweeps
	@scripts/setup_packages.sh build test
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@$(call built,release,$(WITH_TESTS))
	@scripts/setup_python_package.sh
	$(ONCE) .venv/bin/python -m pytest -q --timeout 3600 $(MEASURED:%=tests/python/test_%.py)
	$(ONCE_NO_TESTS) .venv/bin/python tests/reliability/interrupts.py
	@$(call built,tsan) tesela_tests
	$(ONCE) env TESELA_STRESS_SECONDS=60 build/tests/tesela_tests --gtest_brief=1 --gtest_filter='Stress.*'
	$(ONCE) env TESELA_STRESS_SECONDS=60 TSAN_OPTIONS=halt_on_error=1 build-tsan/tests/tesela_tests --gtest_brief=1 --gtest_filter='Stress.*'
	$(ONCE) .venv/bin/python -m pytest -q --timeout 900 tests/conformance/test_bad_input.py tests/conformance/test_bad_input_routes.py
	$(ONCE_NO_TESTS) .venv/bin/python tests/proofs/prove.py --changes
	@scripts/setup_cbmc.sh build/cbmc
	$(ONCE_NO_TESTS) .venv/bin/python tests/proofs/overflow.py build/cbmc
	$(ONCE_NO_TESTS) .venv/bin/python tests/proofs/nearest_double.py 1000000
	$(ONCE_NO_TESTS) .venv/bin/python tests/accuracy/nearest.py
	$(ONCE_NO_TESTS) .venv/bin/python tests/accuracy/nearest_scales.py
	$(ONCE_NO_TESTS) .venv/bin/python tests/accuracy/linear_bytes.py
	$(ONCE_NO_TESTS) .venv/bin/python tests/accuracy/moves.py
	$(ONCE_NO_TESTS) .venv/bin/python tests/accuracy/rounding.py
	@cmake --preset release -B build-separate $(WITH_TESTS) -DTESELA_SEPARATE=ON > /dev/null && cmake --build build-separate -- tesela_tests
	$(ONCE) .venv/bin/python tests/mutation/mutate.py --seed 1 --count 40
	@scripts/setup_packages.sh soak
	@$(call built,coverage)
	$(ONCE) .venv/bin/python tests/reliability/coverage.py build-coverage
	$(ONCE_NO_TESTS) .venv/bin/python tests/digests/matrix.py build-digests ways compilers highways
	$(MAKE) test-arm
	.venv/bin/python tests/reliability/write_figures.py $(FIGURES)

# Less than five minutes for each runtime on two processors.
conformance: ## Ask ONNX Runtime, OpenVINO, onnx's evaluator and PyTorch for every case and write the table of docs/conformance.md
	@scripts/setup_packages.sh build
	@scripts/setup_python.sh requirements-test.txt
	@$(call built,release) tesela tesela_cli
	@scripts/setup_python_package.sh
	@scripts/setup_python.sh requirements-soak.txt .venv-soak
	.venv/bin/python tests/conformance/conformance_table.py

# Exports models into build/exporters; existing files are kept.
exported:
	@scripts/setup_python.sh requirements-exporters.txt .venv-exporters
	@scripts/setup_python.sh requirements-exporters-tensorflow.txt .venv-exporters-tensorflow
	.venv-exporters/bin/python tests/live/exporters/torchvision_models.py
	.venv-exporters/bin/python tests/live/exporters/families.py
	.venv-exporters-tensorflow/bin/python tests/live/exporters/keras_models.py

# FUZZ_RUNS by libFuzzer for each target, and FUZZ_RANDOM random calls of operators. COUNT=1 adds them to executions.json.
FUZZ_RUNS ?= 200000
FUZZ_RANDOM ?= 1000000

fuzz: ## Fuzz readers, writers, plans, runs, sessions and calls, FUZZ_RUNS=200000 of each
	@scripts/setup_packages.sh build test soak
	@scripts/setup_python.sh requirements-test.txt
	@$(call built,release,-DTESELA_BUILD_TESTS=ON) tesela_cli tesela_fuzz_replay
	@$(call built,fuzz-fast)
	@$(call built,fuzz)
	.venv/bin/python tests/fuzz/make_seeds.py build-fuzz/seeds
	$(ONCE_NO_TESTS) .venv/bin/python tests/fuzz/run.py --runs $(FUZZ_RUNS) --random $(FUZZ_RANDOM) $(if $(COUNT),--count)
	$(ONCE_NO_TESTS) tests/fuzz/oss-fuzz/check.sh build-oss-fuzz

# Sanitizers take ten times as long, so they see one file in SWEEP_EVERY.
SWEEP_EVERY ?= 4

sweeps: ## Read damaged files of every format, each prefix, flipped bit and replaced byte, and costly ones
	@scripts/setup_packages.sh build test
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@$(call built,release,$(WITH_TESTS)) tesela_sweep tesela_cost
	@$(call built,asan) tesela_sweep
	$(ONCE_NO_TESTS) .venv/bin/python tests/sweeps/sweeps.py build/tests/tesela_sweep
	$(ONCE_NO_TESTS) .venv/bin/python tests/sweeps/sweeps.py build-asan/tests/tesela_sweep --sanitized --every $(SWEEP_EVERY)
	$(ONCE_NO_TESTS) .venv/bin/python tests/sweeps/costs.py build/tests/tesela_cost

TINY := tiny.resize tiny.tile tiny.fill C1.u8 C1.f32 C1e4.u8 C1e4.f32

# COUNT random workloads drawn from SEED.
SEED ?= 1
RANDOM_BENCH = .venv-bench/bin/python bench/peers.py --random $(SEED) --count $(or $(COUNT),1000) --rounds 3 --block 0.004

bench-random: ## Compare speed on random workloads, SEED=1 COUNT=1000, one line each, and print a summary
	@scripts/setup_packages.sh build bench
	@scripts/setup_python.sh requirements-bench.txt .venv-bench
	@$(call built,release,-DTESELA_BUILD_BENCH=ON)
	$(RANDOM_BENCH) --threads 1 --json build/bench/random.json
	@.venv-bench/bin/python bench/report_random.py

bench: ## Compare speed with other libraries and the machine's limits; writes docs/benchmarks.md
	@scripts/setup_packages.sh build bench
	@scripts/setup_python.sh requirements-bench.txt .venv-bench
	@scripts/setup_python.sh requirements-test.txt
	@scripts/setup_onnxruntime_headers.sh $(ONNXRUNTIME_HEADERS)
	@$(call built,release,-DTESELA_BUILD_BENCH=ON -DTESELA_ONNXRUNTIME_HEADERS=$(ONNXRUNTIME_HEADERS))
	@scripts/setup_python_package.sh .venv-bench
	@scripts/setup_python_package.sh
	@scripts/setup_models.sh
	@$(MAKE) exported
	.venv-bench/bin/python bench/peers.py --json build/bench/peers.json
	$(RANDOM_BENCH) --json build/bench/random.json
	.venv-bench/bin/python bench/presets.py --json build/bench/presets.json
	.venv-bench/bin/python bench/sweep.py --json build/bench/sweep.json --svg docs/benchmarks-sweep.svg
	.venv-bench/bin/python bench/footprint.py --json build/bench/footprint.json
	build/bench/tesela_kernels_bench --benchmark_min_time=0.05 --benchmark_out=build/bench/kernels.json > /dev/null
	build/tesela bench --json --threads 1 --file tests/cases.txt $(TINY) > build/bench/tiny.json
	.venv/bin/python bench/onnxruntime_models.py --json build/bench/models.json > /dev/null
	.venv/bin/python bench/onnxruntime_models.py --exported --json build/bench/exported.json > /dev/null
	.venv-bench/bin/python bench/report.py

clean: ## Remove build folders
	rm -rf build build-*
