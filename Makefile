# The commands of the house. Each sets up what it needs first; a set-up already made costs nothing.

PY := .venv/bin/python
PORT := 8000
MINUTES := 10
SEED :=
# One more worker than cores, because many tests wait for a process. Each worker loads all tests and
# starts its own browser and servers.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Whoever has no test left takes some of another, from the end: a module's tests stay together, so
# that its servers and games are made once.
PYTEST := $(PY) -m pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal
# Tests without processes wait for nothing. Each worker loads all tests, so one a core is faster.
PYTEST_PER_CORE := $(PY) -m pytest -n $(shell getconf _NPROCESSORS_ONLN) --maxprocesses 8 --dist worksteal

# Where it is set, each of some hundred processes would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-run run test tests test-fast test-faults test-statistics test-long test-compiled compile pure coverage lint lint-types lint-imports lint-scripts audit format bench bench-statistics messages fonts icons vendor examples screenshot pictures clean
.DEFAULT_GOAL := help

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*  ## /\1	/p' Makefile | expand -t 14

setup:  ## make .venv for development, or bring it up to date
	@scripts/setup dev

setup-run:
	@scripts/setup run

run: setup-run  ## serve pages and API on http://127.0.0.1:8000 (PORT=8001: another port)
	@exec $(PY) manage.py serve --with-parent --port=$(PORT)

test: setup  ## lint, types, layers and every test (of the faults a short form)
	@scripts/test-services
	@scripts/test

tests: setup
	@scripts/test-services
	@$(PYTEST) -m "not faults"

test-fast: setup  ## library, records and statistics without processes and pages: for while one edits
	@EXAMPLES=4 $(PYTEST_PER_CORE) -q -m "not processes and not long" \
		tests/records kafu/tests --ignore=tests/records/pages --ignore=tests/records/opendata

test-compiled: setup  ## compile the library apart from the checkout, and run its tests on that
	@scripts/compiled
	@cd kafu && KAFU_COMPILE=1 PYTHONPATH=$(CURDIR)/var/compiled/lib ../$(PY) -m pytest -q \
		-n $(WORKERS) --maxprocesses 8 --dist worksteal -o pythonpath="tests ."

compile: setup  ## compile the library in place (needs a C compiler); do it again after each change
	@cd kafu && KAFU_COMPILE=1 ../$(PY) setup.py -q build_ext --inplace --build-temp=build/temp

pure:  ## undo `make compile`
	@find kafu/src -name '*.so' -delete
	@rm -rf kafu/build

coverage: setup  ## what the tests go through, as a table and in var/coverage (no subprocesses)
	@scripts/test-services
	@$(PYTEST) -q -m "not faults" --cov --cov-report=term:skip-covered --cov-report=html

# For as long as is wanted: make test-faults MINUTES=60 SEED=7
test-faults: setup  ## real processes killed, stopped, starved: each fault, then any in any order
	@scripts/test-services
	@$(PY) -m pytest -m faults
	@PYTHONPATH=kafu/tests $(PY) -m tests.faults --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

test-statistics: setup  ## every figure computed a second time over 5,000 games; a million deals a ruleset
	@STATISTICS_GAMES=5000 STATISTICS_DEALS=1000000 STATISTICS_SAMPLES=10000 $(PY) -m pytest -q -n auto --maxprocesses 8 \
		tests/records/statistics/test_second_computation.py tests/records/statistics/test_dealt_hands.py \
		tests/records/statistics/test_coverage.py

test-long: setup  ## every test, with ten times the examples, and all of what CI takes a part of
	@scripts/test-services
	@LONG=1 EXAMPLES=400 $(PYTEST) -m "not faults"

# Without ruff's cache: it does not see that an import's module came to be, or went.
lint: setup  ## format check, ruff, mypy, direction of imports; the pages' scripts, the OpenAPI document
	@$(PY) -m ruff format --no-cache --check .
	@$(PY) -m ruff check --no-cache .
	@$(MAKE) --no-print-directory lint-scripts lint-imports lint-types

lint-types: setup
	@$(PY) -m mypy

lint-imports: setup
	@.venv/bin/lint-imports --no-cache

lint-scripts: setup
	@.venv/bin/oxlint --quiet records/static/records kafu/javascript
	@scripts/typescript
	@scripts/openapi

audit: setup  ## known vulnerabilities of what is locked, where the advisory service can be asked
	@scripts/audit

format: setup  ## put the code into the house's form
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

bench:  ## how fast the library is beside python-chess, intake, serving and statistics (docs/performance.md)
	@scripts/setup bench
	@scripts/test-services
	@$(PY) -m bench.verify
	@$(PY) -m bench.ingest
	@$(PY) -m bench.serving --seconds=2
	@$(PY) -m bench.facts 2000 100000

bench-statistics: setup  ## speed of every query of statistics at 2,000 to 1,000,000 games
	@$(PY) -m bench.facts 2000 100000 1000000

messages: setup  ## collect the texts to translate and compile locale/ (needs gettext)
	@$(PY) manage.py makemessages -l ja --no-wrap --no-location --no-obsolete -i .venv -i var -i tests
	@$(PY) manage.py compilemessages -l ja -i .venv -v 0

fonts: setup  ## write the typefaces of the pages anew, after an update or new headings in Japanese
	@$(PY) scripts/fonts

icons: setup  ## write the icons of the site anew, after a change of icon.svg
	@$(PY) scripts/icons

vendor: setup  ## write the libraries of the upload page anew, after an update of their versions
	@$(PY) scripts/vendor

examples: setup  ## take the examples of the API reference anew, from real requests
	@LONG=1 $(PY) -m pytest -q tests/api/test_examples.py -k written
	@cp var/examples.json api/examples.json

screenshot: setup  ## draw the picture of the README anew
	@LONG=1 $(PY) -m pytest -q tests/records/pages/test_browser.py -k screenshot
	@cp var/screenshot.png docs/screenshot.png

pictures: setup  ## draw every kind of page into var/screenshots, weigh it, count taps (docs/scenarios.md)
	@$(PY) -m bench.pages

clean: pure  ## remove .venv and caches; var (database, uploads) stays
	rm -rf .venv node_modules tests/api/spectral/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
