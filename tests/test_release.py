"""The notes of a release, from the changelog."""

import subprocess
import sys

from tests.conftest import ROOT

NOTES = [sys.executable, str(ROOT / "scripts/release-notes")]


def run_notes(tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*NOTES, tag], capture_output=True, text=True)


def test_all_packages_have_the_version_of_the_newest_section() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = changelog.split("\n## [")[2].split("]")[0]
    notes = run_notes(f"v{version}")
    assert notes.returncode == 0, notes.stderr
    assert "### " in notes.stdout
    assert "\n## " not in notes.stdout


def test_tag_of_another_version_is_refused() -> None:
    notes = run_notes("v0.1.0")
    assert notes.returncode == 1
    assert "expected version 0.1.0" in notes.stderr
