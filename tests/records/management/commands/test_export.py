"""`manage.py export`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from records.models import Record
from records.search import export_forms
from records.search.export import games as whole_games
from tests.conftest import Hana
from tests.records.makers import ingest, joined, text, with_wrong_score

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts in the archive, the newest first; a note is taken after every two."""
    monkeypatch.setattr(export_forms, "_BLOCK", 2)
    ingest(joined(*(text(seed) for seed in range(1, 6)), with_wrong_score(9)))
    return list(Record.objects.order_by("-pk").values_list("text", flat=True))


@pytest.mark.parametrize("form", export_forms.FORMS)
def test_the_file_is_what_the_api_sends(games: list[str], tmp_path: Path, form: str) -> None:
    target = tmp_path / "games"
    call_command("export", "--format", form, "--output", str(target), "--status", "verified")
    answer: Any = Client().get("/api/v1/records", {"format": form, "status": "verified"})
    assert target.read_bytes() == answer.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def test_standard_output(hana: Hana, hana_env: Any, tmp_path: Path) -> None:
    env = hana_env()
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(text(1).replace("Aya", "花"), text(2)))
    hana("ingest", str(path), env=env)
    out = hana("export", "--player", "花", "--player", "Ben", "--format", "ndjson", env=env).stdout
    assert [json.loads(line)["players"][0]["name"] for line in out.splitlines()] == ["花"]
    assert hana("export", "--ruleset", "hanaawase", env=env).stdout == ""
    said = hana("export", "--ruleset", "poker", "--deals-min", "x", env=env, status=2).stderr
    assert "--ruleset: " in said and "--deals-min: " in said


@pytest.mark.parametrize("form", export_forms.FORMS)
@pytest.mark.parametrize("after", range(1, 6))
def test_broken_off_it_goes_on(
    games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, after: int
) -> None:
    whole, target = tmp_path / "whole", tmp_path / "games"
    call_command("export", "--format", form, "-o", str(whole))

    left = after

    def cut(places: Any) -> Any:
        nonlocal left
        for one in whole_games(places):
            left -= 1
            if left < 0:
                raise OSError(28, "No space left on device")
            yield one

    monkeypatch.setattr(export_forms, "games", cut)
    with pytest.raises(CommandError, match="No space left"):
        call_command("export", "--format", form, "-o", str(target))
    assert not target.exists()
    monkeypatch.setattr(export_forms, "games", whole_games)
    ingest(text(20).encode())  # comes before all others: not in a list that is under way
    call_command("export", "--format", form, "-o", str(target))
    if after >= 2:
        assert target.read_bytes() == whole.read_bytes()
    else:
        assert len(target.read_bytes()) > len(whole.read_bytes())  # nothing was noted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "whole"]


def test_another_question_starts_again(games: list[str], tmp_path: Path) -> None:
    target = tmp_path / "games"
    part, note = tmp_path / "games.part", tmp_path / "games.part.json"
    for said in ("{}", "[", '{"asked": "x", "after": [1], "games": 2, "bytes": 3}'):
        part.write_bytes(b"abc")
        note.write_text(said)
        call_command("export", "-o", str(target))
        assert target.read_text() == "".join(f"{game}\n" for game in games)
        assert not part.exists() and not note.exists()
    with pytest.raises(CommandError, match="No such file"):
        call_command("export", "-o", str(tmp_path / "a" / "b"))
