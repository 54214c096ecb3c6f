# Seegrad. Needs make and Python 3.11 or newer; everything else is installed into .venv.
#
#   make run           start Seegrad and open it in the browser (ARGS="--port 8080" for options)
#   make test          all tests, in three processes             (ARGS="-n 0 -k layout" for options)
#   make oracles       ask PyTorch, NumPy and JAX, whose recorded answers the tests compare with, anew; with
#                      ARGS=--record write what they answer
#   make notebooks     run notebooks in a kernel, and export them, with Jupyter installed apart
#   make sandbox       build CPython for the sandbox, if it is not built or not current; run and test do it
#   make check         lint, format, types, imports between the packages, requirements current
#   make other-python  the tests without browsers under Debian 13's Python, in a root of its own; needs root
#                      and debootstrap      (ARGS="--suite forky --python python3.14 -- -k depth" for others)
#   make bench         measure what docs/figures.md states
#   make fuzz          look for programs that break the engine   (ARGS="--seconds 600" for longer)
#   make audit         ask whether advisories are known for what is installed at run time
#   make sbom          write build/seegrad.cdx.json, the bill of materials of a running server
#   make editor        bundle the code editor into static/vendor anew; needs Node.js with npm
#   make zoom          bundle d3-zoom into static/vendor anew; needs Node.js with npm
#   make requirements  compile requirements/*.txt anew (UPGRADE=1 for the newest versions)
#   make clean         remove .venv and everything that was generated

VENV := .venv
BIN := $(VENV)/bin
ORACLES := build/oracles
NOTEBOOKS := build/notebooks
# Which Python makes .venv, e.g. `make run PYTHON=python3.12`; by default the first that is new enough.
PYTHON ?=
UV := uv==0.13.9
AUDIT := pip-audit==2.10.1
SBOM := cyclonedx-bom==7.5.0
BILL := seegrad.cdx.json
ARGS :=
UPGRADE :=

NEW_ENOUGH := import sys, venv; sys.exit(sys.version_info < (3, 11))
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DELETE_ON_ERROR:
.PHONY: run test oracles notebooks other-python sandbox check bench fuzz audit sbom editor zoom requirements clean

run: $(VENV)/.run sandbox
	@$(BIN)/python -m seegrad $(ARGS)

# A missing browser is the browser tests' failure to report, not a reason to run no test.
# Bytecode is kept, as a server that a test starts spends a third of its start in compiling.
# It needs no PyTorch, NumPy or JAX: their answers are recorded in tests/data/oracles.
# Three processes keep two cores busy: the tests of browsers and servers spend a third of their time waiting.
test: $(VENV)/.test sandbox
	@$(BIN)/python -m scripts.find_chromium --install || true
	@$(BIN)/python -m scripts.find_nginx --install || true
	@$(BIN)/python -m scripts.find_firefox --install || true
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses 3 $(ARGS)

# In an environment of its own: no test may come to need these libraries without anybody noticing.
oracles: $(ORACLES)/.installed sandbox
	@$(ORACLES)/bin/python -m pytest --numprocesses 0 --oracles $(ARGS)

# In an environment of its own, too, which sees what the tests have.
notebooks: $(NOTEBOOKS)/.installed
	@$(NOTEBOOKS)/bin/python -m pytest --numprocesses 0 tests/notebooks $(ARGS)

other-python: sandbox
	@$(BIN)/python -m scripts.other_python $(ARGS)

# wasmtime makes the machine code: whichever requirements are installed, it is among them.
sandbox: | $(VENV)/.run
	@$(BIN)/python -m scripts.sandbox

check: $(VENV)/.check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --cache-dir build/import_linter
	$(BIN)/python -m scripts.check_scripts
	$(BIN)/python -m scripts.requirements --check

bench: $(VENV)/.test sandbox
	@$(BIN)/python -m benchmarks $(ARGS)

fuzz: $(VENV)/.test sandbox
	@$(BIN)/python -m fuzz.parser $(ARGS)

# In an environment of its own, which is thrown away: what audits should not be among what is audited.
# --strict: a package that nobody could be asked about is a failure, and so is having no network.
audit: $(BIN)/python
	@folder=$$(mktemp -d) || exit 1; trap 'rm -rf "$$folder"' EXIT; \
	$(BIN)/python -m venv "$$folder" || exit 1; \
	"$$folder/bin/python" -m pip --disable-pip-version-check --quiet install $(AUDIT) || \
	    { echo "Nothing was audited: $(AUDIT) could not be installed. It needs the network." >&2; exit 1; }; \
	"$$folder/bin/pip-audit" --strict --require-hashes --disable-pip --progress-spinner off \
	    --requirement requirements/run.txt || \
	    { echo "The audit failed: an advisory is named above, or a package could not be asked about." >&2; exit 1; }

# Two environments, both thrown away: what is installed at run time, and the tool that lists it.
sbom: $(BIN)/python
	@folder=$$(mktemp -d) || exit 1; trap 'rm -rf "$$folder"' EXIT; \
	$(BIN)/python -m venv "$$folder/tool" && $(BIN)/python -m venv --without-pip "$$folder/run" && \
	"$$folder/tool/bin/python" -m pip --disable-pip-version-check --quiet install $(SBOM) && \
	$(PIP) --python "$$folder/run/bin/python" install --require-hashes --report "$$folder/report" \
	    --requirement requirements/run.txt || \
	    { echo "No bill was written: its packages could not be installed. It needs the network." >&2; exit 1; }; \
	"$$folder/tool/bin/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible \
	    --output-file "$$folder/bill" "$$folder/run/bin/python" && \
	$(BIN)/python -m scripts.sbom "$$folder/bill" "$$folder/report" build/$(BILL) && \
	echo "Wrote build/$(BILL)"

editor zoom: $(BIN)/python
	@$(BIN)/python -m scripts.bundle $@

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

$(ORACLES)/.installed: requirements/test.txt requirements/oracles.in | $(BIN)/python
	@echo "Installing PyTorch, NumPy and JAX into $(ORACLES)"
	@$(BIN)/python -m venv --clear $(ORACLES)
	@$(PIP) --python $(ORACLES)/bin/python install --require-hashes --requirement requirements/test.txt
	@$(PIP) --python $(ORACLES)/bin/python install --requirement requirements/oracles.in
	@touch $@

$(NOTEBOOKS)/.installed: requirements/notebooks.in $(VENV)/.test
	@echo "Installing Jupyter's kernel into $(NOTEBOOKS)"
	@$(BIN)/python -m venv --clear $(NOTEBOOKS)
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
	    "$$($(NOTEBOOKS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	@$(NOTEBOOKS)/bin/python -m pip --disable-pip-version-check --quiet install --requirement requirements/notebooks.in
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
	echo "Seegrad needs Python 3.11 or newer with the module venv$(if $(PYTHON),: $(PYTHON) is not that,; none was found)." >&2; \
	echo "Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	exit 1
