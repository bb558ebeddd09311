"""The real program with demo data, on a free port and in a folder of its own, for as long as it is needed."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

# Far beyond what anything takes on the busiest machine, so that only a real hang ends a wait.
PATIENCE_S = 300
ROOMY = {
    f"WINDFALL__LIMITS__{name}_PER_MINUTE": "100000000"
    for name in ("IP", "USER", "KEY", "SIGN_IN_IP", "SALE_USER", "SALE_IP")
} | {
    "WINDFALL__PASSWORDS__MEMORY_KIB": "1024",
    "WINDFALL__PASSWORDS__PASSES": "1",
    "WINDFALL__CODE__PHONE_DAILY_MAX": "1000",
    "WINDFALL__CODE__IP_DAILY_MAX": "1000000",
} | {
    # However slow the machine is, the server gives nothing up by the clock.
    f"WINDFALL__{name}_MS": "600000"
    for name in (
        "HTTP__HEADER_TIMEOUT", "HTTP__REQUEST_TIMEOUT", "HTTP__WRITE_TIMEOUT",
        "SQLITE__BUSY_TIMEOUT", "SQLITE__READ_WAIT", "LEDGER__ROWS_WAIT", "LEDGER__RECONCILE_WAIT",
    )
}


class Program:
    def __init__(self, binary, folder, process, url):
        self.binary, self.folder, self.process, self.url = binary, folder, process, url

    def run(self, *arguments):
        """What a command of the program prints."""
        command = [self.binary, *arguments, "--data", str(self.folder / "data")]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=self.folder).stdout.strip()

    def key(self, *scopes):
        """The secret of a new API key."""
        wanted = [word for scope in scopes for word in ("--scope", scope)]
        return self.run("admin", "create-key", "--name", "-".join(scopes), *wanted).split()[-1]

    def session(self, phone):
        """The cookie of one of the demo's people, who sign in by password."""
        body = json.dumps({"phone": phone, "password": "windfall-demo"}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/v1/auth/sign-in/password", body, headers)
        with urllib.request.urlopen(request) as answer:
            return answer.headers["Set-Cookie"].split(";")[0]

    def log(self):
        return (self.folder / "log").read_text(errors="replace")


@contextlib.contextmanager
def started(binary):
    with tempfile.TemporaryDirectory(prefix="windfall-api-") as name:
        folder = pathlib.Path(name)
        with open(folder / "out", "w") as out, open(folder / "log", "w") as log:
            process = subprocess.Popen(
                [binary, "demo", "--listen", "127.0.0.1:0", "--data", str(folder / "data")],
                cwd=folder, env={**os.environ, **ROOMY}, stdin=subprocess.DEVNULL, stdout=out, stderr=log,
            )
        try:
            yield Program(binary, folder, process, address(folder, process))
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def address(folder, process):
    """Where it listens: it says so once it is ready."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        found = re.search(r"^ *Page +(http://\S+?)/$", (folder / "out").read_text(), re.MULTILINE)
        if found:
            return found.group(1)
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"the program did not start:\n{(folder / 'log').read_text()}")
