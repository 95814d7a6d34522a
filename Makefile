# The commands of the house. Each sets up what it needs first; a set-up already made costs nothing.

PY := .venv/bin/python

.PHONY: help setup run test lint format bench messages screenshot clean
.DEFAULT_GOAL := help

help:  ## list the commands
	@sed -n 's/^\([a-z]*\):.*  ## /\1	/p' Makefile | expand -t 10

setup:  ## make .venv, or bring it up to date
	@scripts/setup

run: setup  ## serve pages and API on http://127.0.0.1:8000
	@exec $(PY) manage.py serve --with-parent

test: setup  ## lint, types, layers and every test
	@scripts/test-services
	@$(MAKE) --no-print-directory lint
	@$(PY) -m pytest -n auto --maxprocesses 8

lint: setup  ## format check, ruff, mypy, direction of imports
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache

format: setup  ## put the code into the house's form
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

bench: setup  ## games per second of verify, and its memory
	@$(PY) bench/verify.py

messages: setup  ## collect the texts to translate and compile locale/ (needs gettext)
	@$(PY) manage.py makemessages -l ja --no-wrap --no-location --no-obsolete -i .venv -i var -i tests
	@$(PY) manage.py compilemessages -l ja -i .venv -v 0

screenshot: setup  ## draw the picture of the README anew
	@$(PY) -m pytest -q tests/pages/test_browser.py -k screenshot
	@cp var/screenshot.png docs/screenshot.png

clean:  ## remove .venv and caches; var (database, uploads) stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
