# make compare     installs everything in .venv and compares the ways of training; report/report.html
# make test-fast   runs the checks and the short tests, for the time between two edits
# make test        installs everything in .venv and runs all checks and tests
# make coverage    runs the tests, and prints the share of lines and branches that they reach
# make test-all    runs the tests, and those that take minutes each
# make test-engines runs written jobs by a real SLURM and Docker Compose, and tries forecasts (as root)
# make test-faults kills random tasks of clusters at random moments; KILLS=100 in each way
# make test-rungs  runs old programs, and the same ones after each rung, and compares the runs
# make test-matrix trains in every way on each supported Python and TensorFlow (docs/versions.md)
# make docs        builds site/, the pages of docs/, and checks their links
# make oracle      records again what tf.estimator of TensorFlow 2.15 and 1.15 did (tests/oracle)
# make clean       removes .venv and what runs have left here

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# Prints one line where `make` would otherwise fail with a traceback.
SUPPORTED := import sys; ok = (3, 10) <= sys.version_info < (3, 14); \
  ok or sys.exit("Python %s is not supported; use 3.10 to 3.13: make PYTHON=python3.12" % sys.version.split()[0])

.PHONY: compare test test-fast test-all coverage test-engines test-faults test-rungs test-matrix docs oracle install clean

compare: $(READY)
	$(BIN)/python -m benchmarks.compare --flagfile=benchmarks/quick.flags $(ARGS)

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
ifdef ARGS
	$(BIN)/python -m pytest $(ARGS)
else
# Side by side what is one process, a file in one worker: what its tests share is made once. Three
# workers, because a worker often waits for a process that it has started.
# Clusters have all cores to themselves.
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not cluster and not slow and not engines"
	$(BIN)/python -m pytest -n 3 --dist loadfile --keras=3 -m "not cluster and not slow" tests/migrate tests/modern
	$(BIN)/python -m pytest -m "cluster and not slow"
endif

test-fast: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 3 --dist loadfile -m "not cluster and not slow and not long and not engines"

test-all: test
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "slow and not cluster"
	$(BIN)/python -m pytest -n 3 --dist loadfile --keras=3 -m slow tests/migrate tests/modern
	$(BIN)/python -m pytest -m "slow and cluster"

coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 3 --dist loadfile -m "not cluster and not slow and not engines"
	$(BIN)/coverage run -m pytest -m "cluster and not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-engines: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[engines]'
	$(BIN)/python -m pytest -m engines tests/engines $(ARGS)

KILLS ?= 20

test-faults: $(READY)
	KILLS=$(KILLS) $(BIN)/python -m pytest tests/cluster/test_random_kills.py $(ARGS)

test-rungs: $(READY)
	$(BIN)/python -m pytest tests/migrate/same_run $(ARGS)

test-matrix: $(READY)
	$(BIN)/python -m tests.matrix $(ARGS)

docs: $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[docs]'
	$(BIN)/mkdocs build --quiet

oracle: $(READY)
	$(BIN)/python -m tests.oracle.record $(ARGS)

install: $(READY)

$(READY): setup.cfg setup.py constraints.txt
	$(PYTHON) -c '$(SUPPORTED)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[compare,migrate,test]'
	touch $@

clean:
	rm -rf $(VENV) report runs site .coverage*
