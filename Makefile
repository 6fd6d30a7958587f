# The few commands that a person types. Each installs what it lacks; a second time it only does what changed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

export CTEST_PARALLEL_LEVEL ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

# $(call built,PRESET,CMAKE_ARGUMENTS): configures and builds one of CMakePresets.json.
built = cmake --preset $(1) $(2) > /dev/null && cmake --build --preset $(1) --

PYTEST = .venv/bin/python -m pytest -q $(wildcard tests/conformance tests/python) examples
SHEET := build/contact_sheet.png

.PHONY: help build demo test soak clean

help: ## Say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

build: ## The library and the command line, optimized, in build/
	@scripts/setup_packages.sh build
	@$(call built,release)

demo: ## A contact sheet of a photograph, by an ONNX model of all three operators
	@scripts/setup_packages.sh build
	@$(call built,release) tesela_cli
	build/tesela run examples/contact_sheet.onnx -i photo=examples/grace_hopper.jpg -o sheet=$(SHEET)
	@echo "Look at $(SHEET)"

test: ## Build, run every test once, and the C++ tests again under sanitizers
	@scripts/setup_packages.sh build test
	@scripts/setup_python.sh requirements-test.txt
	@$(call built,release,-DTESELA_BUILD_TESTS=ON)
	@$(call built,asan)
	ctest --preset asan
	ctest --preset release
	$(PYTEST)

clean: ## Remove what was built
	rm -rf build build-*
