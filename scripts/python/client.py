"""A client generated from the API document draws, reserves and buys on the real program, as a company's backend would.

    client.py target/debug/windfall
"""

import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from program import PATIENCE_S, started

PACKAGE = "windfall_client"


def generate(document, folder):
    """The generated package, importable."""
    target = pathlib.Path(folder) / PACKAGE
    tool = pathlib.Path(sys.executable).parent
    # The generator tidies up with a tool that it finds on the path.
    path = f"{tool}{os.pathsep}{os.environ['PATH']}"
    command = [tool / "openapi-python-client", "generate", "--path", document, "--output-path", target, "--meta", "none"]
    made = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})
    if made.returncode != 0 or not (target / "client.py").exists():
        sys.exit(f"no client can be generated:\n{made.stdout}\n{made.stderr}")
    sys.path.insert(0, folder)


def part(path):
    return importlib.import_module(f"{PACKAGE}.{path}")


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r} instead of {wanted!r}")


def answer(what, operation, status, **arguments):
    got = operation.sync_detailed(**arguments)
    expect(f"{what} ({got.content[:300]!r})", got.status_code, status)
    return got.parsed


def draw(client, models):
    """Once, and the same again under the same id."""
    play = lambda name: part(f"api.play.{name}")
    listed = answer("activities", play("play_activity_list"), 200, client=client)
    body = models.DrawRequest(id="draw-1", draws=1)
    for row in listed.items:
        arguments = {"client": client, "id": row.id, "body": body, "windfall_user": "shop-1"}
        # One activity of the demo is for newcomers who are known to be: the next is for everybody.
        if row.kind == "instant" and row.state == "running":
            got = play("draw_create").sync_detailed(**arguments)
            if got.parsed is None or getattr(got.parsed, "code", None) != "not_eligible":
                break
    expect(f"a draw ({got.content[:300]!r})", got.status_code, 201)
    first = got.parsed
    again = answer("the same draw", play("draw_create"), 200, **arguments)
    expect("the same draw", again.draws, first.draws)


def reserve(client, models):
    """Two of three, no third and fourth, and confirmed."""
    stock = lambda name: part(f"api.inventory.{name}")
    answer("a pool", stock("pool_open"), 201, client=client,
           body=models.PoolRequest(id="open-1", name="seats", total=3))
    lines = [models.LineRequest(pool="seats", quantity=2)]
    hold = lambda name: models.HoldRequest(id=name, lines=lines, ttl_ms=600_000)
    held = answer("a hold", stock("hold_reserve"), 201, client=client, body=hold("order-1"))
    expect("the hold", held.state, "held")
    refused = answer("one too many", stock("hold_reserve"), 409, client=client, body=hold("order-2"))
    expect("one too many", refused.code, "sold_out")
    # Nothing has to be said: without a body all of it is confirmed.
    confirmed = answer("a confirmation", stock("hold_confirm"), 200, client=client, id="order-1")
    expect("the confirmed hold", confirmed.state, "confirmed")


def buy(client, models):
    """A token, an attempt, and the order that comes of it."""
    sales = lambda name: part(f"api.sales.{name}")
    listed = answer("sales", sales("sale_list"), 200, client=client)
    is_open = lambda row: row.state == "running" and not row.sold_out and not row.gate.captcha and not row.gate.room
    sale = next(row for row in listed.items if is_open(row))
    user = {"client": client, "windfall_user": "shop-2"}
    right = answer("a token", sales("sale_token_create"), 201, id=sale.id, **user)
    attempt = answer("an attempt", sales("sale_attempt"), 202, id=sale.id, idempotency_key="buy-1",
                     body=models.AttemptRequest(token=right.token, quantity=1), **user)
    decided = None
    while decided is None or decided.state == "queued":
        decided = answer("the decision", sales("attempt_get"), 200, id=attempt.id, wait_ms=25_000, **user)
    expect("the decision", decided.state, "ordered")


def main(binary):
    with tempfile.TemporaryDirectory(prefix="windfall-client-") as folder, started(binary) as program:
        document = pathlib.Path(folder) / "openapi.json"
        document.write_text(program.run("openapi"))
        expect("the document", json.loads(document.read_text())["openapi"][:3], "3.1")
        generate(document, folder)
        models = part("models")
        url = f"{program.url}/api/v1"
        with_key = lambda *scopes: part("client").AuthenticatedClient(base_url=url, token=program.key(*scopes), timeout=PATIENCE_S)
        draw(with_key("play"), models)
        reserve(with_key("inventory"), models)
        buy(with_key("play"), models)
    print("a client generated for Python draws, reserves and buys")


if __name__ == "__main__":
    main(*sys.argv[1:])
