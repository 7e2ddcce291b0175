# The two commands are `make demo` and `make test`; both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PEERS := .venv-peers/bin/python -m pip install --quiet --disable-pip-version-check
AMLGYM := amlgym==1.0.13

.PHONY: demo test test-browser lint bench bench-acting clean

demo: .venv/assay.installed
	rm -rf results/demo
	$(BIN)/assay run pddl:examples/door/door.pddl --out results/demo

test: lint
	$(BIN)/pytest

# Report and page in a real browser; installs Chromium and axe-core if they are missing.
test-browser: .venv/bin/python
	bash tests_browser/setup.sh $(abspath $(BIN))/python
	$(BIN)/pytest tests_browser

lint: .venv/dev.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev.installed
	$(BIN)/assay bench questions
	$(BIN)/assay bench outside --workers 2
	$(BIN)/assay bench adl
	$(BIN)/assay bench growth
	$(BIN)/assay bench causes

# Beside the learners of others, which run in an environment of their own; takes hours where they do.
bench-acting: .venv/dev.installed .venv-peers/installed
	$(BIN)/assay bench acting

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/assay.installed: pyproject.toml | .venv/bin/python
	$(PIP) -e .
	touch $@

# With the optional packages, so that what uses them is tested with the real thing; of the peers' benchmark
# the files are wanted, not the gigabytes behind them.
.venv/dev.installed: pyproject.toml | .venv/bin/python
	$(PIP) -e '.[dev,fast-downward,bench,gym,pddlgym,images,physics]'
	$(PIP) --no-deps $(AMLGYM)
	touch $@ .venv/assay.installed

# torch by itself first: what amlgym asks for would bring CUDA along.
.venv-peers/installed:
	$(PYTHON) -m venv .venv-peers
	$(PEERS) torch==2.13.0
	$(PEERS) $(AMLGYM)
	touch $@

clean:
	rm -rf .venv .venv-peers results
