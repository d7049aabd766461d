# make build   everything the notebooks need: bin/, .venv/, the kernel (first time: about 8 minutes; later: seconds)
# make lab     JupyterLab on the embedded lakehouse; LAB_FLAGS=--no-browser passes flags to it
# make run     every notebook, headless; the executed copies go to runs/; ends non-zero if a cell failed
# make test    format, vet, lint and all tests
# make conformance   Spark's own SQL tests, counted file by file (fetched with Maven)
# make conformance-spark   our statements and their recorded answers against a real Spark 4.0 (LAKELAB_PYSPARK_ENV)
# make conformance-trino   our statements and their recorded answers against a real Trino 476 (LAKELAB_TRINO, else one is started; Java 24+, Maven)
# make test-clients   Python's trino, Trino's JDBC driver and its command-line client against the Trino door (Java; fetched with Maven)
# make test-interop   real Spark, Trino and PyIceberg on the same tables, over PostgreSQL + S3 and over SQLite (PostgreSQL, Java 17 and 24+, Maven)
# make stress  processes that change one table at once, on SQLite and PostgreSQL, kills, power cuts, random statements against a model; ROUNDS=10 KILLS=100 CHECKS=100
# make load-trino   load and random requests on the Trino door, big results through its clients (Java; fetched with Maven)
# make bench   speed and memory, side by side with PySpark where it is set up; BENCH='-only trino' with a real Trino
# make fuzz    random expressions and queries against real Spark (LAKELAB_PYSPARK_ENV), MINUTES=10
# make clean   remove what the targets above made (not your lakehouse)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.PHONY: check build lab run test lint conformance conformance-spark conformance-trino test-clients test-interop stress load-trino bench fuzz clean

PYTHON ?= python3
VENV := .venv
# A workspace or -mod flag of the surroundings must not change what is built.
export GOWORK := off
export GOFLAGS := -buildvcs=false

# JupyterLab's settings of this environment.
LAB_CONFIG := $(VENV)/etc/jupyter/labconfig

say = @printf '\033[1m==> %s\033[0m\n' "$(1)"

GO_SOURCES := $(shell find lakelab kernel -name '*.go' -not -name '*_test.go' 2>/dev/null) go.mod go.sum

# What the README asks for, before a compiler says it in other words.
check:
	@for p in go $(PYTHON) c++; do command -v $$p >/dev/null || { echo "$$p is not on the PATH; README.md says what is needed"; exit 1; }; done
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11.5 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11, 5) else 0)'

build: check bin/lakelab bin/lakelab-kernel $(VENV)/.kernels $(LAB_CONFIG)/page_config.json

# One link of the engine takes a while (DuckDB inside), so it is written only when a source changed.
bin/lakelab: $(GO_SOURCES)
	$(call say,building the lakelab command with its engine: 3-6 minutes the first time; 20 seconds later)
	@mkdir -p bin
	@go build -o bin/lakelab ./lakelab/cmd/lakelab

bin/lakelab-kernel: $(GO_SOURCES)
	$(call say,building the kernel: some seconds)
	@mkdir -p bin
	@go build -o bin/lakelab-kernel ./kernel

bin/.tools: go.mod go.sum kernel/gopls/go.mod kernel/gopls/go.sum
	$(call say,building GoNB and goimports and gopls: 2-3 minutes the first time)
	@mkdir -p bin
	@go build -o bin/gonb github.com/janpfeifer/gonb
	@go build -o bin/goimports golang.org/x/tools/cmd/goimports
	@cd kernel/gopls && go build -o ../../bin/gopls golang.org/x/tools/gopls
	@touch $@

$(VENV)/.packages: kernel/requirements.txt
	$(call say,installing JupyterLab into $(VENV): about a minute)
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r kernel/requirements.txt
	@touch $@

$(VENV)/.kernels: $(VENV)/.packages bin/.tools bin/lakelab-kernel $(shell find lakelab -maxdepth 1 -name '*.go') $(wildcard lakelab/functions/*.go lakelab/types/*.go lakelab/internal/wire/*.go)
	$(call say,installing the kernel and preparing its archives: about 20 seconds)
	@go mod download github.com/go-echarts/go-echarts/v2
	@bin/lakelab-kernel prepare
	@bin/lakelab-kernel install --venv $(VENV) --project .
	@touch $@

# No news pop-up over the lesson, and nothing fetched for it.
$(LAB_CONFIG)/page_config.json: $(VENV)/.packages
	@mkdir -p $(@D)
	@echo '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' >$@

# Jupyter asks root, as whom containers run, for a flag of its own.
lab: build
	$(call say,JupyterLab opens in your browser; Ctrl-C ends it)
	@bin/lakelab data
	@LAKELAB_LAKEHOUSE=$(CURDIR)/lakehouse $(VENV)/bin/jupyter lab --notebook-dir=notebooks --ServerApp.ip=127.0.0.1 $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB_FLAGS)

run: build
	$(call say,running every notebook: about a minute; the executed copies go to runs/)
	@bin/lakelab run --out runs

$(VENV)/.test-packages: $(VENV)/.packages kernel/requirements-test.txt
	$(call say,installing what only the tests need: half a minute)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r kernel/requirements-test.txt
	@touch $@

test: build lint $(VENV)/.test-packages
	$(call say,running the tests: about 10 minutes)
	@go test -timeout 30m ./lakelab/... ./kernel/...

lint:
	$(call say,gofmt and vet and staticcheck: 1-2 minutes the first time)
	@out=$$(gofmt -l lakelab kernel); test -z "$$out" || { echo "gofmt wants to change: $$out"; exit 1; }
	@go vet ./lakelab/... ./kernel/...
	@go tool staticcheck ./lakelab/... ./kernel/...

conformance:
	$(call say,running Apache Spark's own SQL tests: several minutes)
	@go run ./lakelab/internal/conformance

conformance-trino:
	$(call say,running our statements on a real Trino: about three minutes; the first time half a GB is fetched)
	@go run ./lakelab/internal/trinoserver/with go test ./lakelab/engine -run 'TestTrinoSuite$$' -count=1 -timeout 30m
	@LAKELAB_REAL_TRINO=1 go test ./lakelab/engine/celldoor -run TestModule7InTrino -count=1 -timeout 10m
	@git diff --exit-code lakelab/engine/celldoor/testdata/module7.trino.txt

SPARK_ANSWERS := $(CURDIR)/.cache/spark-answers
conformance-spark:
	$(call say,running our statements on a real Spark: about fifteen minutes)
	@test -n "$(LAKELAB_PYSPARK_ENV)" || { echo "LAKELAB_PYSPARK_ENV is a shell script that puts a Python with PySpark 4.0 on PATH, with an empty Iceberg catalog named lakehouse"; exit 1; }
	@rm -rf $(SPARK_ANSWERS); mkdir -p $(SPARK_ANSWERS)
	@go run ./lakelab/cmd/lakelab data --out $(SPARK_ANSWERS)/data
	@. $(LAKELAB_PYSPARK_ENV); export LAKELAB_DATA=$(SPARK_ANSWERS)/data; \
	  python lakelab/engine/testdata/record_spark.py --into $(SPARK_ANSWERS); \
	  python lakelab/engine/testdata/record_spark.py --hive --into $(SPARK_ANSWERS); \
	  python lakelab/engine/duck/testdata/record_expressions.py --into $(SPARK_ANSWERS)
	@LAKELAB_SPARK_ANSWERS=$(SPARK_ANSWERS) go test ./lakelab/engine ./lakelab/engine/duck -run 'TestSparkScenarios|TestBasics|TestExpressions' -count=1 -v | grep -v '^=== '

TRINO_CLIENTS := $(CURDIR)/.cache/trino-clients
$(TRINO_CLIENTS):
	@command -v java mvn >/dev/null || { echo "java and mvn are needed"; exit 1; }
	@mvn -q dependency:copy -Dartifact=io.trino:trino-jdbc:476 -DoutputDirectory=$@.new
	@mvn -q dependency:copy -Dartifact=io.trino:trino-cli:476:jar:executable -DoutputDirectory=$@.new
	@mv $@.new $@

test-clients: $(VENV)/.test-packages $(TRINO_CLIENTS)
	$(call say,running real Trino clients: about three minutes)
	@LAKELAB_TRINO_CLIENTS=$(TRINO_CLIENTS) go test ./lakelab/engine -run 'TestTrinoClients|TestTrinoConnect|TestTrinoSuiteOfClients' -count=1 -timeout 30m

load-trino: $(VENV)/.test-packages $(TRINO_CLIENTS)
	$(call say,load on the Trino door: clients and commits and cancelled and abandoned queries and a result of ten million rows; some minutes)
	@LAKELAB_TRINO_LOAD=1 LAKELAB_TRINO_CLIENTS=$(TRINO_CLIENTS) go test ./lakelab/engine/trinodoor -run 'TestLoad|TestAbandoned$$|TestCancelled|TestBigResult' -count=1 -timeout 30m -v | grep -v '^=== '
	@cd lakelab/engine/trinodoor && go test -run '^$$' -fuzz FuzzHTTP -fuzztime 60s -fuzzminimizetime 10x $$(ls *.go | grep -v '^load')

test-interop: build $(VENV)/.test-packages
	$(call say,running Spark and Trino and PyIceberg on our tables: about ten minutes; the first time a gigabyte is fetched)
	@go run ./lakelab/internal/interop $(INTEROP)

# KILLS are for each way of writing: copy-on-write and merge-on-read, and deletion vectors when the power is cut.
stress:
	$(call say,changing one table from four processes and killing writers and running random statements against a model: about an hour)
	@LAKELAB_STRESS=$(or $(ROUNDS),10) go test ./lakelab/engine/lake -run 'TestStress$$' -count=1 -timeout 2h -v | grep -v '^=== '
	@LAKELAB_KILLS=$(or $(KILLS),100) go test ./lakelab/engine/lake -run 'TestCrash$$|TestPowerCut$$' -count=1 -timeout 2h -v | grep -v '^=== '
	@go test ./lakelab/engine -run 'TestModel$$' -count=1 -timeout 2h -v -rapid.checks $(or $(CHECKS),100) | tail -n 20

$(VENV)/.bench-packages: $(VENV)/.packages kernel/requirements-bench.txt
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r kernel/requirements-bench.txt
	@touch $@

bench: build $(VENV)/.bench-packages
	@go run ./lakelab/internal/bench $(BENCH)

fuzz:
	@go run ./lakelab/internal/fuzz -minutes $(or $(MINUTES),10)

clean:
	rm -rf bin .venv .cache runs
