# Decoding Lab. `make lab` opens the lab; `make test` checks everything. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash

.PHONY: lab test notebook model notebooks recordings bench clean
.DEFAULT_GOAL := lab

lab: model          ## install, fetch the model, open the lab in a browser
	$(BIN)/streamlit run apps/app.py

notebook: model     ## the same for JupyterLab
	$(BIN)/jupyter lab notebooks

model: $(VENV)/lab.stamp   ## fetch SmolLM2-135M, check its sha256, keep a copy that loads fast
	@$(BIN)/python -m lab models fetch || echo "The lab opens on recorded traces; run 'make model' again for live runs."

test: $(VENV)/test.stamp model   ## lint, types, every test, browser tests included
	tests/install_browser.sh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -m browser
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not browser" -n 2 --dist loadscope

notebooks: $(VENV)/lab.stamp   ## make the .ipynb files, and the students' copies in build/student
	$(BIN)/python -m notebooks.make

bench: $(VENV)/test.stamp model   ## every benchmark; each prints its figures as a JSON object
	for bench in tests/bench/bench_*.py; do $(BIN)/python $$bench || exit 1; done

$(VENV)/lab.stamp: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --upgrade 'pip>=24.2'
	$(BIN)/python -m pip install -r requirements.txt
	touch $@

$(VENV)/test.stamp: $(VENV)/lab.stamp tests/requirements.txt
	$(BIN)/python -m pip install -r tests/requirements.txt
	touch $@

clean:              ## remove the virtual environment (the fetched model stays in the user's cache)
	rm -rf $(VENV)

recordings: model   ## record anew the traces that pages show at once (real runs on this machine)
	$(BIN)/python -m lab record neighbours apps/recordings
	$(BIN)/python -m lab record logits apps/recordings/logits.npz
	$(BIN)/python -m lab kernels --device cpu --out apps/recordings/kernels.jsonl
	for kind in flips gate gate-taus strategies meeting measure family; do $(BIN)/python -m lab record $$kind apps/recordings/$$kind.jsonl || exit 1; done
	$(BIN)/python -m lab record gate-runs apps/recordings
	$(BIN)/python -m lab record speculate apps/recordings
	$(BIN)/python -m lab record tree apps/recordings
