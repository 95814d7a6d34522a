"""`manage.py export`."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import QueryDict
from django.test import Client

from lengths import LONG
from records.models import Player, Record, Visibility
from records.privacy import change_log
from records.search import export_file, export_forms, filters
from records.search.export import games as whole_games
from records.services.pseudonyms import set_pseudonym
from tests.records.makers import ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.usefixtures("without_facts")]


@pytest.fixture
def games(db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts in the archive, the newest first; progress is saved every two games."""
    monkeypatch.setattr(export_file, "BLOCK", 2)
    ingest(joined(*(text(seed) for seed in range(1, 6)), with_wrong_score(9)))
    return list(Record.objects.order_by("-pk").values_list("text", flat=True))


@pytest.mark.parametrize("form", export_forms.FORMS)
def test_file_has_the_bytes_of_the_api_response(
    games: list[str], tmp_path: Path, form: str
) -> None:
    target = tmp_path / "games"
    call_command("export", "--format", form, "--output", str(target), "--status", "verified")
    response: Any = Client().get("/api/v1/records", {"format": form, "status": "verified"})
    assert target.read_bytes() == response.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def test_filtered_games_are_written_to_standard_output(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    ingest(joined(text(1).replace("Aya", "花"), text(2)))
    call_command("export", "--player", "花", "--player", "Ben", "--format", "ndjson")
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert [json.loads(line)["players"][0]["name"] for line in lines] == ["花"]
    call_command("export", "--ruleset", "hanaawase")
    assert capfdbinary.readouterr().out == b""


def test_invalid_filters_are_named() -> None:
    with pytest.raises(CommandError) as refused:
        call_command("export", "--ruleset", "poker", "--deals-min", "x")
    assert refused.value.returncode == 2
    assert "--ruleset: " in str(refused.value) and "--deals-min: " in str(refused.value)


@pytest.mark.parametrize(
    ("form", "after"),
    list(product(export_forms.FORMS, range(1, 6)))
    if LONG
    else [("csv", 1), *product(export_forms.FORMS, (3,))],
)
def test_interrupted_export_is_continued(
    games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, after: int
) -> None:
    whole, target = tmp_path / "whole", tmp_path / "games"
    call_command("export", "--format", form, "-o", str(whole))

    remaining = iter(range(after))

    def interrupted_games(places: Any) -> Any:
        for game in whole_games(places):
            if next(remaining, None) is None:
                raise OSError(28, "No space left on device")
            yield game

    monkeypatch.setattr(export_file, "games", interrupted_games)
    with pytest.raises(CommandError, match="No space left"):
        call_command("export", "--format", form, "-o", str(target))
    assert not target.exists()
    monkeypatch.setattr(export_file, "games", whole_games)
    ingest(text(20).encode())  # A game before all others is not in an export that has begun.
    call_command("export", "--format", form, "-o", str(target))
    if after >= 2:
        assert target.read_bytes() == whole.read_bytes()
    else:
        assert len(target.read_bytes()) > len(whole.read_bytes())  # nothing was saved yet
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "whole"]


def test_progress_of_another_query_is_discarded(games: list[str], tmp_path: Path) -> None:
    target = tmp_path / "games"
    part, progress = tmp_path / "games.part", tmp_path / "games.part.json"
    for saved in ("{}", "[", '"x"\n[3, [1], [[[1], 2]]]\n'):
        part.write_bytes(b"abc")
        progress.write_text(saved)
        call_command("export", "-o", str(target))
        assert target.read_text() == "".join(f"{game}\n" for game in games)
        assert not part.exists() and not progress.exists()
    with pytest.raises(CommandError, match="No such file"):
        call_command("export", "-o", str(tmp_path / "a" / "b"))


@pytest.mark.parametrize("form", export_forms.FORMS)
def test_game_hidden_while_a_file_is_written_is_left_out(
    games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    target, expected = tmp_path / "games", tmp_path / "expected"
    newest = list(Record.objects.order_by("-pk").values_list("pk", flat=True))
    player = Player.objects.get(name="Aya")

    def hide_and_rename(count: int) -> None:
        if count == len(games):
            hidden = Record.objects.filter(pk__in=(*newest[:2], newest[-1]))
            hidden.update(visibility=Visibility.WITHDRAWN)
            set_pseudonym(player, "Wisteria")

    selection = filters.read(QueryDict())[0]
    count = export_file.write_file(target, form, selection, hide_and_rename)
    assert count == len(games) - 3
    assert export_file.write_file(expected, form, selection) == count
    assert target.read_bytes() == expected.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["expected", "games"]


def test_file_whose_games_never_stop_changing_does_not_appear(
    games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_change(places: Any) -> Any:
        yield from whole_games(places)
        change_log.mark(Record.objects.all())

    monkeypatch.setattr(export_file, "ATTEMPTS", 2)
    with monkeypatch.context() as patched:
        patched.setattr(export_file, "games", read_and_change)
        with pytest.raises(CommandError, match="hidden or changed"):
            call_command("export", "-o", str(tmp_path / "games"))
    assert not (tmp_path / "games").exists()
    call_command("export", "-o", str(tmp_path / "games"))
    assert (tmp_path / "games").read_text() == "".join(f"{text}\n" for text in games)
    assert [path.name for path in tmp_path.iterdir()] == ["games"]
