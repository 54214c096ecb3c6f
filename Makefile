# Gradlens. Needs make and Python 3.11 or newer; everything else is installed into .venv.
#
#   make run           start Gradlens and open it in the browser (ARGS="--port 8080" for options)
#   make test          all tests, those in a real browser too    (ARGS="-k layout" for options)
#   make check         lint, format, types, requirements current
#   make bench         measure what the README states
#   make requirements  compile requirements/*.txt anew (UPGRADE=1 for the newest versions)
#   make clean         remove .venv and everything that was generated

VENV := .venv
BIN := $(VENV)/bin
# Which Python makes .venv, e.g. `make run PYTHON=python3.12`; by default the first that is new enough.
PYTHON ?=
UV := uv==0.13.9
ARGS :=
UPGRADE :=

NEW_ENOUGH := import sys, venv; sys.exit(sys.version_info < (3, 11))
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DELETE_ON_ERROR:
.PHONY: run test check bench requirements clean

run: $(VENV)/.run
	@$(BIN)/python -m app $(ARGS)

# A missing browser is the browser tests' failure to report, not a reason to run no test.
test: $(VENV)/.test
	@$(BIN)/python -m scripts.find_chromium --install || true
	@$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m scripts.requirements --check

bench: $(VENV)/.test
	@$(BIN)/python -m benchmarks $(ARGS)

requirements: $(BIN)/python
	$(PIP) install $(UV)
	$(BIN)/python -m scripts.requirements $(if $(UPGRADE),--upgrade)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each requirements file that is installed; each file holds all of the ones before it.
$(VENV)/.run $(VENV)/.test $(VENV)/.check: $(VENV)/.%: requirements/%.txt | $(BIN)/python
	@echo "Installing $< into $(VENV)"
	@$(PIP) install --require-hashes --requirement $<
	@touch $@

$(BIN)/python:
	@for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11); do \
	    if "$$python" -c '$(NEW_ENOUGH)' 2>/dev/null; then \
	        echo "Making $(VENV) with $$("$$python" --version)"; \
	        "$$python" -m venv --clear $(VENV) && exit 0; \
	        rm -rf $(VENV); \
	        exit 1; \
	    fi; \
	done; \
	echo "Gradlens needs Python 3.11 or newer with the module venv$(if $(PYTHON),: $(PYTHON) is not that,; none was found)." >&2; \
	echo "Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	exit 1
