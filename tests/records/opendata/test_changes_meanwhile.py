"""Games and names that are hidden while a dump is made are in none of its files."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

import kafu
from lengths import part
from records.facts.current import read_snapshot
from records.facts.snapshot import Snapshot
from records.models import Dump, Job, Player, Record, Visibility
from records.opendata import dump_job, files, listing, notebook, schedule
from records.services.pseudonyms import set_pseudonym
from tests.records.makers import ingest, text
from tests.records.opendata.games import ingest_games, query

pytestmark = pytest.mark.django_db


@pytest.mark.long_only  # the first test hides games later
def test_game_hidden_after_its_text_was_written_is_in_no_file(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest_games(1, 2, 3, 4, on="2026-10-05")
    first, second, third, fourth = Record.objects.order_by("pk")
    hidden = {
        first.pk: Visibility.WITHDRAWN,
        third.pk: Visibility.PRIVATE,
        fourth.pk: Visibility.UNLISTED,
    }
    monkeypatch.setattr(listing, "BATCH", 2)

    def hide_and_read_snapshot(newest: int) -> Snapshot:
        for pk, level in hidden.items():
            Record.objects.filter(pk=pk).update(visibility=level)
        return read_snapshot(newest)

    monkeypatch.setattr(files, "read_snapshot", hide_and_read_snapshot)
    dump = dump_job.make("2026-10")
    (texts,) = (dumps / dump.directory).glob("*.zst")
    assert [record.text for record in kafu.records(texts)] == [second.text]
    for name in ("games", "deals", "turns"):
        keys = query(dumps / dump.directory, f"SELECT DISTINCT game FROM '{name}.parquet'")
        assert keys == [(second.key,)]


def read_keys(dump: Dump, dumps: Path) -> set[str]:
    """Return the keys of all games in the texts and tables of a dump, the same in all of them."""
    directory = dumps / dump.directory
    keys = {key for (key,) in query(directory, "SELECT game FROM 'games.parquet'")}
    assert {key for (key,) in query(directory, "SELECT game FROM 'deals.parquet'")} == keys
    (texts,) = directory.glob("*.zst")
    keys_by_identity = dict(Record.objects.values_list("identity", "key"))
    games = [record.game for record in kafu.records(texts)]
    assert {keys_by_identity[kafu.identity(game)] for game in games if game is not None} == keys
    return keys


@pytest.mark.parametrize(
    "place",
    part(
        [
            "records.opendata.files.write_tables",
            "records.opendata.notebook.write",
            "records.opendata.files.format_readme",
            "records.opendata.dump_job.WrittenFile",
        ],
        one_of=4,
    ),
)
def test_game_hidden_while_a_dump_is_made_is_in_no_file(
    dumps: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    ingest_games(1, 2, 3, 4, on="2026-10-05")
    before, after = (Record.objects.order_by("pk")[start : start + 1] for start in (0, 3))
    hidden = [record.pk for record in (*before, *after)]
    monkeypatch.setattr(listing, "BATCH", 2)
    owner, _dot, name = place.rpartition(".")
    module = importlib.import_module(owner)
    run: Callable[..., Any] = getattr(module, name)

    def run_and_hide(*given: Any) -> Any:
        result = run(*given)
        Record.objects.filter(pk__in=hidden).update(visibility=Visibility.WITHDRAWN)
        return result

    monkeypatch.setattr(module, name, run_and_hide)
    dump = dump_job.make("2026-10")
    shown = set(Record.objects.exclude(pk__in=hidden).values_list("key", flat=True))
    assert read_keys(dump, dumps) == shown
    assert dump.manifest["counts"]["games"] == 2
    assert [path.name for path in dumps.iterdir()] == [dump.directory]


def test_name_removed_while_a_dump_is_made_is_in_no_file(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = text(1).replace('"Aya"', '"Hanako Yamada"').replace('"Ben"', '"Taro Suzuki"')
    ingest(changed.encode())
    write = notebook.write

    def write_and_rename(directory: Path) -> None:
        write(directory)
        for player in Player.objects.filter(name="Hanako Yamada"):
            set_pseudonym(player, "Wisteria")
        Player.objects.filter(name="Taro Suzuki").update(statistics=False)

    monkeypatch.setattr(notebook, "write", write_and_rename)
    dump = dump_job.make(schedule.month_of(timezone.now()))
    ((names,),) = query(dumps / dump.directory, "SELECT players FROM 'games.parquet'")
    assert names[0] == "Wisteria" and names[1].startswith("player-")
    (texts,) = (dumps / dump.directory).glob("*.zst")
    (record,) = kafu.records(texts)
    assert record.game is not None and list(record.game.players) == names


@pytest.mark.long_only  # test_dump_job.py has dumps that fail
def test_dump_whose_games_never_stop_changing_is_not_published(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump_job, "ATTEMPTS", 2)
    ingest_games(1, 2, 3, on="2026-10-05")
    write = notebook.write

    def write_and_hide(directory: Path) -> None:
        write(directory)
        newest = Record.objects.filter(visibility=Visibility.PUBLIC).latest("pk")
        Record.objects.filter(pk=newest.pk).update(visibility=Visibility.PRIVATE)

    with monkeypatch.context() as patched:
        patched.setattr(notebook, "write", write_and_hide)
        with pytest.raises(CommandError, match="hidden or changed"):
            call_command("dump", "--month", "2026-10")
    assert list(dumps.iterdir()) == []
    assert Job.objects.get(kind="dump").state == "failed" and not Dump.objects.exists()
    assert dump_job.make("2026-10").manifest["counts"]["games"] == 1
