# Every target sets itself up: on a bare Debian or Raspberry Pi OS with Python 3.11 or newer, `make demo` is enough.
#   PYTHON=python3.13   another interpreter        VENV=/tmp/venv   another place for what is installed
#   DATA=../shared/data the data to measure on (bench, train, evaluate)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-install test-versions check bench bench-formats bench-rules bench-filters bench-page pictures bench-records bench-vision bench-closer bench-evening bench-table noise languages mutate data train evaluate clean

VENV ?= .venv
DATA ?= ../shared/data
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: $(VENV)/.run  ## referee the bundled game on the screen
	$(BIN)/companion demo $(ARGS)

test: $(VENV)/.dev  ## run the tests
	$(BIN)/python -m pytest $(ARGS)

test-install:  ## run install.sh in bare Debian folders; root, debootstrap, ten minutes or more (SUITES="bookworm trixie")
	tests/box/debootstrap.sh $(SUITES)

test-versions:  ## run the tests of vision and a replay with the libraries of Bookworm, Trixie and the newest (SYSTEMS="bookworm")
	tests/box/versions.sh $(SYSTEMS)

check: $(VENV)/.dev  ## lint, format, types, and whether the table referees as well as it did (half a minute)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.bench.table --check

bench: $(VENV)/.dev  ## measure reading and refereeing on the data in DATA; ARGS="--out docs/accuracy.md" keeps it
	$(BIN)/python -m tests.bench $(DATA) $(ARGS)

bench-formats: $(VENV)/.dev  ## read and write all matches in DATA and 1,000 random ones, gnubg compares; 20,000 spoilt files
	$(BIN)/python -m tests.bench.formats --data $(DATA) $(ARGS)
	$(BIN)/python -m tests.bench.spoilt --data $(DATA)

bench-rules: $(VENV)/.dev  ## ask the rules all records of the oracle in DATA, and time them beside OpenSpiel
	@$(BIN)/python -c 'import pyspiel' 2>/dev/null || $(PIP) -c $(VENV)/constraints.txt open-spiel
	$(BIN)/python -m tests.bench.rules --data $(DATA) $(ARGS)

bench-filters: $(VENV)/.dev  ## random games through legal and judge, and their memory in a long stream; ARGS="--lines 1000000"
	$(BIN)/python -m tests.bench.filters $(ARGS)

bench-records: $(VENV)/.dev  ## a large record, and power cuts at 1,000 moments: history, statistics, what is lost
	$(BIN)/python -m tests.bench.records
	$(BIN)/python -m tests.bench.crash $(ARGS)

bench-evening: $(VENV)/.dev  ## twelve hours at one table, as fast as this machine can: memory, threads, open files
	$(BIN)/python -m tests.bench.evening $(ARGS)

languages: $(VENV)/.dev  ## find the texts that players see in the code, and compile what is translated
	$(BIN)/pybabel -q extract -F companion/languages/babel.cfg -k plural:1,2 --no-location --sort-output -w 120 --project companion \
		--copyright-holder "The companion authors" -o $(VENV)/companion.pot companion
	$(BIN)/pybabel -q update -D companion -d companion/languages -i $(VENV)/companion.pot -N --ignore-obsolete \
		--ignore-pot-creation-date -w 120
	$(BIN)/pybabel -q compile -D companion -d companion/languages

# YOLO11n is there to be slower than we are: its description and its exporter live in an environment of their own.
YOLO := $(VENV)/yolo

bench-vision: $(VENV)/.dev $(YOLO)/yolo11n.onnx  ## time one full read beside YOLO11n at 640 px
	$(BIN)/python -m tests.bench.speed $(DATA) $(YOLO)/yolo11n.onnx $(ARGS)

$(YOLO)/yolo11n.onnx: | $(BIN)/python
	@$(BIN)/python -m venv $(YOLO)
	@$(YOLO)/bin/python -m pip install --quiet --disable-pip-version-check \
		ultralytics torch==2.13.0 onnx opencv-python-headless
	@cd $(YOLO) && YOLO_OFFLINE=1 YOLO_CONFIG_DIR=. bin/python -c "from ultralytics import YOLO; \
		YOLO('yolo11n.yaml').export(format='onnx', imgsz=640, opset=12, simplify=False)" >&2

bench-closer: $(VENV)/.dev  ## pictures and games made smaller, with and without stills in full resolution of the dice
	$(BIN)/python -m tests.bench.closer $(DATA) $(ARGS)

bench-table: $(VENV)/.dev  ## referee simulated matches; ARGS="--matches 20 --game short --level 1", --check, --write
	$(BIN)/python -m tests.bench.table $(ARGS)

bench-cuts: $(VENV)/.dev  ## power cuts of the table at 500 moments: the state afterwards, and the whole account
	$(BIN)/python -m tests.bench.cuts $(ARGS)

noise: $(VENV)/.dev  ## measure on DATA how the eyes err, as the simulator draws it (tests/simulator/noise.json)
	$(BIN)/python -m tests.bench.measure_noise $(DATA) $(ARGS)

bench-page: $(VENV)/.dev  ## time the page with many watching; needs chromium
	$(BIN)/python -m tests.bench.page $(ARGS)

pictures: $(VENV)/.dev  ## take the pictures of the page for docs/page; needs chromium
	$(BIN)/python -m tests.bench.page_pictures docs/page

mutate: $(VENV)/.dev  ## see whether the tests of the rules notice changed rules; hours, resumes
	@$(BIN)/python -c 'import cosmic_ray' 2>/dev/null || $(PIP) -c $(VENV)/constraints.txt cosmic-ray
	$(BIN)/python -m tests.bench.mutate --out $(VENV)/mutants.jsonl $(ARGS)

# The networks, from nothing: pictures are made and cached, then learnt from. Hours on one core; everything resumes.
#   PICTURES=6000  how many of each kind       STILLS="DIR …"  further path-traced scenes
LEARN := $(BIN)/python -m models.training
CACHE := models/training/cache
RUNS := models/training/runs
PICTURES ?= 6000
STILLS ?=
SYNTHETIC := $(CACHE)/synthetic $(CACHE)/printed

data: $(VENV)/.train  ## make the pictures that the networks learn from
	$(LEARN).generate --out $(CACHE)/synthetic --n $(PICTURES)
	$(LEARN).generate --out $(CACHE)/printed --n $$(($(PICTURES) / 10)) --printed
	$(LEARN).generate --out $(CACHE)/close --n $$(($(PICTURES) / 6)) --dice 24
	$(LEARN).checkers_data --data $(DATA) --synthetic $(SYNTHETIC) --stills $(STILLS) --out $(CACHE)/checkers
	$(LEARN).dice_data --data $(DATA) --synthetic $(CACHE)/synthetic --close $(CACHE)/close --stills $(STILLS) --out $(CACHE)/dice
	$(LEARN).finder.data --cache $(CACHE)/finder --synthesis $(CACHE)/synthetic
	$(LEARN).finder.data --cache $(CACHE)/finder --synthesis $(CACHE)/printed --count 0

# What the detector takes for dice and is none is mined with its first weights, and the reader learns from it.
# Two runs can be joined: python -m models.training.average OUT.pt ONE.pt OTHER.pt
train: $(VENV)/.train  ## train all networks on them, and write models/*.onnx with their cards
	$(LEARN).checkers_train --cache $(CACHE)/checkers --out $(RUNS)/checkers --resume
	$(LEARN).checkers_export --cache $(CACHE)/checkers --state $(RUNS)/checkers
	$(LEARN).dice_train --cache $(CACHE)/dice --out $(RUNS)/dice --resume
	$(LEARN).dice_export --cache $(CACHE)/dice --state $(RUNS)/dice
	$(LEARN).dice_mine --cache $(CACHE)/dice --data $(DATA) --synthetic $(CACHE)/synthetic --stills $(STILLS)
	$(LEARN).dice_train --cache $(CACHE)/dice --out $(RUNS)/dice --resume --find-minutes 0
	$(LEARN).dice_export --cache $(CACHE)/dice --state $(RUNS)/dice
	$(LEARN).dice_belief --data $(DATA)
	$(LEARN).finder.train --scenes $(DATA)/scenes $(STILLS) --cache $(CACHE)/finder --out $(RUNS)/finder
	$(LEARN).finder.train_edges --scenes $(DATA)/scenes $(STILLS) --cache $(CACHE)/finder --out $(RUNS)/finder
	$(LEARN).finder.export $(RUNS)/finder
	$(LEARN).finder.calibrate models --scenes $(DATA)/scenes $(STILLS) --synthesis $(CACHE)/printed

evaluate: $(VENV)/.dev  ## measure the networks on what they never saw
	$(LEARN).evaluate --data $(DATA)

clean:  ## remove what was installed and built here
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# ---- setting up: once, and again when pyproject.toml has changed ----

# An interpreter counts when it runs and is new enough: a name on the PATH alone proves nothing.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

# On a Pi, picamera2 comes from apt and was built against the system's numpy, which must therefore stay.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: sudo apt install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "venv is needed: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Setting up in $(VENV): this takes a minute, once." >&2
	@if $(PYTHON) -c 'import picamera2' 2>/dev/null; then \
		$(PYTHON) -m venv --system-site-packages $(VENV) \
		&& $(PYTHON) -c 'import numpy; print("numpy==" + numpy.__version__)' > $(VENV)/constraints.txt; \
	else $(PYTHON) -m venv $(VENV) && : > $(VENV)/constraints.txt; fi

$(VENV)/.run: pyproject.toml | $(BIN)/python
	@$(PIP) -c $(VENV)/constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(PIP) -c $(VENV)/constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.train: pyproject.toml | $(BIN)/python
	@$(PIP) -c $(VENV)/constraints.txt -e '.[dev,train]'
	@touch $@ $(VENV)/.dev $(VENV)/.run
