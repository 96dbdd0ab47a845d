# Every target sets up what it needs: a clone, git, make and Python 3.11 or later are enough.
# PYTHON chooses the interpreter (PYTHON=python3.12 make test); ARGS is handed to demo, bench, faults, campaign and lock.

PYTHON ?= python3
ARGS ?=
JOBS ?= 2

BIN := .venv/bin
UV_VERSION := 0.13.7
CODE := src $(wildcard conftest.py tests bench campaign examples tools)
PROSE := $(wildcard README.md docs)
DOCS_GENERATOR := $(wildcard src/asterism/entry/docs/__main__.py)

# The core's own tests cover it in full. Counting lines doubles their time, so the others run without.
COVERS := tests/core tests/golden src/asterism/core

# The stamps carry the interpreter's version, so another PYTHON builds the environment anew.
PYTHON_VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)
LOCKED := .venv/.locked-$(PYTHON_VERSION)
READY := .venv/.ready-$(PYTHON_VERSION)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check bench faults campaign venv lock clean licences audit

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  make %-8s %s\n' "$$name" "$$text"; done

demo: $(READY) ## run the demonstration
	@$(BIN)/asterism demo $(ARGS)

test: $(READY) ## run tests and doctests; the core must be covered in full
	@rm -f .coverage
	$(BIN)/python -m pytest -q -n $(JOBS) --cov --cov-report= $(COVERS)
	$(BIN)/coverage report --include='src/asterism/core/*' --show-missing --skip-covered --fail-under=100
	$(BIN)/python -m pytest -q -n $(JOBS) $(addprefix --ignore=,$(COVERS)) tests src/asterism $(PROSE)

check: $(READY) ## lint, format, types, layers, generated docs
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.dependencies check
ifneq ($(DOCS_GENERATOR),)
	$(BIN)/python -m asterism.entry.docs --check
	$(BIN)/python -m asterism.evals.agent_page docs/agent-day.md --check
endif

bench: $(READY) ## run the benchmarks
	$(BIN)/python -m bench $(ARGS)

faults: $(READY) ## run the fault tests for many rounds, a short form of the campaign among them
	$(BIN)/python -m pytest -q -n $(JOBS) tests/faults --rounds 300 $(ARGS)

campaign: $(READY) ## look for faults for hours; ends by itself, and goes on where it was ended
	$(BIN)/python -m campaign --state .campaign.json $(ARGS)

venv: $(READY) ## build the environment in .venv from the lock

$(LOCKED): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Asterism needs Python 3.11 or later, but "$(PYTHON)" is $(or $(PYTHON_VERSION),not a Python that runs).'; \
		echo 'Name another one: PYTHON=python3.12 make ...'; exit 1; }
	@echo 'Fetching the packages of requirements.lock into .venv: a minute or two, once.'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r requirements.lock
	@touch $@

$(READY): $(LOCKED) pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock: ## refresh requirements.lock (ARGS=--upgrade takes newer versions)
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	.venv-lock/bin/uv pip compile pyproject.toml --extra dev --quiet --no-config \
		--universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
		--custom-compile-command 'make lock' --output-file requirements.lock $(ARGS)
	@rm -rf .venv-lock
	@if grep -n '://' requirements.lock; then echo 'requirements.lock must name no address'; exit 1; fi

licences: $(READY) ## write the licences page and the bill of materials anew, after the lock changed
	$(BIN)/python -m tools.dependencies write

audit: ## look for known faults of the locked versions (asks the package index and its advisories)
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	.venv-lock/bin/pip-audit --requirement requirements.lock --disable-pip --require-hashes; rm -rf .venv-lock

clean: ## remove everything that was built
	rm -rf .venv .venv-lock .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist build
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
