"""Firefox and WebKitGTK as Debian packages them, driven by Selenium."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from selenium.webdriver import Remote, WebKitGTK
from selenium.webdriver.firefox.options import Options as FirefoxOptions
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions
from selenium.webdriver.webkitgtk.service import Service

from tests.records.pages.browsers.marionette import MarionetteConnection
from tests.services import wait_until

Engine = Literal["firefox", "webkit"]
ENGINES: Final[tuple[Engine, ...]] = ("firefox", "webkit")
#: Firefox opens no page of its own, and chooses free ports for its two protocols.
PREFERENCES: Final = {"marionette.port": 0, "datareporting.policy.dataSubmissionEnabled": False}
#: The tool bar of WebKit's small browser would not fit into a window as narrow as a phone.
NARROW_TOOL_BAR: Final = "* { min-width: 0; padding: 0; font-size: 6px; }"


def find_program(*names: str) -> str:
    """Return the path of the first installed program, or fail."""
    path = next((path for path in map(shutil.which, names) if path), None)
    if path is None:
        pytest.fail(f"{names[0]} is missing: run scripts/test-services browsers", pytrace=False)
    return path


@contextmanager
def start_firefox(folder: Path, **preferences: Any) -> Iterator[Remote]:
    """Run Firefox without a window, with a new profile in a folder."""
    lines = (f"user_pref({json.dumps(n)}, {json.dumps(v)});" for n, v in preferences.items())
    (folder / "user.js").write_text("\n".join(lines))
    port = folder / "MarionetteActivePort"
    command = [find_program("firefox-esr", "firefox"), "--headless", "--profile", str(folder)]
    command += ["--marionette", "--remote-debugging-port=0"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    options = FirefoxOptions()
    options.enable_bidi = True
    options.page_load_strategy = "none"  # drivers wait for minutes where a visitor goes on
    try:
        wait_until(lambda: port.exists() and port.read_text(), "Firefox is ready", 60)
        connection = MarionetteConnection(int(port.read_text()))
        driver = Remote(connection, options=options, file_detector=UselessFileDetector())
        yield driver
        driver.quit()
    finally:
        process.terminate()
        process.wait()


@contextmanager
def start_webkit(folder: Path, display: str) -> Iterator[Remote]:
    """Run WebKit's small browser on a display, with nothing stored."""
    (folder / "gtk-3.0").mkdir()
    (folder / "gtk-3.0" / "gtk.css").write_text(NARROW_TOOL_BAR)
    places = {"DISPLAY": display, "XDG_CONFIG_HOME": str(folder)}
    service = Service(find_program("WebKitWebDriver"), env=os.environ | places)
    options = WebKitOptions()
    options.page_load_strategy = "none"
    driver = WebKitGTK(options, service)
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def start_display() -> Iterator[str]:
    """Run an X server without a screen, and yield the name of its display."""
    reader, writer = os.pipe()
    command = [find_program("Xvfb"), "-displayfd", str(writer), "-screen", "0", "1400x1000x24"]
    process = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as number:
            yield f":{number.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


def resize(driver: Remote, width: int, height: int) -> None:
    """Give the page a window of this size, without the browser's own bars."""
    if driver.name == "firefox":
        # A window of Firefox is at least 450 wide.
        size = {"width": width, "height": height}
        driver.browsing_context.set_viewport(driver.current_window_handle, size)
        return
    driver.set_window_size(width, height)
    bars: int = height - driver.execute_script("return innerHeight")
    driver.set_window_size(width, height + bars)
