"""A real lab on a free port and a real Chromium, for the browser tests and for `shots.py`."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Browser, Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "apps" / "app.py"
DEMO = ROOT / "tests" / "browser" / "demo" / "app.py"
START_SECONDS = 60
# --no-sandbox: Chromium refuses to sandbox itself as root. The others keep it from calling home.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def chromium() -> str:
    """The browser's executable: $CHROMIUM, or the first one installed. Raises RuntimeError without one."""
    candidates = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), MAC]
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return candidate
    raise RuntimeError(
        "The browser tests need Chromium or Chrome and found none. Install it (Debian: apt-get install "
        "chromium; macOS: brew install --cask chromium), or set CHROMIUM to its executable."
    )


@contextmanager
def served(app: Path = APP) -> Iterator[str]:
    """The address of a lab that runs until the context ends. Raises RuntimeError with its log if it fails."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(app)]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with (
        tempfile.TemporaryFile("w+") as log,  # a pipe that nobody reads would fill up and stop the server
        subprocess.Popen(command + options, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT) as server,
    ):
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(address, server, log)
            yield address
        finally:
            server.terminate()


def _wait_for(address: str, server: "subprocess.Popen[bytes]", log: IO[str]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if server.poll() is not None:
            log.seek(0)
            raise RuntimeError(f"The lab did not start:\n{log.read()}")
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"The lab did not answer on {address} within {START_SECONDS} s.")


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium, until the context ends."""
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield instance
        instance.close()


def go(page: Page, address: str, slug: str = "", **parameters: Any) -> None:
    """Take a tab to the page `slug` with these parameters in its link, and wait until it is drawn."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    page.goto(f"{address}/{slug}{query}")
    wait_idle(page)


def parameters(page: Page) -> dict[str, str]:
    """What stands in the page's address, by name."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def wait_idle(page: Page, seconds: float = 60) -> None:
    """Wait until the page has a title, no script runs, and the document has its language."""
    page.wait_for_selector("[data-testid='stMain'] h1", timeout=seconds * 1000)
    page.wait_for_selector(".stApp[data-test-script-state='notRunning']", timeout=seconds * 1000)
    page.wait_for_function(
        "document.querySelector('.st-key-top [aria-checked=true]')"
        " && document.documentElement.dir !== ''"
        " && !document.querySelector('[data-stale=true]')",
        timeout=seconds * 1000,
    )


def choose(box: Locator, option: str) -> None:
    """Type into a list and press Enter, as one does without a mouse."""
    box.evaluate("e => e.scrollIntoView({ block: 'center' })")  # at the window's edge the list has no room
    box.fill(option)
    box.page.get_by_role("option", name=option, exact=True).wait_for()
    box.press("Enter")
