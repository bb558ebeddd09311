# One door for work. `make help` lists what is behind it.

.DEFAULT_GOAL := help
.PHONY: help run cluster web test check crashtest odds fuzz bench api fmt

# Passed on to the program or to the tests: make run ARGS="--listen 127.0.0.1:9000"
ARGS ?=

help: ## list the commands
	@echo "make <command> [ARGS=...]"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '  %-10s %s\n' "$$name" "$$text"; done

run: ## start Windfall with demo data and print its address
	@scripts/ensure run
	cargo run --profile quick --locked -p windfall -- demo $(ARGS)

# One node leads, the others hand requests on. Kill the leader and go on at another node.
cluster: ## start three nodes with demo data on one PostgreSQL and print their addresses
	@scripts/ensure test
	cargo build --profile quick --locked -p windfall
	@scripts/cluster target/quick/windfall $(ARGS)

web: ## build the pages, which the server embeds
	@scripts/web build

test: ## run every test, on real databases and in a real browser
	@scripts/ensure test
	@scripts/test $(ARGS)

check: ## format, lints, docs, dependencies, licences and advisories, then test: what CI runs
	@scripts/ensure run
	@echo "==> format"
	cargo fmt --all -- --check
	@echo "==> lints"
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@echo "==> the pages' format, lints and types"
	@scripts/web check
	@echo "==> the API document"
	@scripts/api check
	@echo "==> docs"
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	@echo "==> dependency direction and licences"
	cargo test --workspace --locked --test workspace
	@echo "==> advisories"
	@scripts/advisories
	@echo "==> test"
	@$(MAKE) --no-print-directory test

# Ten thousand runs of the crash simulator; the last line sums them up. WINDFALL_SEED=n replays one number.
crashtest: export WINDFALL_SEEDS ?= 10000
crashtest: ## crash the simulated ledger ten thousand times and compare with what clients were told
	@scripts/ensure run
	cargo test --release --locked -p windfall-embedded --test ledger crash::what_was_told -- --nocapture

# A million draws per mode are part of `make test`; here it is ten.
odds: export WINDFALL_DRAWS ?= 10000000
odds: ## hold ten million draws of each mode against their odds
	@scripts/ensure run
	cargo test --release --locked -p windfall-engine --test odds -- --nocapture

# Every role sends what the API document allows and what it does not; WINDFALL_EXAMPLES=n per operation, WINDFALL_SEED=n.
fuzz: ## send generated requests in every role and hold the answers against the API document
	@scripts/ensure run
	cargo build --locked -p windfall
	@scripts/api fuzz

bench: ## measure draws over HTTP beside a plain echo, and the ledger
	@scripts/ensure run
	cargo run --release --locked -p windfall -- bench http --draw
	cargo run --release --locked -p windfall -- bench ledger $(ARGS)

api: ## write the API document anew
	cargo run --locked -p windfall -- openapi > target/openapi.json
	mv target/openapi.json api/openapi.json

fmt: ## format the sources
	cargo fmt --all
	@if [ -d web/node_modules ]; then PATH="$$(scripts/node):$$PATH" && cd web && npm run format; fi
