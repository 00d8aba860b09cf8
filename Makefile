# Everything a developer or the continuous integration runs. `make help` lists it.
# Needs Python 3.11 or newer with pip, and make; all else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
CACHE := .cache

# Numba does not see that a kernel changed when only its callers in other modules
# are cached, so each state of the kernels gets a cache folder of its own.
KERNELS := $(sort $(wildcard src/camelodds/kernels/*.py))
KERNELS_HASH := $(shell cat /dev/null $(KERNELS) | cksum | tr ' ' '-')
export NUMBA_CACHE_DIR := $(CURDIR)/$(CACHE)/numba/$(KERNELS_HASH)
export MPLBACKEND := Agg
export PIP_DISABLE_PIP_VERSION_CHECK := 1

POSITION := "3:ob 4:g 6:y 7:w 5- 8+" --edition first

# More flags for the tools: make test PYTEST_FLAGS="-n 2 -k legs"
PYTEST_FLAGS ?=
BENCH_FLAGS ?=
LOCK_FLAGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-slow test-table test-nojit bench bench-smoke lint format types docs \
	doc-examples notebooks wheel-check ci lock clean

help: ## list these targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 18

setup: .venv/.installed ## make .venv with the camelodds command and all tools, as pinned

.venv/.installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "camelodds needs Python 3.11 or newer, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)."; \
		echo "Name another one: make setup PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## the odds of a leg, and what each action is worth, in the terminal
	$(BIN)/camelodds leg $(POSITION)
	$(BIN)/camelodds values $(POSITION) --players 4

test: setup ## all quick tests, and the examples in docstrings
	$(BIN)/python -m pytest --doctest-modules tests src/camelodds $(PYTEST_FLAGS)

test-slow: setup ## only the tests marked slow
	$(BIN)/python -m pytest -m slow $(PYTEST_FLAGS)

test-table: setup ## build the race table of the second edition, once, and check it
	$(BIN)/python -m pytest -m full_table $(PYTEST_FLAGS)

test-nojit: setup ## the tests marked nojit, with kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m "nojit and not slow" $(PYTEST_FLAGS)

bench: setup ## time everything in benchmarks/; also kept in .cache/benchmarks.json
	@mkdir -p $(CACHE)
	$(BIN)/python -m pytest benchmarks --benchmark-enable --benchmark-only \
		--benchmark-group-by=group --benchmark-sort=name \
		--benchmark-columns=median,iqr,min,ops,rounds \
		--benchmark-json=$(CACHE)/benchmarks.json $(BENCH_FLAGS)
	$(BIN)/python -m benchmarks.report $(CACHE)/benchmarks.json

bench-smoke: setup ## run each benchmark once, untimed
	$(BIN)/python -m pytest benchmarks $(BENCH_FLAGS)

lint: setup ## check style and format
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: setup ## format, and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup ## check types, strictly
	$(BIN)/mypy --strict

docs: setup ## build the documentation into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

doc-examples: setup ## run the Python blocks of README.md and docs/
	$(BIN)/python -W error tools/doc_examples.py README.md docs

notebooks: setup ## run all notebooks from start to end
	$(BIN)/python -m pytest --nbmake --nbmake-timeout=300 notebooks $(PYTEST_FLAGS)

# As a user would: the built wheel in an empty environment, used from another folder.
wheel-check: setup ## build the wheel, install it afresh, use it
	rm -rf $(CACHE)/wheel && mkdir -p $(CACHE)/wheel/elsewhere
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w $(CACHE)/wheel .
	sed -n 's/ *\\$$//; /^[a-z0-9].*==/p' requirements.lock > $(CACHE)/wheel/constraints.txt
	$(BIN)/python -m venv $(CACHE)/wheel/venv
	$(CACHE)/wheel/venv/bin/python -m pip install --quiet \
		-c $(CACHE)/wheel/constraints.txt $(CACHE)/wheel/camelodds-*.whl
	cd $(CACHE)/wheel/elsewhere && unset NUMBA_CACHE_DIR && \
		../venv/bin/python -c "import pathlib, camelodds as c; \
p = pathlib.Path(c.__file__); assert 'site-packages' in p.parts, p; \
assert p.with_name('py.typed').exists(), 'py.typed is missing'; print('installed', c.__version__)" && \
		../venv/bin/camelodds leg $(POSITION)

ci: ## all that the continuous integration runs
	.ci/run

# Keeps what is pinned; to take what is newest: make lock LOCK_FLAGS=--upgrade
lock: ## pin all dependencies anew, with hashes, in requirements.lock
	test -x $(CACHE)/lock/bin/uv || { $(PYTHON) -m venv $(CACHE)/lock && \
		$(CACHE)/lock/bin/python -m pip install --quiet uv; }
	$(CACHE)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
		--fork-strategy fewest --extra dev --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean: ## remove .venv and everything built or cached
	rm -rf .venv $(CACHE) .hypothesis build dist docs/_build
	find src tests benchmarks docs tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
