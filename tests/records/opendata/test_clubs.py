"""Public clubs of a dump agree with the API for visitors, and hidden things are not in the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from django.utils import timezone

from clubs import clubs, games, opendata, seasons
from clubs.models import Club
from clubs.seasons import NewEntry
from records.models import Player, Record, Visibility
from records.opendata import dump_job, notebook, schedule
from records.services.pseudonyms import set_pseudonym
from tests.clubs import world
from tests.people.world import sent, user
from tests.records.opendata.games import query

pytestmark = pytest.mark.django_db

DAY: Final = date(2026, 4, 3)
#: Changes after which a word is in no later dump.
HIDDEN_WORDS: Final[dict[str, tuple[str, Callable[[Club], Any]]]] = {
    "unlisted club": ("Evening", lambda club: set_level(club, Visibility.UNLISTED)),
    "private club": ("Evening", lambda club: set_level(club, Visibility.PRIVATE)),
    "deleted club": ("Evening", lambda club: club.delete()),
    "pseudonym": ("Benmark", lambda club: set_pseudonym(find("Benmark"), "Wisteria")),
    "pseudonym of a guest": ("Chomark", lambda club: set_pseudonym(find("Chomark"), "Wisteria")),
    "opt-out": ("Benmark", lambda club: opt_out("Benmark")),
    "opt-out of a guest": ("Chomark", lambda club: opt_out("Chomark")),
}


def find(name: str) -> Player:
    """Return a player by name."""
    return Player.objects.get(name=name)


def opt_out(name: str) -> None:
    """Leave a player out of statistics by name."""
    Player.objects.filter(name=name).update(statistics=False)


def set_level(club: Club, level: Visibility) -> None:
    """Let the founder change the visibility of a club."""
    founder = club.members.get(name="Aya").account
    clubs.update(world.of(club, founder), {"visibility": level})


@pytest.fixture(scope="module")
def club_for_all(rows_for_all: None) -> Club:
    """Return a public club with three public games and a private one, two seasons and a penalty."""
    aya, ben = user("aya"), user("ben")
    club = world.found(aya, "kai", name="Evening club")
    clubs.update(world.of(club, aya), {"words": "Ask Benmark or Chomark."})
    world.joins(club, aya, ben, "Benmark")
    season = world.begin_season(club, aya, scoring="mean")
    world.begin_season(club, aya, name="Benmark cup", first=date(2025, 1, 1), last=DAY)
    for seed, players in enumerate((("Aya", "Benmark"), ("Benmark", "Chomark"), ("Aya", "Dan"))):
        world.play(club, aya, seed + 1, *players)
    world.play(club, aya, 9, "Aya", "Secretmark", visibility=Visibility.PRIVATE)
    entry = NewEntry("penalty", "Aya", DAY, -2, reason="late")
    seasons.add_entries(world.of(club, aya), season, [entry])
    return club


@pytest.fixture
def club(club_for_all: Club, db: None) -> Club:
    """Return the club of the module as in the database."""
    return Club.objects.get(pk=club_for_all.pk)


def make_dump(dumps: Path) -> Path:
    """Make a dump and return the directory of its files."""
    return dumps / dump_job.make(schedule.month_of(timezone.now())).directory


def read_clubs(text: str) -> list[dict[str, Any]]:
    """Return the clubs in the text of a file."""
    return [json.loads(line) for line in text.splitlines()]


def read_file(directory: Path) -> str:
    """Return the text of the clubs of a dump."""
    return (directory / "clubs.ndjson").read_text(encoding="utf-8")


def write_pieces() -> list[str]:
    """Return the text of the clubs in a dump of the current month, without making it."""
    month = schedule.month_of(timezone.now())
    return list(opendata.write_clubs(schedule.find_games(month)))


def fetch(path: str) -> Any:
    """Return a response of the API for a visitor."""
    return Client().get(f"/api/v1/clubs/{path}").json()


def test_clubs_and_seasons_are_those_of_the_api_for_visitors(dumps: Path, club: Club) -> None:
    for level in (Visibility.UNLISTED, Visibility.PRIVATE):
        hidden = world.found(user(f"owner-{level}"), f"other-{level}", level)
        account = hidden.members.get().account
        world.begin_season(hidden, account)
        world.play(hidden, account, 20 + level, visibility=Visibility.PUBLIC)
    empty = world.found(user("empty"), "empty")
    directory = make_dump(dumps)
    shown, other = read_clubs(read_file(directory))
    assert (other["key"], other["seasons"]) == (empty.key, [])
    expected = fetch("kai")
    assert shown["name"] == expected["name"]
    assert shown["description"] == expected["words"]
    assert shown["founded"] == expected["created"][:10]
    public = set(Record.objects.filter(club_game__club=club, visibility=Visibility.PUBLIC))
    assert len(public) == 3
    expected_seasons = {season["key"]: season for season in fetch("kai/seasons")["results"]}
    assert len(shown["seasons"]) == len(expected_seasons) == 2
    for season in shown["seasons"]:
        standings = season.pop("standings")
        assert set(season.pop("games")) == {record.key for record in public}
        assert season.items() <= expected_seasons[season["key"]].items()
        rows = fetch(f"kai/seasons/{season['key']}/standings")["rows"]
        assert standings == rows and len(rows) == 4
    tables = query(directory, "SELECT game FROM 'games.parquet'")
    assert {record.key for record in public} <= {key for (key,) in tables}
    assert "Secretmark" not in read_file(directory)


@pytest.mark.parametrize("change", HIDDEN_WORDS)
def test_hidden_word_is_not_in_the_next_file(club: Club, change: str) -> None:
    word, hide = HIDDEN_WORDS[change]
    assert word in "".join(write_pieces())
    hide(club)
    assert word not in "".join(write_pieces())


def test_player_who_is_not_to_be_named_has_a_row_without_a_name(club: Club) -> None:
    opt_out("Benmark")
    opt_out("Chomark")
    (shown,) = read_clubs("".join(write_pieces()))
    for season in shown["seasons"]:
        names = [row["name"] for row in season["standings"]]
        assert sorted(names, key=str) == ["Aya", "Dan", None, None]
    assert shown["description"] == "Ask … or …."


@pytest.mark.parametrize("level", [Visibility.WITHDRAWN, Visibility.PRIVATE, Visibility.UNLISTED])
def test_hidden_game_counts_in_no_later_file(club: Club, level: Visibility) -> None:
    Record.objects.filter(seats__name="Dan").update(visibility=level)
    for record in Record.objects.filter(visibility=level, seats__name="Dan"):
        record.listing.visibility = level
        record.listing.save(update_fields=["visibility"])
    (shown,) = read_clubs("".join(write_pieces()))
    for season in shown["seasons"]:
        assert len(season["games"]) == 2
        assert {row["name"] for row in season["standings"]} == {"Aya", "Benmark", "Chomark"}


def test_game_taken_out_of_the_club_is_not_in_its_next_line(club: Club) -> None:
    record = Record.objects.get(seats__name="Dan")
    games.take_out(world.of(club, club.members.get(name="Aya").account), [record.pk])
    (shown,) = read_clubs("".join(write_pieces()))
    assert [len(season["games"]) for season in shown["seasons"]] == [2, 2]
    assert all(record.key not in season["games"] for season in shown["seasons"])


@pytest.mark.parametrize("change", ["private club", "opt-out"])
def test_word_hidden_while_a_dump_is_made_is_not_in_it(
    dumps: Path, club: Club, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    word, hide = HIDDEN_WORDS[change]
    Record.objects.filter(club_game__club=club).update(visibility=Visibility.UNLISTED)
    sent(world.game_text(30), owner=user("other"))
    write = notebook.write
    drafts = []

    def write_and_hide(directory: Path) -> None:
        write(directory)
        drafts.append(read_file(directory))
        hide(club)

    monkeypatch.setattr(notebook, "write", write_and_hide)
    text = read_file(make_dump(dumps))
    assert [word in draft for draft in drafts] == [True, False]
    assert word not in text


def test_query_of_the_documentation_lists_standings(dumps: Path, club: Club) -> None:
    parts = Path("docs/opendata.md").read_text(encoding="utf-8").split("```")
    (select,) = (part.removeprefix("sql") for part in parts if "FROM 'clubs.ndjson'" in part)
    rows = query(make_dump(dumps), select)
    assert len(rows) == 8 and {row[3] for row in rows} == {"Aya", "Benmark", "Chomark", "Dan"}


def test_game_outside_the_dump_does_not_count(club: Club) -> None:
    text = "".join(opendata.write_clubs(schedule.find_games("2020-01")))
    for season in read_clubs(text)[0]["seasons"]:
        assert season["games"] == []
        assert [row["games"] for row in season["standings"]] in ([], [0])


def test_pieces_of_the_file_are_single_seasons(club: Club) -> None:
    """Memory depends on a season, not on a club or the archive."""
    assert [piece.count('"standings"') for piece in write_pieces()] == [0, 1, 1, 0]


def test_manifest_readme_and_card_describe_the_file(dumps: Path, club: Club) -> None:
    directory = make_dump(dumps)
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    columns = manifest["lines"]["clubs.ndjson"]["columns"]
    assert [column["name"] for column in columns] == list(read_clubs(read_file(directory))[0])
    assert "### clubs.ndjson" in (directory / "README.md").read_text(encoding="utf-8")
    files = Client().get("/data/croissant.json").json()["distribution"]
    (file,) = (file for file in files if file["name"] == "clubs.ndjson")
    assert file["encodingFormat"] == "application/x-ndjson"
    assert all(column["meaning"] in file["description"] for column in columns)
    assert "<code>clubs.ndjson</code>" in Client().get("/data/").text
