# Every target sets up what it needs from a bare python3 (3.11 or later).
PYTHON ?= python3
VENV := .venv
VENV_LOWER := .venv-lower
BENCHMARKS := $(wildcard benchmarks/engine.py benchmarks/fidelity.py benchmarks/recovery.py \
	benchmarks/report.py benchmarks/startup.py)

.DELETE_ON_ERROR:
.PHONY: help demo test check docs test-lower bench paper clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.installed  ## find the groups of a synthetic task of the paper, and write a report
	$(VENV)/bin/coterie demo

test: $(VENV)/.installed  ## run every test
	$(VENV)/bin/python -m pytest -q -rs -n auto --dist loadfile

check: $(VENV)/.installed  ## format, lint, types, direction of imports, quick tests
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest -q -n auto --dist loadfile -m "not slow"

docs: $(VENV)/.installed  ## build the documentation into site/, and fail at any warning
	$(VENV)/bin/python -m sphinx -b html -W --keep-going -q docs site
	@echo "Open site/index.html"

test-lower: $(VENV_LOWER)/.installed  ## quick tests with the oldest versions that are allowed
	$(VENV_LOWER)/bin/python -m pytest -q -n auto --dist loadfile -m "not slow" tests

ifneq ($(BENCHMARKS),)
bench: $(VENV)/.installed  ## run the benchmarks, which takes hours
	$(foreach file,$(BENCHMARKS),$(VENV)/bin/python -m $(subst /,.,$(basename $(file))) &&) true
endif

paper: $(VENV)/.installed  ## run what the paper ran and write docs/results.md, which takes many hours
	$(VENV)/bin/coterie paper all --jobs -1

clean:  ## remove the environments and the caches
	rm -rf coterie-demo paper-quick site $(VENV) $(VENV_LOWER) \
		.pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

$(VENV_LOWER)/.installed: pyproject.toml constraints-lower.txt
	$(PYTHON) -m venv $(VENV_LOWER)
	$(VENV_LOWER)/bin/python -m pip install --quiet --constraint constraints-lower.txt --editable '.[test]'
	touch $@
