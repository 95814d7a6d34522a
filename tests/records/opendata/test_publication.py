"""The hourly publication: hidden games and names, killed processes, old files, its schedule."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db.models import Q
from pyiceberg.table import StaticTable

from hanaarchive.environment import parse_bucket
from records.base import clock
from records.models import Job, Player, Record, Visibility
from records.opendata.publication import job, manifest, parts
from records.opendata.publication.tables import TABLES
from records.services.pseudonyms import set_pseudonym
from tests.records.makers import ingest, joined, text
from tests.records.opendata.games import refresh
from tests.records.opendata.published import find_parts, open_tables, publish, read_manifest
from tests.services import BucketServer

pytestmark = pytest.mark.django_db
GAMES = 9
#: PyIceberg reads local files by PyArrow otherwise, which is not installed.
_LOCAL = {"py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO"}
#: The tables of these tests.
SHOWN = {"games", "deals", "throws"}
#: Games in the first and in the last block.
ENDS = Q(pk__lte=1) | Q(pk__gte=GAMES)


@pytest.fixture(scope="module", autouse=True)
def games(rows_for_all: None) -> None:
    """Store some games, in three blocks."""
    named = text(1).replace('"Aya"', '"Hanako Yamada"').replace('"Ben"', '"Taro Suzuki"')
    ingest(joined(named, *(text(seed) for seed in range(2, GAMES + 1))))


@pytest.fixture(autouse=True)
def few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish few tables, which takes a quarter of the time."""
    for name in set(TABLES) - SHOWN:
        monkeypatch.delitem(TABLES, name)


def hide(games: Q, visibility: Visibility = Visibility.WITHDRAWN) -> None:
    """Change the visibility of games."""
    Record.objects.filter(games).update(visibility=visibility)


def are_public_games_shown(public: Path) -> bool:
    """Return whether the newest publication has exactly the public games, in two tables."""
    keys = set(Record.objects.filter(visibility=Visibility.PUBLIC).values_list("key", flat=True))
    with open_tables(public) as tables:
        shown = [
            {key for (key,) in tables.execute(f"SELECT DISTINCT game FROM {name}").fetchall()}
            for name in ("games", "deals")
        ]
    assert shown[0] == shown[1]
    return shown[0] == keys


def list_files(public: Path) -> set[str]:
    """Return the names of all stored files."""
    return {str(path.relative_to(public)) for path in public.rglob("*") if path.is_file()}


def test_hidden_game_leaves_with_the_next_publication_and_its_files_later(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = publish()
    assert are_public_games_shown(public)
    hide(Q(pk=1))
    second = publish()
    assert are_public_games_shown(public)
    assert {part.block for part in {*first.parts} ^ {*second.parts}} == {0}
    old = {part.path for part in first.parts} - {part.path for part in second.parts}
    assert old and old <= list_files(public)
    now = clock.now() + manifest.KEPT
    monkeypatch.setattr(clock, "now", lambda: now)
    third = publish()
    assert third.parts == second.parts
    assert not old & list_files(public)
    assert find_parts(public)


def test_hidden_names_leave_with_the_next_publication(public: Path) -> None:
    publish()
    set_pseudonym(Player.objects.get(name="Hanako Yamada"), "Wisteria")
    Player.objects.filter(name="Taro Suzuki").update(statistics=False)
    publish()
    with open_tables(public) as tables:
        names = {name for (name,) in tables.execute("SELECT unnest(players) FROM games").fetchall()}
    assert "Wisteria" in names
    assert not names & {"Hanako Yamada", "Taro Suzuki"}


def test_game_hidden_during_a_publication_is_not_in_it(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_block = parts.write_block

    def write_and_hide(*given: Any) -> Any:
        written = write_block(*given)
        hide(Q(pk=1))
        return written

    monkeypatch.setattr(parts, "write_block", write_and_hide)
    publish()
    assert are_public_games_shown(public)


def test_facts_of_a_newer_revision_replace_the_block(public: Path) -> None:
    before = publish()
    refresh(Record.objects.filter(pk=1))
    after = publish()
    assert [(block.number, block.facts) for block in {*before.blocks} ^ {*after.blocks}] != []
    assert {block.number for block in {*before.blocks} ^ {*after.blocks}} == {0}
    assert are_public_games_shown(public)


class Killed(BaseException):
    """The end of a process in the middle of a publication."""


def test_killed_publication_shows_the_former_one_and_loses_no_block(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    visibility = Visibility.PUBLIC
    # Names in files, and how many such files are written before the process is killed.
    for place, count in (
        ("/data/", 1),
        ("draft.json", 1),
        ("metadata.json", 2),
        ("manifests/", 0),
        ("latest.json", 0),
        ("version-hint", 2),
    ):
        visibility = Visibility.PUBLIC if visibility < Visibility.PUBLIC else Visibility.PRIVATE
        hide(ENDS, visibility)
        former = read_manifest(public)
        with monkeypatch.context() as patched:
            kill_at(patched, place, count)
            with pytest.raises(Killed):
                publish()
        find_parts(public)
        if place == "version-hint":
            assert are_public_games_shown(public)
        else:
            assert read_manifest(public) == former
        with monkeypatch.context() as patched:
            written = count_blocks(patched)
            publish()
        assert are_public_games_shown(public)
        assert len(written) == {"/data/": 2, "draft.json": 1}.get(place, 0)


def kill_at(patched: pytest.MonkeyPatch, place: str, count: int) -> None:
    """Raise `Killed` instead of writing a file with ``place`` in its name, after ``count``."""
    written = iter(range(count))

    def wrap(write: Callable[..., Any]) -> Callable[..., Any]:
        def write_or_die(name: str, *given: Any) -> Any:
            if place in name and next(written, None) is None:
                raise Killed
            return write(name, *given)

        return write_or_die

    storage = manifest.get_storage()
    patched.setattr(storage, "save", wrap(storage.save))
    patched.setattr(manifest, "write_file", wrap(manifest.write_file))
    patched.setattr("records.opendata.publication.iceberg.write_file", manifest.write_file)


def count_blocks(patched: pytest.MonkeyPatch) -> list[int]:
    """Return a list that will have the numbers of written blocks."""
    written: list[int] = []
    write_block = parts.write_block

    def write(block: int, *given: Any) -> Any:
        written.append(block)
        return write_block(block, *given)

    patched.setattr(parts, "write_block", write)
    return written


def test_only_files_of_recent_publications_stay(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    second = publish()
    (public / "deals/data/killed.parquet").write_bytes(b"a part")
    (public / "notes.txt").write_bytes(b"of somebody else")
    now = clock.now() + manifest.KEPT
    monkeypatch.setattr(clock, "now", lambda: now)
    third = publish()
    stored = list_files(public)
    assert {path for path in stored if "/data/" in path} == {part.path for part in third.parts}
    assert len([path for path in stored if "manifests/" in path]) == 2
    assert {path for path in stored if ".metadata.json" in path} == {
        table.iceberg for newer in (second, third) for table in newer.tables.values()
    }
    assert {"latest.json", "notes.txt", "deals/metadata/version-hint.text"} <= stored


def test_lost_and_damaged_files_are_replaced(public: Path) -> None:
    path = publish().parts[0].path
    (public / path).unlink()
    publish()
    assert are_public_games_shown(public)
    (public / "latest.json").write_text("{")
    assert publish().number == 3
    assert are_public_games_shown(public)


def test_iceberg_lists_the_parts_of_the_manifest_without_a_catalog(public: Path) -> None:
    publish()
    hide(Q(pk=1))
    newest = publish()
    for name in SHOWN:
        table = StaticTable.from_metadata(str(public / name), _LOCAL)
        files = {task.file.file_path: task.file.record_count for task in table.scan().plan_files()}
        assert files == {
            str(public / part.path): part.rows for part in newest.parts if part.table == name
        }
        assert table.last_sequence_number == newest.number == 2


@pytest.mark.long_only  # directories show all of it but the requests
def test_publications_in_a_bucket_replace_each_other(
    public: Path,
    bucket_server: BucketServer,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = parse_bucket(bucket_server.create())
    backend = "records.base.bucket.Bucket"
    settings.STORAGES = settings.STORAGES | {"public": {"BACKEND": backend, "OPTIONS": options}}
    settings.PUBLIC_ADDRESS = "s3://facts/archive"
    publish()
    hide(Q(pk=1))
    publish()
    now = clock.now() + manifest.KEPT
    monkeypatch.setattr(clock, "now", lambda: now)
    newest = publish()
    assert manifest.read_newest() == newest
    assert manifest.list_data(SHOWN) == {part.path for part in newest.parts}
    assert sum(block.games for block in newest.blocks) == GAMES - 1
    storage = manifest.get_storage()
    assert len(storage.listdir(manifest.FOLDER)[1]) == 2
    with storage.open(newest.tables["games"].iceberg or "") as file:
        assert json.load(file)["location"] == "s3://facts/archive/games"


def test_publication_is_due_an_hour_after_the_last(
    public: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Job.objects.filter(kind=job.PUBLISH)
    publish()
    job.schedule()
    assert jobs.get().state == Job.State.DONE
    now = clock.now() + job.EVERY
    monkeypatch.setattr(clock, "now", lambda: now)
    settings.PUBLIC_ADDRESS = ""
    job.schedule()
    assert jobs.get().state == Job.State.DONE
    settings.PUBLIC_ADDRESS = str(public)
    job.schedule()
    assert jobs.get().state == Job.State.WAITING


def test_command_publishes_or_names_the_missing_setting(
    public: Path, settings: LazySettings, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("publish")
    assert f"publication 1: {GAMES} games" in capsys.readouterr().out
    settings.PUBLIC_ADDRESS = ""
    with pytest.raises(CommandError, match="HANA_PUBLIC_STORAGE_URL"):
        call_command("publish")


def test_duckdb_lines_of_the_documentation_count_games(public: Path) -> None:
    publish()
    blocks = Path("docs/opendata.md").read_text(encoding="utf-8").split("```")
    (lines,) = (block.removeprefix("sql") for block in blocks if block.startswith("sql\nSET"))
    with duckdb.connect() as connection:
        counts = connection.execute(lines.replace("/srv/facts", str(public))).fetchall()
    assert counts == [("koikoi", GAMES)]
