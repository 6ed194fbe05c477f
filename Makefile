# `make` alone lists the targets.

BELFRY := .build/release/belfry
LAB    := $(BELFRY)-lab
RUN    := $(BELFRY) demo

SWIFT_BUILD := swift build --explicit-target-dependency-import-check error
RELEASE     := $(SWIFT_BUILD) -c release
# With Swift's libraries inside, as a package needs it.
STATIC      := .build-static/release/belfry
SOURCES     := Sources Tests Package.swift Kit/Package.swift Kit/Sources Kit/Tests Docs/SampleApp

# The event loops and the modules directly on them share memory between threads: they are tested under the thread
# sanitizer.
TSAN_TESTS := EventLoopTests|TLSTests|HTTP2Tests|HTTPServerTests|PostgresTests|APNSTests
TSAN       := --sanitize=thread --scratch-path .build-tsan
# Package.swift then declares these test targets only, so that nothing else is compiled with the sanitizer.
TSAN_BUILD := env BELFRY_TSAN=1 SWIFT_BACKTRACE=enable=no

# Tests that need neither a database nor a server: an answer soon after an edit.
UNIT := EventLoopTests|CryptoTests|JSONTests|NotificationsTests|ExperimentsTests|CampaignsTests|AdministrationTests|HTTPServerTests

# The seed of the faults that `make chaos` injects, and the policy for pushes whose result is unknown.
SEED   ?= 1
POLICY ?= resend
# 1: PostgreSQL has a standby, which takes over in the middle of the campaign.
FAILOVER ?=
# 1: a made-up next version replaces this one in the middle of the campaign.
UPGRADE ?=

# Devices of the benchmark's campaign: 1M, 10M, or a number.
SIZE ?= 1M

# How long `make fuzz` searches with each target, and which target: all of Tests/FuzzTests/Seeds without one.
SECONDS ?= 60
TARGET  ?=

# Tests that run at the same time: many wait for a database or a peer of their own.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
FOUR  := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4
TWO   := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2
# The sanitizer's locks make more of them slower: 53 s with 3, 124 s with 8.
TSAN_WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3

# Tests that measure pushes in a second.
TIMED := RateLimitTests
# Tests that compare a time, or a number within a time, and that work while they do; and `belfry-lab chaos`.
QUIET := FairnessTests|BackpressureTests|LeaseWriteTests|SilentConnectionTests|ChaosCommandTests|quickCountEndsInTime
QUIET := $(QUIET)|planningTakesNoLongerWithoutStatistics|callUnderAKeyIsOneRunHoweverOftenItComes
QUIET := $(QUIET)|optedOutDevicesAreSuppressedAndOtherKindsAreNotTargeted

.DEFAULT_GOAL := help
.PHONY: help run check test full looks dev fuzz bench chaos schema lint format build deb checkdeb clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build Belfry and start its demo: own database, simulated Apple, 20,000 virtual phones
	@Scripts/bootstrap run
	@$(RELEASE) --product belfry
	@$(RUN)

check: ## Lint, debug build, and the tests that need no database: an answer within two minutes after an edit
	@Scripts/bootstrap test
	@Scripts/step --begin
	@Scripts/step lint       swift format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/step javascript Scripts/checks/javascript
	@Scripts/step links      Scripts/checks/links
	@Scripts/step build      $(SWIFT_BUILD) --build-tests
	@Scripts/step unit       env $(WIDTH) swift test --skip-build --disable-xctest --filter '$(UNIT)'
	@Scripts/step --end

test: ## Lint, build, test, and check against programs that are not ours (VERBOSE=1: show all)
	@Scripts/bootstrap test
	@Scripts/step --begin
	@Scripts/step lint         swift format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/step dependencies Scripts/check-dependencies
	@Scripts/step python-tools Scripts/python-tools
	@Scripts/step build        $(SWIFT_BUILD) --build-tests
	@Scripts/step tests        env $(WIDTH) swift test --skip-build --disable-xctest --skip '$(TIMED)|$(QUIET)'
	@Scripts/step timed-tests  env $(FOUR) swift test --skip-build --disable-xctest --filter '$(TIMED)'
	@Scripts/step quiet-tests  env $(TWO) swift test --skip-build --disable-xctest --filter '$(QUIET)'
	@Scripts/step kit          env $(WIDTH) BELFRY_EXECUTABLE=$(CURDIR)/.build/debug/belfry swift test --package-path Kit --disable-xctest
	@for check in Scripts/checks/*; do Scripts/step "$${check##*/}" "$$check" || exit; done
	@Scripts/step --end

full: ## What `make test` leaves out: tests under the thread sanitizer, and the kit as a package
	@Scripts/bootstrap test
	@Scripts/step --begin
	@Scripts/step tsan-build  $(TSAN_BUILD) $(SWIFT_BUILD) --build-tests $(TSAN) -Xswiftc -use-ld=lld
	@Scripts/step tsan-tests  $(TSAN_BUILD) $(TSAN_WIDTH) swift test --skip-build --disable-xctest $(TSAN) --filter '$(TSAN_TESTS)'
	@Scripts/step kit-package Scripts/check-kit
	@Scripts/step --end

looks: ## Look at every page in all languages, themes and widths (make test: in a quarter of them); pictures in .build/screens
	@Scripts/bootstrap test
	@$(RELEASE) --product belfry
	@Scripts/checks/pages $(BELFRY) walk

dev: ## Build, and run the tests of one target: make dev T=Store
	@$(SWIFT_BUILD) --build-tests
	@env $(WIDTH) swift test --skip-build --disable-xctest --filter '^$(T)Tests\.'

fuzz: ## Search for inputs that break the parsers, a minute for each (SECONDS=600 TARGET=json); what is found stays
	@Scripts/bootstrap test
	@Scripts/fuzz run $(SECONDS) $(TARGET)

bench: ## Measure this machine, print a table, write .build/bench.json
	@Scripts/bootstrap test
	@$(RELEASE) --product belfry
	@$(RELEASE) --product belfry-lab
	@$(LAB) bench --json .build/bench.json --size $(subst M,000000,$(SIZE))

chaos: ## Inject faults: a campaign under kill -9, lost databases and a bad Apple, and its proof (SEED=7 POLICY=resend|leave FAILOVER=1 UPGRADE=1 TEST=1)
	@Scripts/bootstrap run
	@$(RELEASE) --product belfry
	@$(RELEASE) --product belfry-lab
	@$(LAB) chaos --seed $(SEED) --policy $(POLICY) $(if $(FAILOVER),--failover) $(if $(UPGRADE),--upgrade) $(if $(TEST),--test)

schema: ## Write Docs/schema.sql, the current schema on one page, after a new migration
	@Scripts/bootstrap test
	@$(SWIFT_BUILD) --build-tests
	@BELFRY_WRITE_SCHEMA=1 swift test --skip-build --disable-xctest --filter SchemaTests/documentShowsTheCurrentSchema

lint: ## Check the format of the sources
	@swift format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/checks/javascript

format: ## Format the sources
	@swift format --in-place --parallel --recursive $(SOURCES)
	@Scripts/deno fmt --quiet

build: ## Build for release: .build/release/belfry
	@Scripts/bootstrap run
	@$(RELEASE) --product belfry

deb: ## Build the Debian package: .build/deb/belfry_VERSION_ARCHITECTURE.deb
	@Scripts/bootstrap package
	@$(RELEASE) --static-swift-stdlib --scratch-path .build-static --product belfry
	@Scripts/make-deb $(STATIC)

checkdeb: deb ## Check the package with lintian, and install, run and purge it in a folder with nothing but Debian (as root)
	@Scripts/check-deb $(STATIC)

clean: ## Remove what was built (not var/, where the database is)
	@rm -rf .build .build-*
