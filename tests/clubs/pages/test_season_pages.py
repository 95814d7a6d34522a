"""Pages of seasons: figures, forms with their errors, entries, totals, picture and table."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from clubs import honours, seasons
from clubs.models import Entry, Member, Season
from clubs.scores import write_mean, write_score, write_sum
from clubs.standings import compute_standings
from records.models import Visibility
from tests.clubs import world
from tests.people.world import session, user

pytestmark = pytest.mark.django_db

_FIELDS = {
    "name": "Spring",
    "ruleset": "koikoi",
    "first": "2026-04-01",
    "last": "2026-06-30",
    "scoring": "sum",
    "least": "0",
    "drop": "0",
    "tie_1": "games",
    "tie_2": "wins",
    "tie_3": "",
    "titles": ["wins", "mean"],
}


@pytest.fixture(scope="module")
def season_for_all(rows_for_all: None) -> Season:
    """Return a season of three games, one with a guest, and a penalty."""
    aya = user("aya")
    club = world.found(aya)
    world.add_member(club, aya, "Ben")
    season = world.begin_season(club, aya)
    world.play(club, aya, 1)
    world.play(club, aya, 2, day="2026-04-10")
    world.play(club, aya, 3, "Aya", "Cho", day="2026-05-08")
    entry = seasons.NewEntry("penalty", "Ben", date(2026, 4, 10), -7, 0, "late")
    seasons.add_entries(world.of(club, aya), season, [entry])
    return season


@pytest.fixture
def season(season_for_all: Season, db: None) -> Season:
    """Return the season with its rows of this test."""
    return Season.objects.get(pk=season_for_all.pk)


@pytest.fixture
def aya(season: Season) -> Any:
    """Return the founder of the club."""
    return Member.objects.get(club=season.club, name="Aya").account


def address(season: Season, name: str = "club-season") -> str:
    """Return the address of a page of a season."""
    return reverse(name, args=[season.club.key, season.key])


def cells_of(page: str, table: str) -> list[list[str]]:
    """Return the texts of the rows of the first table with a class."""
    (body,) = re.findall(rf'<table class="{table}.*?</table>', page, re.DOTALL)[:1]
    rows = re.findall(r"<tr.*?</tr>", body.partition("</thead>")[2], re.DOTALL)
    texts = [re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub(r"<[^>]*>", "", text).split()) for text in row] for row in texts]


def test_standings_of_the_page_are_the_computed_ones(aya: Any, season: Season) -> None:
    page = session(aya).get(address(season)).content.decode()
    played = seasons.load(season, Visibility.PRIVATE)
    table = compute_standings(
        played.games, played.entries, seasons.scoring_of(season), played.guests
    )
    names = dict(Member.objects.values_list("key", "name"))
    ranked = [row for row in table if row.rank is not None]
    assert [[row[1], row[2], row[3], row[5], row[6]] for row in cells_of(page, "season-table")] == [
        [
            names[row.player],
            write_score(season, row.score),
            str(row.games),
            write_sum(season, row.total),
            write_mean(season, row.mean),
        ]
        for row in ranked
    ]
    assert {names[row.player] for row in ranked} == {"Aya", "Ben"}


def test_guest_is_below_the_standings_without_a_rank(season: Season) -> None:
    page = session(None).get(address(season)).content.decode()
    ((name, *_figures),) = cells_of(page, "season-table guests")
    assert name == "Cho"


def test_cross_table_has_the_meetings_and_their_balance(season: Season) -> None:
    page = session(None).get(address(season)).content.decode()
    played = seasons.load(season, Visibility.PUBLIC)
    aya, ben = (Member.objects.get(name=name).key for name in ("Aya", "Ben"))
    meeting = honours.build_cross_table(played.games, {aya, ben})[aya][ben]
    rows = cells_of(page[page.index('id="cross"') :], "cross")
    first = next(row for row in rows if row[0].endswith("Aya"))
    assert f"{write_sum(season, meeting.balance)} {meeting.games}" in first


def test_progress_ends_with_the_scores_of_the_standings(season: Season) -> None:
    context = session(None).get(address(season)).context
    _day, newest = context["scores"][0]
    rows = {row.player.name: row for row in context["rows"]}
    lines = [row.player.name for row in context["lines"]]
    assert newest[lines.index("Aya")] == rows["Aya"].score
    assert context["chart"].count("<polyline") == len(lines) == 2


def test_penalty_is_shown_with_its_reason(season: Season) -> None:
    page = session(None).get(address(season)).content.decode()
    assert "late" in page
    assert "−7" in page


def test_table_for_spreadsheets_has_plain_numbers(season: Season) -> None:
    text = session(None).get(address(season, "club-standings-csv")).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Name"] for row in rows][-1] == "Cho"
    ben = next(row for row in rows if row["Name"] == "Ben")
    assert float(ben["Score"]) == int(ben["Total"]) - 7
    assert ben["Penalties"] == "-7"


def test_own_row_is_shown_on_every_page(
    aya: Any, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.pages.season.PAGE", 1)
    for number in (1, 2):
        page = session(aya).get(address(season), {"page": number}).content.decode()
        assert "Aya" in [row[1] for row in cells_of(page, "season-table")]


def test_picture_is_as_large_as_previews_of_links(season: Season) -> None:
    for lang in ("en", "ja"):
        response = session(None).get(address(season, "club-picture"), {"lang": lang})
        assert Image.open(io.BytesIO(response.content)).size == (1200, 630)


def test_printed_season_has_standings_and_evenings(season: Season) -> None:
    page = session(None).get(address(season, "club-print")).content.decode()
    assert [row[1] for row in cells_of(page, "season-table")][-1] == "Cho"
    assert "2026-05-08" in page


def test_season_is_created_and_changed_by_its_form(aya: Any) -> None:
    officer = session(aya)
    made = officer.post(reverse("club-season-new", args=["kai"]), _FIELDS)
    season = Season.objects.get(name="Spring")
    assert made["Location"] == address(season)
    assert (season.ties, season.titles) == (["games", "wins"], ["wins", "mean"])
    form = officer.get(address(season, "club-season-change")).content.decode()
    assert 'value="Spring"' in form
    points = {f"points_{seats}": "0 " * seats for seats in range(2, 7)} | {"points_2": "5 -5"}
    changed = {**_FIELDS, **points, "scoring": "points"}
    officer.post(address(season, "club-season-change"), changed)
    season.refresh_from_db()
    assert season.points["2"] == [5, -5]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"last": "2026-03-01"}, "last", "not before the first"),
        ({"scoring": "points", "points_4": "10 0 -10"}, "points_4", "4 numbers"),
        ({"drop": "101"}, "drop", "100"),
        ({"tie_2": "games"}, "tie_3", "each once"),
        ({"name": "2026"}, "name", "already"),
        ({"titles": []}, "titles", "at least one"),
    ],
)
def test_impossible_season_is_refused_beside_the_field(
    aya: Any, season: Season, fields: dict[str, Any], field: str, words: str
) -> None:
    page = session(aya).post(reverse("club-season-new", args=["kai"]), _FIELDS | fields)
    form = page.context["form"]
    assert words in str(form.errors[field])
    assert form["name"].value() == (_FIELDS | fields)["name"]
    assert Season.objects.count() == 1


def test_season_changed_by_somebody_else_is_not_overwritten(aya: Any, season: Season) -> None:
    officer = session(aya)
    was = officer.get(address(season, "club-season-change")).context["was"]
    seasons.update(world.of(season.club, aya), season, {"name": "Theirs"})
    page = officer.post(address(season, "club-season-change"), _FIELDS | {"was": was})
    assert page.status_code == 200
    assert Season.objects.get().name == "Theirs"


def test_season_is_deleted_after_a_confirmation(aya: Any, season: Season) -> None:
    officer = session(aya)
    page = officer.post(address(season, "club-season-change"), {"delete": ""})
    assert "1 entry is deleted" in page.content.decode()
    officer.post(address(season, "club-season-change"), {"delete": "", "confirmed": ""})
    assert not Season.objects.exists()


def test_forms_are_for_officers(season: Season) -> None:
    ben = user("ben")
    for name in ("club-season-change", "club-entries", "club-totals"):
        assert session(ben).get(address(season, name)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"day": "2027-01-01"}, "day", "not in the season"),
        ({"name": "Dan"}, "name", "Nobody plays as Dan"),
        ({"amount": "many"}, "amount", "integer"),
        ({"reason": ""}, "reason", "required"),
    ],
)
def test_impossible_entry_is_refused_beside_the_field(
    aya: Any, season: Season, fields: dict[str, str], field: str, words: str
) -> None:
    entry = {
        "kind": "penalty",
        "name": "Ben",
        "day": "2026-05-01",
        "amount": "5",
        "reason": "noise",
    }
    page = session(aya).post(address(season, "club-entries"), entry | fields)
    assert words in str(page.context["form"].errors[field])
    assert season.entries.count() == 1


def test_penalty_without_a_sign_takes_points_and_can_be_deleted(aya: Any, season: Season) -> None:
    officer = session(aya)
    entry = {"kind": "penalty", "name": "Cho", "day": "2026-05-08", "amount": "5", "reason": "x"}
    officer.post(address(season, "club-entries"), entry)
    row = season.entries.get(name="Cho")
    assert row.amount == -5
    officer.post(address(season, "club-entries"), {"delete": row.key})
    assert not season.entries.filter(name="Cho").exists()


_TOTALS = "\t4/17\t4/24\t計\nAya\t10\t-4\t6\nDan\t-10\t4\t-6\n"


def test_totals_are_shown_before_they_are_saved(aya: Any, season: Season) -> None:
    officer = session(aya)
    page = officer.post(address(season, "club-totals"), {"text": _TOTALS, "games": "2"})
    assert page.context["preview"].fresh == ["Dan"]
    assert cells_of(page.content.decode(), "cross")[0] == ["Aya", "+10", "−4"]
    assert season.entries.filter(kind=Entry.Kind.TOTAL).count() == 0
    officer.post(address(season, "club-totals"), {"text": _TOTALS, "games": "2", "save": "yes"})
    assert season.entries.filter(kind=Entry.Kind.TOTAL).count() == 4
    assert Member.objects.filter(name="Dan").exists()
    names = [
        row[1] for row in cells_of(officer.get(address(season)).content.decode(), "season-table")
    ]
    assert "Dan" in names


def test_totals_are_read_from_a_file_in_shift_jis(aya: Any, season: Season) -> None:
    text = _TOTALS.replace("Dan", "大野さくら").replace("\t", ",")
    file = SimpleUploadedFile("totals.csv", text.encode("cp932"))
    page = session(aya).post(address(season, "club-totals"), {"file": file, "games": "0"})
    assert page.context["preview"].fresh == ["大野さくら"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No dates"),
        (_TOTALS.replace("-4", "four"), "C2 (four)"),
        (_TOTALS.replace("\t6", "\t7"), "D2 (7)"),
        (_TOTALS.replace("4/24", "2027-04-24"), "not in the season"),
    ],
)
def test_wrong_totals_are_refused_with_the_cell(
    aya: Any, season: Season, text: str, words: str
) -> None:
    fields = {"text": text, "games": "0", "save": "yes"}
    page = session(aya).post(address(season, "club-totals"), fields)
    assert words in str(page.context["form"].errors["text"])
    assert season.entries.count() == 1


def test_totals_of_evenings_with_games_are_pointed_out(aya: Any, season: Season) -> None:
    text = _TOTALS.replace("4/17", "4/10")
    page = session(aya).post(address(season, "club-totals"), {"text": text, "games": "0"})
    assert page.context["preview"].doubled == ["10 April 2026"]


def test_unknown_season_is_not_found(season: Season) -> None:
    address_of_none = reverse("club-season", args=["kai", "none"])
    assert session(None).get(address_of_none).status_code == 404


def test_season_of_a_private_club_is_for_members(aya: Any) -> None:
    club = world.found(aya, "ura", Visibility.PRIVATE)
    season = world.begin_season(club, aya)
    for name in ("club-season", "club-print", "club-standings-csv", "club-picture"):
        assert session(None).get(address(season, name)).status_code == 404
        response = session(aya).get(address(season, name))
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]


def test_guest_with_totals_alone_has_no_rank(aya: Any, season: Season) -> None:
    officer = session(aya)
    fields = {"text": _TOTALS, "games": "0", "save": "yes", "fresh": "guests"}
    officer.post(address(season, "club-totals"), fields)
    page = officer.get(address(season)).content.decode()
    assert {row[0] for row in cells_of(page, "season-table guests")} == {"Cho", "Dan"}
