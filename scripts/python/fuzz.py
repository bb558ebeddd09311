"""Sends what the API document allows, and what it does not, to the real program in every role, and holds the answers
against the document: no fault, no status, no media type and no body that it does not have.

    fuzz.py target/debug/windfall            the long run
    fuzz.py target/debug/windfall --short    a short one, always the same

WINDFALL_SEED and WINDFALL_EXAMPLES choose another run. What failed is printed with a curl command that repeats it.
"""

import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

from program import PATIENCE_S, started

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Streams do not end by themselves; what ends the caller's own session or stops everything would end the run. A session that
# ended all the same fails it: what is answered with 401 throughout shows nothing.
# Ids that answers have are asked with later: of one's own session, of people.
LEFT_OUT = (
    r"(/live|/events|/sign-out|/sign-out-everywhere|/me/delete|/admin/halt|/me/password|/me/phone"
    r"|/me/sessions/\{id\}|/ban)$"
)
# The demo's people, by role.
PEOPLE = {"player": "13800000001", "operator": "13800000002", "reviewer": "13800000003", "admin": "13800000004"}
EXAMPLES_LONG = 20
# More than one, and Python 3.11 now and then fails by itself in the middle of a run: its parser counts how deep it is for all
# threads at once ("AST constructor recursion depth mismatch").
WORKERS = 1
TIMEOUT_S = PATIENCE_S

# Too busy, or too slow, is an answer that the document has.
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 503, 504]
"""


def roles(program, short):
    """Name and headers of everybody who asks: keys, then people with the cookie of their session. A short run has those that
    reach the most. Programs say nothing of where a request comes from, so that no header against forged ones is needed."""
    person = lambda role: [f"Cookie: {program.session(PEOPLE[role])}"]
    bearer = lambda *scopes: f"Authorization: Bearer {program.key(*scopes)}"
    everybody = {
        "nobody": [],
        "play": [bearer("play"), "Windfall-User: fuzz-1"],
        "admin": [bearer("admin", "inventory", "fulfil", "facts", "read")],
    }
    everybody["admin in person"] = person("admin")
    if not short:
        for role in ("player", "operator", "reviewer"):
            everybody[f"{role} in person"] = person(role)
        for scope in ("inventory", "fulfil", "facts", "read"):
            everybody[scope] = [bearer(scope)]
    return everybody


def run(program, name, headers, short):
    seed = os.environ.get("WINDFALL_SEED", "1")
    config = program.folder / "schemathesis.toml"
    config.write_text(CONFIG)
    document = program.folder / "openapi.json"
    document.write_text(program.run("openapi"))
    examples = os.environ.get("WINDFALL_EXAMPLES", str(EXAMPLES_LONG))
    command = [
        pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", config, "run", document,
        "--url", f"{program.url}/api/v1", "--checks", CHECKS, "--exclude-path-regex", LEFT_OUT, "--seed", seed,
        "--request-timeout", str(TIMEOUT_S), "--workers", str(WORKERS), "--continue-on-failure", "--no-shrink",
        "--warnings", "off", "--suppress-health-check", "all",
    ]
    command += ["--phases", "examples,fuzzing", "-n", "2"] if short else ["--phases", "examples,coverage,fuzzing", "-n", examples]
    for header in headers:
        command += ["--header", header]
    print(f"==> {name}", flush=True)
    ran = subprocess.run(command, cwd=program.folder, text=True, capture_output=True)
    ended = "Cookie" in "".join(headers) and not is_signed_in(program, headers)
    if ended:
        print(f"the session of {name} has ended: leave out what ends it", flush=True)
    # One line of figures where all is well, everything where it is not.
    print(ran.stdout[-500:] if ran.returncode == 0 else ran.stdout + ran.stderr, flush=True)
    return ran.returncode == 0 and not ended


def is_signed_in(program, headers):
    request = urllib.request.Request(f"{program.url}/api/v1/me", headers=dict(one.split(": ", 1) for one in headers))
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False


def main(binary, *options):
    short = "--short" in options
    with started(binary) as program:
        failed = [name for name, headers in roles(program, short).items() if not run(program, name, headers, short)]
        if program.process.poll() is not None:
            failed.append("the program ended")
        if "panicked" in program.log():
            failed.append("a handler panicked")
        if failed:
            sys.exit(f"fuzzing failed: {', '.join(failed)}\n{program.log()[-4000:]}")
    print("every answer was one that the API document has")


if __name__ == "__main__":
    main(*sys.argv[1:])
