# Everything a fresh machine with Swift needs: `make demo`, `make test`. `make help` lists the rest.

SWIFT_FLAGS = --explicit-target-dependency-import-check error
SWIFT_FORMAT_PATHS = Package.swift Sources Tests Snippets Examples Fuzz Benchmarks/Package.swift Benchmarks/Sources
STRICT = LARDER_WARNINGS_AS_ERRORS=1
DOCUMENTED = LarderPromises LarderObjectStore LarderClient LarderTesting

.PHONY: help demo test httpbin sanitize test-under-load test-libcurl test-urlsession check-darwin check lint format docs clean prepare

help:
	@echo "make demo             runs Examples/World: real HTTP into a real store, then offline, by a process of its own"
	@echo "make test             runs all tests"
	@echo "make test-under-load  runs all tests three times beside eight busy loops"
	@echo "make test-libcurl     runs the client's tests with the newest libcurl, or the one in CURL=FOLDER"
	@echo "make test-urlsession  runs the client's tests over URLSession's version for Linux"
	@echo "make check-darwin     type-checks what only Apple's systems compile, beside stubs of those"
	@echo "make sanitize         runs all tests under ThreadSanitizer, then under AddressSanitizer"
	@echo "make check            lints, builds with warnings as errors and tests"
	@echo "make lint             checks the format of all Swift files"
	@echo "make format           formats all Swift files in place"
	@echo "make docs             writes the documentation to docs/"
	@echo "make clean            removes everything that was built"

# The example is a package of its own, as an app is; what it builds serves `make test` too.
demo: prepare
	@cd Examples/World && swift run --scratch-path ../../.build $(SWIFT_FLAGS) World $(ARGUMENTS)
	@echo
	@cd Examples/World && swift run --scratch-path ../../.build $(SWIFT_FLAGS) --skip-build World \
		--offline $(filter-out --reset,$(ARGUMENTS))

test: prepare httpbin
	@Scripts/test

sanitize: prepare
	@Scripts/sanitize

test-under-load: prepare
	@Scripts/test-under-load

test-libcurl: prepare
	@Scripts/test-libcurl $(CURL)

test-urlsession: prepare
	@Scripts/test-urlsession

check-darwin: prepare
	@Scripts/check-darwin

check: lint
	@$(STRICT) $(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory check-darwin

lint: prepare
	@swift format lint --strict --parallel --recursive $(SWIFT_FORMAT_PATHS)

format: prepare
	@swift format --in-place --parallel --recursive $(SWIFT_FORMAT_PATHS)

docs: prepare
	@Scripts/document $(DOCUMENTED)

clean:
	@rm -rf .build .build-thread .build-address .build-urlsession docs Examples/*/.build Benchmarks/.build

prepare:
	@Scripts/prepare

httpbin:
	@Scripts/httpbin
