# `make` alone says what there is.

BELFRY := .build/release/belfry
RUN    := $(BELFRY) demo

SWIFT_BUILD := swift build --explicit-target-dependency-import-check error
SOURCES     := Sources Tests Package.swift

# What shares memory between threads is tested under the thread sanitizer too: the loops and what stands right on
# them.
TSAN_FILTER ?= EventLoopTests|TLSTests|HTTP2Tests|HTTPServerTests|PostgresTests|APNSTests
TSAN        := --sanitize=thread --scratch-path .build-tsan

# What goes wrong in `make chaos`, and what is done about pushes of which nobody knows whether they arrived.
SEED   ?= 1
POLICY ?= resend

# Devices of the benchmark's campaign: 1M, 10M, or a number.
SIZE ?= 1M

# Tests at a time: many of them have a database or a peer of their own, and two cores to share.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6

# Those that measure time, or that keep the whole machine busy, have it for themselves.
ALONE := PaceTests|ChaosCommandTests

.DEFAULT_GOAL := help
.PHONY: help run test bench chaos lint format build clean

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build Belfry and start its demo: own database, simulated Apple, 20,000 virtual phones
	@Scripts/bootstrap run
	@$(SWIFT_BUILD) -c release --product belfry
	@$(RUN)

test: ## Lint, build, test, build for release, test under the thread sanitizer, check against others (VERBOSE=1: show all)
	@Scripts/bootstrap test
	@Scripts/step --begin
	@Scripts/step lint         swift format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/step dependencies Scripts/check-dependencies
	@Scripts/step python-tools Scripts/python-tools
	@Scripts/step build        $(SWIFT_BUILD) --build-tests
	@Scripts/step tests        env $(WIDTH) swift test --skip-build --disable-xctest --skip '$(ALONE)'
	@Scripts/step tests-alone  swift test --skip-build --disable-xctest --no-parallel --filter '$(ALONE)'
	@Scripts/step release      $(SWIFT_BUILD) -c release --product belfry
	@Scripts/step tsan-build   env SWIFT_BACKTRACE=enable=no $(SWIFT_BUILD) --build-tests $(TSAN) -Xswiftc -use-ld=lld
	@Scripts/step tsan-tests   env $(WIDTH) SWIFT_BACKTRACE=enable=no swift test --skip-build --disable-xctest $(TSAN) --filter '$(TSAN_FILTER)'
	@for check in Scripts/checks/*; do Scripts/step "$${check##*/}" "$$check" || exit; done
	@Scripts/step --end

bench: ## Measure this machine, print a table, write .build/bench.json
	@Scripts/bootstrap test
	@$(SWIFT_BUILD) -c release --product belfry
	@$(BELFRY) bench --json .build/bench.json --size $(subst M,000000,$(SIZE))

chaos: ## Kill it yourself: a campaign under kill -9, lost databases and a bad Apple, and its proof (SEED=7 POLICY=resend|leave)
	@Scripts/bootstrap run
	@$(SWIFT_BUILD) -c release --product belfry
	@$(BELFRY) chaos --seed $(SEED) --policy $(POLICY)

lint: ## Check the format of the sources
	@swift format lint --strict --parallel --recursive $(SOURCES)

format: ## Put the sources into that format
	@swift format --in-place --parallel --recursive $(SOURCES)

build: ## Build for release: .build/release/belfry
	@Scripts/bootstrap run
	@$(SWIFT_BUILD) -c release --product belfry

clean: ## Remove what was built (not var/, where the database is)
	@rm -rf .build .build-*
