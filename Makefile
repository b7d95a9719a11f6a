# Two commands matter: `make train` trains a policy, `make test` runs every check. Both do all set-up, and are quick
# the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
CARGO := cargo
REPORTS := reports
CLIENT_SOURCES := web/index.html web/openapi.json web/vite.config.ts web/tsconfig.json $(shell find web/src web/public web/tools -type f ! -name schema.d.ts)
NATIVE_SOURCES := $(shell find crates -name '*.rs' -o -name 'Cargo.toml') Cargo.toml
PYTHON_SOURCES := $(shell find src -type f ! -path '*/static/*' ! -name '*.pyc' ! -name '*.so')
export CARGO_TERM_COLOR ?= auto
# A check wants results, not the fastest core: without whole-program optimization and tables of lines it is built in
# half of the time.
ifdef CI
export CARGO_INCREMENTAL = 0
export CARGO_PROFILE_DEV_DEBUG = 0
export CARGO_PROFILE_DEV_OPT_LEVEL = 1
export CARGO_PROFILE_RELEASE_DEBUG = 0
export CARGO_PROFILE_RELEASE_LTO = false
export CARGO_PROFILE_RELEASE_CODEGEN_UNITS = 16
endif

.DEFAULT_GOAL := help
.PHONY: help setup train serve test lint types rust python web browser parity audit bench nightly sanitize wheel clean format

help: ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The core is compiled while the client's packages are fetched.
setup: ## Install everything, build core and client
	@$(MAKE) --no-print-directory --jobs 3 $(STAMPS)/pufferlib $(STAMPS)/client $(STAMPS)/hooks

train: $(STAMPS)/native ## Train a prospector policy and compare it with the scripted baselines
	$(BIN)/diorama train prospector

serve: setup ## Open the web client on the runs under runs/; makes demo runs where there are none
	$(BIN)/diorama serve --open

# Linking and downloads leave a core idle for minutes: the core's own tests, which need nothing installed, fit in. A
# browser waits half of its time: the Python tests go beside it, and then every check that runs on one core.
test: ## Run every check
	@$(MAKE) --no-print-directory --jobs 2 setup rust
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target browser python types lint web parity

lint: setup ## Formatting, style, layers, vocabulary, commit tracking
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(CARGO) fmt --all --check
	$(BIN)/lint-imports
	$(BIN)/python tools/check_vocabulary.py
	$(BIN)/python tools/tracking_check.py --log

types: setup ## Static types, and the stubs against the compiled module
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks tools examples
	$(BIN)/python -m mypy.stubtest diorama._native --mypy-config-file pyproject.toml

rust: ## Clippy and the tests of the native core
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	$(CARGO) test --workspace --lib --bins --tests --quiet

python: setup ## The Python tests
	$(BIN)/pytest -n 2 -m "not slow" tests

web: $(STAMPS)/client ## Format, types and unit tests of the web client
	cd web && npm run lint && npm run check && npm test

browser: setup $(STAMPS)/chromium ## The web client on a real server in a real Chromium; pictures in build/screenshots
	cd web && npm run e2e

parity: parity-prospector parity-tidebreak parity-townlet parity-gameboy parity-morphogenesis ## Both tiers in lockstep, quick form

parity-%: setup
	$(BIN)/diorama parity $* --quick

audit: setup ## Known weaknesses of everything that is installed, as far as their databases can be reached
	$(BIN)/python tools/audit.py

# Every measurement runs and leaves its report, whatever the ones before it found; one that fails fails the whole.
MEASURE = measure() { echo "== $$1"; script="benchmarks/$$1.py"; shift; $(BIN)/python "$$script" "$$@" || failed=1; }; failed=0
BENCHMARKS = \
	measure stepping --json $(REPORTS)/stepping.json; \
	measure training --json $(REPORTS)/training.json; \
	measure tidebreak --json $(REPORTS)/tidebreak.json; \
	measure townlet --json $(REPORTS)/townlet.json; \
	measure gameboy --quick --json $(REPORTS)/gameboy.json; \
	measure morphogenesis --json $(REPORTS)/morphogenesis.json; \
	measure solve --json $(REPORTS)/solve.json; \
	measure bench --max-replay-latency-p95-ms 20; \
	measure replay_api; \
	measure run_listing; \
	measure cold_start; \
	measure first_frame; \
	measure viewers; \
	measure spectators; \
	measure live_loop; \
	measure spectator_cost; \
	measure data_parallel; \
	measure native_inference; \
	measure self_play; \
	$(CARGO) bench --workspace || failed=1

bench: setup ## Measure stepping, training and the server; writes reports/
	$(BIN)/python -m pip install --quiet --constraint constraints.txt envpool
	mkdir -p $(REPORTS)
	@$(MEASURE); $(BENCHMARKS); exit $$failed

nightly: setup ## The long checks: whole parity matrix, slow tests, stability, floors, benchmarks
	$(BIN)/python -m pip install --quiet --constraint constraints.txt envpool optuna warp-lang "ray[tune]" dm_tree lz4 ormsgpack scipy
	mkdir -p $(REPORTS)
	@$(MEASURE); \
	$(BIN)/diorama parity prospector --full --json $(REPORTS)/parity.json || failed=1; \
	$(BIN)/diorama parity tidebreak --full --json $(REPORTS)/parity_tidebreak.json || failed=1; \
	$(BIN)/diorama parity townlet --full --json $(REPORTS)/parity_townlet.json || failed=1; \
	$(BIN)/diorama parity gameboy --full --json $(REPORTS)/parity_gameboy.json || failed=1; \
	$(BIN)/diorama parity morphogenesis --full --json $(REPORTS)/parity_morphogenesis.json || failed=1; \
	$(BIN)/pytest -n 2 -m slow tests || failed=1; \
	DIORAMA_FUZZ=2000 $(BIN)/pytest -n 2 tests/fuzz || failed=1; \
	$(BIN)/python -m tests.campaigns --json $(REPORTS)/campaigns.json || failed=1; \
	$(MAKE) --no-print-directory sanitize || failed=1; \
	DIORAMA_NIGHT=1 $(MAKE) --no-print-directory browser || failed=1; \
	$(BIN)/python tools/audit.py || failed=1; \
	$(BENCHMARKS); \
	measure memory_soak; \
	measure soak --minutes 120; \
	measure stability --cycles 3; \
	measure profile_ws; \
	measure profile_throughput; \
	test -f $(REPORTS)/throughput_matrix.json \
	  || measure throughput_matrix --required-trainer-backends ppo --fail-on-coverage-gap; \
	measure gate_floors --matrix $(REPORTS)/throughput_matrix.json; \
	test -f $(REPORTS)/morphogenesis_baseline.json \
	  || measure morphogenesis_pace --json $(REPORTS)/morphogenesis_baseline.json; \
	measure morphogenesis_pace --baseline $(REPORTS)/morphogenesis_baseline.json; \
	exit $$failed

wheel: $(STAMPS)/wheel ## Build the wheel and the source package into dist/

sanitize: $(STAMPS)/native ## Memory, undefined behaviour and races in the native core, with whatever is installed
	$(BIN)/python tools/sanitize.py --json $(REPORTS)/sanitize.json

format: setup ## Rewrite all code in our format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(CARGO) fmt --all

clean: ## Remove everything that was built
	rm -rf $(VENV) target build dist $(REPORTS) src/diorama/_native*.so src/diorama/server/static web/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMPS)/venv: constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade --constraint constraints.txt pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt maturin
	mkdir -p $(STAMPS) && touch $@

$(STAMPS)/native: $(STAMPS)/venv pyproject.toml constraints.txt $(NATIVE_SOURCES)
	PIP_CONSTRAINT=constraints.txt PIP_QUIET=1 VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --extras dev,export,learn,morphogenesis,operate,oracle,sb3,serve,track
	touch $@

# PufferLib's source package builds only with its bundled environments switched off, and then trips over a name that
# tools/pufferlib_build supplies. It asks for old versions of packages it works well without.
$(STAMPS)/pufferlib: $(STAMPS)/native tools/pufferlib_build/sitecustomize.py
	$(BIN)/python -m pip install --quiet --constraint constraints.txt setuptools wheel psutil gym
	PYTHONPATH=$(CURDIR)/tools/pufferlib_build NO_OCEAN=1 NO_TRAIN=1 \
	  $(BIN)/python -m pip install --quiet --no-build-isolation --no-deps pufferlib==3.0.0
	touch $@

# `npm ci` refuses where a registry lacks the packages of other platforms; package.json pins every version all the same.
$(STAMPS)/node_modules: web/package.json web/package-lock.json web/.npmrc $(STAMPS)/venv
	cd web && npm install --no-save --no-audit --no-fund --loglevel=error
	touch $@

$(STAMPS)/client: $(STAMPS)/node_modules $(CLIENT_SOURCES)
	cd web && npm run build
	touch $@

# The wheel is built from the source package, so that both are known to be whole. Paths of this machine would stay in
# the messages of panics.
$(STAMPS)/wheel: $(STAMPS)/native $(STAMPS)/client $(PYTHON_SOURCES) README.md LICENSE tools/write_notices.py
	rm -rf dist
	$(BIN)/python tools/write_notices.py
	RUSTFLAGS="--remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}/registry/src=registry" \
	  $(BIN)/maturin build --release --sdist --out dist
	touch $@

$(STAMPS)/chromium: tools/install_chromium.sh $(STAMPS)/venv
	tools/install_chromium.sh
	touch $@

$(STAMPS)/hooks: $(STAMPS)/venv
	git rev-parse --git-dir >/dev/null 2>&1 && git config core.hooksPath .githooks || true
	touch $@
