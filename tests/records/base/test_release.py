"""The word that identifies the files of the archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from records.base import release

ROOT = Path(release.__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "path",
    ["records/states.py", "templates/base.html", "templates/rules/koikoi.ja.md"],
)
def test_changed_file_changes_the_word(path: str, tmp_path: Path) -> None:
    file = tmp_path / "part" / Path(path).name
    file.parent.mkdir()
    content = (ROOT / path).read_bytes()
    words = []
    for changed in (content, content + b"\n", content):
        file.write_bytes(changed)
        words.append(release._hash_files.__wrapped__((file.parent,), ()))
    assert words[0] == words[2] != words[1]
    assert len(words[0]) == 16
