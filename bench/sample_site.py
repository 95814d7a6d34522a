"""A temporary archive with the sample games, for measuring pages in a browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import django
from playwright.sync_api import Browser, expect, sync_playwright

from bench import ROOT
from tests import services

SETTINGS = "tests.records.pages.site_settings"


@contextmanager
def sample_site(address: str = "") -> Iterator[str]:
    """Yield the address, without a final slash, of an archive with the sample games.

    Without an ``address``, a web process and a worker run over a new archive on SQLite. Django is
    set up in this process, for modules of the tests that import models.
    """
    with tempfile.TemporaryDirectory(prefix="hana-bench-") as var:
        os.environ |= {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_ANALYSIS_DEALS": "60",
            "HANA_FACTS_SECONDS": "0",
            # All readers count as one sender here.
            "HANA_RATES": "read=100000000/60,positions=100000000/60,work=100000000/60",
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "PYTHONPATH": str(ROOT / "kafu" / "tests"),
        }
        sys.path += [str(ROOT / "kafu" / "tests"), str(ROOT / "kafu")]
        django.setup()
        if address:
            yield address.rstrip("/")
            return
        for command in (
            ["manage.py", "migrate", "--verbosity=0"],
            ["-m", "tests.records.pages.sample_archive"],
        ):
            subprocess.run(
                [sys.executable, *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
            )
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
            os.environ["HANA_URL"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
            fd = listener.fileno()
            commands = (["web", f"--fd={fd}"], ["worker"])
            processes = [
                subprocess.Popen([sys.executable, "manage.py", *command], cwd=ROOT, pass_fds=(fd,))
                for command in commands
            ]
            try:
                yield os.environ["HANA_URL"]
            finally:
                for process in processes:
                    process.terminate()
                for process in processes:
                    process.wait()


@contextmanager
def headless_browser() -> Iterator[Browser]:
    """Yield a headless Chromium."""
    # Playwright's loop stays the running one of this thread, in which Django then refuses its
    # database, which this process does not use.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=30_000)
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.chromium_path(), args=root)
        yield browser
        browser.close()
