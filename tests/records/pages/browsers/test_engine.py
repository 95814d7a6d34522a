"""The engine of the npm package on a page without the archive, in Firefox and in WebKit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import kafu
from tests.conftest import ROOT
from tests.records.pages.browsers.conftest import Start
from tests.records.pages.browsers.visitor import Visitor
from tests.services import serve_folder, wait_until

pytestmark = pytest.mark.browsers

PACKAGE: Final = ROOT / "kafu/javascript"
PAGE: Final = """<!doctype html>
<script type="module">
  import { Engine } from "./engine.js";
  try {
    const engine = await Engine.start();
    const text = await (await fetch("game.kafu")).text();
    document.title = (await engine.verify(text)).status;
  } catch ({ code, message }) {
    document.title = `${code}: ${message}`;
  }
</script>
"""
#: Seconds for loading Python: WebKit takes minutes on a busy machine.
PATIENCE: Final = 600


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a page, a game, and the files of the engine."""
    folder = tmp_path_factory.mktemp("engine")
    subprocess.run([ROOT / "scripts/node-modules"], check=True)
    subprocess.run([sys.executable, ROOT / "scripts/engine", folder / "engine"], check=True)
    for name in ("engine.js", "engine_worker.js"):
        shutil.copy(PACKAGE / name, folder)
    (folder / "index.html").write_text(PAGE)
    (folder / "game.kafu").write_text(kafu.write(kafu.simulate("koikoi", seed=1)))
    return folder


@pytest.fixture
def engine_page(files: Path) -> Iterator[str]:
    """Yield the address of the page."""
    with serve_folder(files) as address:
        yield address


def read_result(visitor: Visitor) -> str:
    """Wait for the title of the page, and return it."""
    wait_until(lambda: visitor.run("return document.title"), "the engine has ended", PATIENCE)
    return str(visitor.run("return document.title"))


def test_engine_judges_a_game(start: Start, engine_page: str) -> None:
    visitor = start()
    visitor.open(engine_page)
    assert read_result(visitor) == "verified"


def test_altered_file_of_the_engine_is_refused(start: Start, files: Path, engine_page: str) -> None:
    (wheel,) = (files / "engine").glob("kafu-*.whl")
    content = wheel.read_bytes()
    wheel.write_bytes(content + b"!")
    try:
        visitor = start()
        visitor.open(engine_page)
        assert read_result(visitor).startswith("engine-failed: ")
    finally:
        wheel.write_bytes(content)
