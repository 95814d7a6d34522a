# Commands for development. Every target installs its dependencies first; an up-to-date environment is
# reused.

PY := .venv/bin/python
PORT := 8000
MINUTES := 10
SEED :=
# One more worker than cores, because many tests wait for a process. Each worker loads all tests and
# starts a browser and servers.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Idle workers steal tests from the end of a queue: the tests of a module stay together and share their
# servers and games.
PYTEST := $(PY) -m pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal
# Tests without processes never wait: one worker per core is fastest, because each worker loads all tests.
PYTEST_PER_CORE := $(PY) -m pytest -n $(shell getconf _NPROCESSORS_ONLN) --maxprocesses 8 --dist worksteal

# With this variable, each of some hundred processes would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-run run test tests test-fast test-faults test-statistics test-scale test-long test-browsers test-deployment test-compiled compile pure coverage lint lint-types lint-imports lint-scripts lint-templates engine library-types documentation audit format bench bench-statistics messages fonts icons vendor examples sample-analyses screenshot pictures clean
.DEFAULT_GOAL := help

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*  ## /\1	/p' Makefile | expand -t 14

setup:  ## create or update .venv for development
	@scripts/setup dev

setup-run:
	@scripts/setup run

run: setup-run  ## serve pages and API on http://127.0.0.1:8000 (PORT=8001: another port)
	@exec $(PY) manage.py serve --with-parent --port=$(PORT)

test: setup  ## lint, types, layers and all tests (faults in a short form)
	@scripts/test-services
	@scripts/test

tests: setup engine
	@scripts/test-services
	@$(PYTEST) -m "not faults and not browsers"

test-fast: setup  ## library, records and statistics without processes and pages: for use during editing
	@EXAMPLES=1 $(PYTEST_PER_CORE) -q -m "not processes and not long" \
		tests/records kafu/tests --ignore=tests/records/pages --ignore=tests/records/opendata

# A worker per browser. Both share an archive only within a worker, because a test cuts its archive off.
test-browsers: setup  ## tasks of docs/scenarios.md and known faults, in Firefox and WebKitGTK (Safari's engine)
	@scripts/test-services browsers
	@$(PY) -m pytest -q -n 2 -m browsers tests/records/pages/browsers

# tests/ops/test_kubernetes.py checks the same manifests before they are rendered.
test-deployment: setup  ## render the manifests by kubectl, run the cases of the alerts by promtool
	@mkdir -p var && kubectl kustomize deploy/kubernetes/example >var/kubernetes.yaml
	@.venv/bin/kubernetes-validate --strict var/kubernetes.yaml
	@promtool test rules tests/ops/alerts.yaml

test-compiled: setup  ## compile a copy of the library and run its tests with the copy
	@scripts/compiled
	@cd kafu && KAFU_COMPILE=1 PYTHONPATH=$(CURDIR)/var/compiled/lib ../$(PY) -m pytest -q \
		-n $(WORKERS) --maxprocesses 8 --dist worksteal -o pythonpath="tests ."

compile: setup  ## compile the library in place (needs a C compiler); repeat after each change
	@cd kafu && KAFU_COMPILE=1 ../$(PY) setup.py -q build_ext --inplace --build-temp=build/temp

pure:  ## undo `make compile`
	@find kafu/src -name '*.so' -delete
	@rm -rf kafu/build

coverage: setup  ## lines executed by tests, as a table and in var/coverage (without subprocesses)
	@scripts/test-services
	@$(PYTEST) -q -m "not faults and not browsers" --cov --cov-report=term:skip-covered --cov-report=html

# A longer run with a fixed order: make test-faults MINUTES=60 SEED=7
test-faults: setup  ## kill, stop and starve processes: each fault once, then random faults
	@scripts/test-services
	@$(PY) -m pytest -m faults
	@PYTHONPATH=kafu/tests $(PY) -m tests.faults --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

test-statistics: setup  ## recompute every figure over 5,000 games; a million deals per ruleset
	@LONG=1 STATISTICS_GAMES=5000 STATISTICS_DEALS=1000000 STATISTICS_SAMPLES=10000 \
		$(PY) -m pytest -q -n auto --maxprocesses 8 \
		tests/records/statistics/test_second_computation.py tests/records/statistics/test_dealt_hands.py \
		tests/records/statistics/test_coverage.py tests/records/statistics/test_engines.py

test-scale:  ## engines of other people (ClickHouse, PyIceberg, Polars, Spark with Java 17) read published facts
	@scripts/setup scale
	@$(PY) -m pytest -q tests/scale/outside_engines.py

test-long: setup  ## all tests with ten times the examples and all cases (CI runs a selection)
	@scripts/test-services
	@LONG=1 EXAMPLES=400 $(PYTEST) -m "not faults and not browsers"

# Ruff's cache does not notice new and deleted modules.
lint: setup  ## format, ruff, mypy, direction of imports, JavaScript, templates
	@$(PY) -m ruff format --no-cache --check .
	@$(PY) -m ruff check --no-cache .
	@$(MAKE) --no-print-directory lint-scripts lint-templates lint-imports lint-types

lint-types: setup
	@$(PY) -m mypy

lint-imports: setup
	@.venv/bin/lint-imports --no-cache

lint-scripts: setup
	@.venv/bin/oxlint --quiet records/static/records kafu/javascript
	@scripts/typescript

# djangofmt does not break texts, addresses and tags of Django: their lines are counted here.
lint-templates: setup
	@.venv/bin/djangofmt --check templates
	@! LC_ALL=C.UTF-8 grep -rnE '.{121}' --include='*.html' --include='*.txt' templates || \
		{ echo "templates: these lines have more than 120 columns" >&2; exit 1; }

engine: setup  ## put Pyodide, the library and the editors next to engine.js (kafu/javascript/engine, 15 MB)
	@scripts/node-modules
	@$(PY) scripts/engine --site kafu/javascript/engine

library-types: setup  ## write the types of the library's JSON for TypeScript
	@$(PY) scripts/library-types

documentation: setup  ## build the documentation site into var/documentation/site, which the server shows at /docs/
	@$(PY) scripts/documentation

audit: setup  ## known vulnerabilities of locked dependencies (needs the advisory service)
	@scripts/audit

format: setup  ## format the code and the templates
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@.venv/bin/djangofmt templates

bench:  ## speed of the library next to python-chess, of intake, serving and statistics (docs/performance.md)
	@scripts/setup bench
	@scripts/test-services
	@$(PY) -m bench.verify
	@$(PY) -m bench.ingest
	@$(PY) -m bench.serving --seconds=2
	@$(PY) -m bench.facts 2000 100000

bench-statistics: setup  ## speed of all queries of statistics at 2,000 to 1,000,000 games
	@$(PY) -m bench.facts 2000 100000 1000000

messages: setup  ## collect the texts to translate and compile locale/ (needs gettext)
	@$(PY) manage.py makemessages -l ja --no-wrap --no-location --no-obsolete -i .venv -i var -i tests
	@$(PY) manage.py compilemessages -l ja -i .venv -v 0

fonts: setup  ## regenerate the typefaces of the pages after an update or new Japanese headings
	@$(PY) scripts/fonts

icons: setup  ## regenerate the icons of the site after a change of icon.svg
	@$(PY) scripts/icons

vendor: setup  ## replace the libraries of the upload page after an update of their versions
	@$(PY) scripts/vendor

examples: setup  ## regenerate the examples of the API reference from real requests
	@LONG=1 $(PY) -m pytest -q tests/api/test_examples.py -k written
	@cp var/examples.json api/examples.json

sample-analyses: setup  ## compute the analyses of the sample games again, after a change of the analysis (minutes)
	@var=$$(mktemp -d) && export HANA_VAR=$$var && $(PY) manage.py migrate -v 0 && \
		$(PY) manage.py samples --write-analyses; rm -rf "$$var"

screenshot: setup  ## regenerate the pictures of README and documents
	@LONG=1 $(PY) -m pytest -q tests/records/pages/test_browser.py -k screenshot
	@cd var && cp screenshot.png review.png review-phone.png problem.png ../docs/

pictures: setup  ## screenshots of every kind of page in var/screenshots, with weights and taps (docs/scenarios.md)
	@PYTHONPATH=kafu/tests $(PY) -m bench.pages

clean: pure  ## remove .venv and caches; var (database, uploads) stays
	rm -rf .venv node_modules tests/api/*/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
