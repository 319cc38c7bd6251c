# Needs make and Python 3.11 or newer; everything else is installed into $(VENV).
#
#   make demo              from nothing to a judged suite
#   make test              from nothing to passed tests
#   make demo TORCH=usual  the same with PyTorch's usual build, GPU or not (or cpu, cu130)
#   make VENV=.venv-ci test

VENV ?= .venv
PYTHON ?=
TORCH ?= auto
MODELS ?= smollm2:135m qwen2.5-coder:0.5b
OLLAMA_DIR ?= .ollama
PYTEST ?= -n 2 --dist loadfile
DEMO ?=
RELEASE ?=
DATA ?=
BENCHMARKS ?= quality.planted_faults quality.everyday quality.long_answers speed.linear_time \
	speed.index_speed durability.kill_index durability.kill_run durability.kill_files
MINUTES ?= 10
UV_VERSION := 0.13.9
PLAYWRIGHT_VERSION := 1.65.2

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
UV := $(BIN)/uv
UV_INSTALL := $(UV) pip install --quiet --python $(BIN)/python

# PyTorch's own packages for CUDA differ by platform and are pinned by torch itself,
# so the committed list leaves them out: it then fits every platform and CPU builds.
TORCH_PARTS := ^(nvidia|cuda)-|^triton==

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-fast fuzz check static format lint types imports install bench ollama \
	ollama-stop pictures screens site release requirements clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

demo: $(INSTALLED) ## install, index the shipped pages, run a shipped suite, show it
	@$(BIN)/claimscope demo $(DEMO)

test: $(INSTALLED) ## install and run the tests (PYTEST="-n 0 -k name" to choose)
	@$(BIN)/python -m pytest $(PYTEST)

test-fast: $(INSTALLED) ## the same without what is marked slow
	@$(BIN)/python -m pytest $(PYTEST) -m "not slow"

fuzz: $(INSTALLED) ## try new examples in the property tests (MINUTES=10)
	@$(BIN)/python -m benchmarks.durability.fuzz --minutes $(MINUTES)

check: static test ## format, lint, types, imports and tests: all that CI asks for
	@echo "check: all stages passed"

static: format lint types imports ## the stages of check that run no test

format: $(INSTALLED) ## is every file formatted?
	$(call stage,format,$(BIN)/ruff format --check --quiet .)

lint: $(INSTALLED) ## ruff
	$(call stage,lint,$(BIN)/ruff check --quiet .)

types: $(INSTALLED) ## mypy --strict over code and tests
	$(call stage,types,$(BIN)/mypy)

imports: $(INSTALLED) ## direction of imports: tui, stores, core
	$(call stage,imports,$(BIN)/lint-imports --no-logo)

install: $(INSTALLED) ## only install

bench: $(INSTALLED) ## measured claims; DATA=FOLDER adds those on labelled rows
	@failed=""; \
	for script in $(BENCHMARKS); do \
		echo "── $$script"; \
		$(BIN)/python -m benchmarks.$$script || failed="$$failed $$script"; \
	done; \
	if [ -n "$(DATA)" ]; then \
		echo "── sentence_split"; \
		$(BIN)/python -m benchmarks.quality.sentence_split "$(DATA)/sentence_split.jsonl" \
			|| failed="$$failed sentence_split"; \
		echo "── verify_mean"; \
		$(BIN)/python -m benchmarks.quality.verify_mean "$(DATA)" \
			|| failed="$$failed verify_mean"; \
		echo "── contradicted_precision"; \
		$(BIN)/python -m benchmarks.quality.contradicted_precision "$(DATA)" \
			|| failed="$$failed contradicted_precision"; \
		echo "── decomposition"; \
		$(BIN)/python -m benchmarks.quality.decomposition "$(DATA)/factcheck_decomp.jsonl" \
			|| failed="$$failed decomposition"; \
	else \
		echo "── sentence_split, verify_mean, contradicted_precision, decomposition: skipped, they need DATA=FOLDER"; \
	fi; \
	if [ -n "$$failed" ]; then echo "bench: failed:$$failed" >&2; exit 1; fi

ollama: $(BIN)/python ## a real Ollama with small models on loopback (needs Go)
	@$(BIN)/python -m benchmarks.tools.local_ollama $(OLLAMA_DIR) $(MODELS) --background

ollama-stop: ## stop it
	@$(BIN)/python -m benchmarks.tools.local_ollama $(OLLAMA_DIR) --stop

pictures: $(INSTALLED) ## the pictures of the docs; those of a browser need Chromium
	@$(BIN)/claimscope run medicine --workspace build/picture > /dev/null
	@$(BIN)/python -m benchmarks.tools.picture --workspace build/picture
	@$(UV_INSTALL) playwright==$(PLAYWRIGHT_VERSION)
	@$(BIN)/python -m benchmarks.tools.pictures

screens: $(INSTALLED) ## docs/screens.md, every screen as text
	@$(BIN)/python -m benchmarks.tools.screens

site: $(INSTALLED) ## build/site: docs/ as a web site that needs no network
	@$(BIN)/python -m zensical build --strict -f mkdocs.yml

release: $(INSTALLED) ## dist/: sdist and wheel, checked, tried in empty environments
	@$(BIN)/python -m benchmarks.tools.release --torch $(TORCH) $(RELEASE)

requirements: $(INSTALLED) ## write requirements.txt anew from pyproject.toml
	@$(UV) pip compile pyproject.toml --group dev --python-version 3.11 --quiet \
		--no-emit-index-url --no-emit-find-links --no-annotate --no-header \
		> $(VENV)/.requirements
	@grep -v -E '$(TORCH_PARTS)' $(VENV)/.requirements > requirements.txt

clean: ## remove what was made here; the workspace with your runs stays
	rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache .src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A second call does nothing until the list or the project's own file changes.
$(INSTALLED): requirements.txt pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV), once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@build=$$($(BIN)/python -m benchmarks.tools.torch_build $(UV) --torch $(TORCH)) && \
		$(UV_INSTALL) $$build -r requirements.txt
	@$(UV_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(BIN)/python:
	@python="$(PYTHON)"; \
	for found in python3 python3.14 python3.13 python3.12 python3.11; do \
		if [ -z "$$python" ] && $$found -c \
			'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; \
		then python=$$found; fi; \
	done; \
	if [ -z "$$python" ]; then \
		echo "Claimscope needs Python 3.11 or newer, and no python3 on the PATH is." >&2; \
		echo "  Install one, or name it: make demo PYTHON=/path/to/python3.12" >&2; \
		exit 1; \
	fi; \
	$$python -m venv $(VENV) || { \
		echo "$$python could not make $(VENV); on Debian and Ubuntu the package" >&2; \
		echo "  python3-venv is missing. Delete $(VENV) and try again." >&2; \
		exit 1; \
	}

define stage
	@echo "── $(1)"
	@$(2) || { echo "check stopped at: $(1)" >&2; exit 1; }
endef
