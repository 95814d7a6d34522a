"""Who has a pseudonym is not known by another spelling of the real name, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lengths import part
from people.models import PlayerRequest
from records.base.spelling import letters
from records.intake.receiving import Part, receive
from records.models import Listing, Player, Record, Seat, Upload
from records.opendata.masks import Masks
from records.operations import totals_check
from records.privacy.redaction import Redaction
from records.store.pseudonyms import give, take_back
from records.work.worker import work_off
from tests.people.test_pseudonyms import addresses
from tests.people.world import sent, session, user
from tests.records.makers import illegal, text
from tests.security.addresses import body_of

pytestmark = pytest.mark.django_db

REAL, SHOWN = "Hanako Yamada", "Wisteria"
SPELLINGS: Mapping[str, str] = {
    "as it is": REAL,
    "other case": "hANAKO yAMADA",
    "full width": "Ｈａｎａｋｏ　Ｙａｍａｄａ",
    "underscores": "Hanako_Yamada",
    "hyphens": "hanako-yamada",
    "what is not seen": "Ha\u200bnako\u00a0Yamada\u200e",
}
#: In a text it is taken for her name; as a player's name it is another one.
JOINED = "HanakoYamada"
EACH = pytest.mark.parametrize("written", SPELLINGS.values(), ids=SPELLINGS)
SOME = pytest.mark.parametrize("written", part([*SPELLINGS.values()]), ids=part([*SPELLINGS]))
OTHERS = pytest.mark.parametrize(
    "written", part([*SPELLINGS.values()][::-1], one_of=2), ids=part([*SPELLINGS][::-1], one_of=2)
)


def tells(body: str) -> bool:
    """Whether the real name stands in an answer, in whatever spelling."""
    read = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), body)
    return "hanakoyamada" in letters(re.sub("&#x?[0-9a-f]+;", "", read))


def game(seed: int = 1, *, name: str = REAL, tags: str = "", comment: str = "") -> str:
    """A game of somebody's, with tags and a comment."""
    found = text(seed).replace('[Player1 "Aya"]', f'[Player1 "{name}"]')
    found = found.replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n{tags}')
    return found.replace("month 1 ", f"{{{comment}}}\nmonth 1 ", 1) if comment else found


def named(*games: str) -> None:
    """The archive with these games, and her pseudonym."""
    sent(*games)
    give(Player.objects.get(name=REAL), SHOWN)


def get(address: str, **query: str) -> str:
    """What a stranger reads."""
    response = Client().get(address, query)
    assert response.status_code == 200, address
    return body_of(response).decode()


def unsaid(record: Record, *, everywhere: bool = False) -> None:
    """No answer tells the name: of those that have a game's text, tags and list, or of all."""
    short = [
        *(reverse(name, args=[record.key]) for name in ("game", "kafu", "replay")),
        *(f"{reverse('api:records')}?format={form}" for form in ("json", "kafu", "csv")),
        reverse("api:record", args=[record.key]),
    ]
    for address in addresses(record) if everywhere else short:
        assert not tells(get(address)), address


def test_everywhere() -> None:
    written = SPELLINGS["full width"]
    tags = f'[Event "{written}"]\n[Annotator "{JOINED}"]\n[Site "{written}"]'
    named(game(comment=f"{JOINED} and {written}", tags=tags))
    unsaid(Record.objects.get(), everywhere=True)
    assert not list(totals_check.differences())


@EACH
def test_comments(written: str) -> None:
    named(game(comment=f"{written} played well, and then {written}! {JOINED}"))
    record = Record.objects.get()
    unsaid(record)
    assert get(reverse("kafu", args=[record.key])).count(f"{SHOWN} played well, and then") == 1


@SOME
def test_tags(written: str) -> None:
    tags = f'[Annotator "by {written}"]\n[Site "{written}’s house"]\n[Round "{written}"]'
    named(game(tags=tags))
    record = Record.objects.get()
    unsaid(record)
    assert f'[Annotator "by {SHOWN}"]' in get(reverse("kafu", args=[record.key]))


def test_names_of_tags() -> None:
    named(game(tags='[Hanako_Yamada "first"] {her tag}\n[Colour "red"]'))
    record = Record.objects.get()
    unsaid(record)
    body = get(reverse("kafu", args=[record.key]))
    assert "her tag" not in body
    assert '[Colour "red"]' in body


@SOME
def test_events(written: str) -> None:
    """In her games, and in games of others: an event in both would tell whom it hides."""
    event = f'[Event "{written} memorial"]'
    named(game(1, tags=event), game(2, name="Chie", tags=event))
    for record in Record.objects.all():
        unsaid(record)
        assert f'"{SHOWN} memorial"' in get(reverse("kafu", args=[record.key]))


@SOME
def test_searches(written: str) -> None:
    named(game(1, tags=f'[Event "{written} memorial"]'))
    sent(game(2, name=written, tags=f'[Event "{written} memorial"]'))  # and one that comes later
    for asked in (REAL, *SPELLINGS.values()):
        for query in ({"player": asked}, {"event": asked}, {"event": f"{asked} memorial"}):
            found = Client().get(reverse("api:records"), query).json()
            assert found["results"] == [], query
            assert SHOWN not in get(reverse("games"), **query)
        for name in ("suggest-players", "suggest-events"):
            assert Client().get(reverse(name), {"q": asked[:7]}).json() == {"results": []}
        assert SHOWN not in get(reverse("players"), q=asked)
        assert SHOWN not in get(reverse("statistics", args=["koikoi"]), event=f"{asked} memorial")
    for query in ({"player": "ＷＩＳＴＥＲＩＡ"}, {"event": "wisteria m"}):
        assert len(Client().get(reverse("api:records"), query).json()["results"]) == 2
    suggested = Client().get(reverse("suggest-events"), {"q": "wist"}).json()["results"]
    assert sum(one["games"] for one in suggested) == 2


def test_events_are_counted_by_what_is_shown_and_back() -> None:
    named(game(1, tags=f'[Event "{REAL} memorial"]'), game(2, tags='[Event "Cup"]'))
    assert set(Listing.objects.values_list("event", flat=True)) == {"wisteria memorial", "cup"}
    assert not list(totals_check.differences())
    take_back(Player.objects.get(name=SHOWN))
    assert set(Listing.objects.values_list("event", flat=True)) == {"hanako yamada memorial", "cup"}
    assert not list(totals_check.differences())


@SOME
def test_names_of_files(written: str) -> None:
    part = Part(f"{written}-2019.kafu", (illegal(1).encode(),))
    upload: Upload = receive(parts=[part], via="api", owner=user("sender").pk)
    work_off(upload, lambda _: None)
    sent(game(2))
    give(Player.objects.get(name=REAL), SHOWN)
    names = ("upload-games", "upload-files", "upload-report", "upload-report-csv")
    for address in (
        reverse("report", args=[upload.key]),
        *(reverse(f"api:{name}", args=[upload.key]) for name in names),
    ):
        body = get(address)
        assert not tells(body), address
        assert f"{SHOWN}-2019.kafu" in body, address


@OTHERS
def test_seats(written: str) -> None:
    """Games that say it otherwise are games of the same player, also those that come later."""
    named(game(1), game(2, name=written))
    sent(game(3, name=written))
    assert Player.objects.get(name=SHOWN).games == 3
    assert set(Seat.objects.values_list("name", flat=True)) == {SHOWN, "Ben"}
    for record in Record.objects.all():
        unsaid(record)


def test_names_of_another_case_are_one_player() -> None:
    sent(*(game(seed, name=name) for seed, name in enumerate(SPELLINGS.values(), start=1)))
    sent(game(9, name=JOINED))
    known = Player.objects.exclude(name="Ben")
    assert sorted(known.values_list("name", "games")) == [(REAL, 6), (JOINED, 1)]
    for written in ("HANAKO YAMADA", "hanako_yamada", "ｈａｎａｋｏ　ｙａｍａｄａ"):
        found = Client().get(reverse("api:records"), {"player": written}).json()["results"]
        assert len(found) == 6
        assert Client().get(reverse("suggest-players"), {"q": written}).json()["results"] == [
            {"value": REAL, "games": 6}
        ]


def test_katakana_of_half_width() -> None:
    found = game(1, name="ﾊﾅｺ･ﾔﾏﾀﾞ", comment="ハナコ＝ヤマダとﾊﾅｺ ﾔﾏﾀﾞ")
    sent(game(2, name="ハナコ ヤマダ", comment="ハナコヤマダさん"), found)
    player = Player.objects.exclude(name="Ben").get()
    assert player.games == 2
    give(player, "藤")
    for record in Record.objects.all():
        body = get(reverse("kafu", args=[record.key]))
        assert "ハナコヤマダ" not in letters(body)
    assert "とハナコ" not in body


def test_a_request_in_another_spelling() -> None:
    sent(game())
    asker: Any = user("asker")
    said = {"kind": "pseudonym", "player": "HANAKO_yamada", "pseudonym": SHOWN}
    assert session(asker).post(reverse("my_names"), said).status_code == 302
    act = {
        "action": "carry_out",
        "_selected_action": [str(PlayerRequest.objects.get().pk)],
    }
    page = reverse("admin:people_playerrequest_changelist")
    assert session(user("staff", staff=True)).post(page, act).status_code == 302
    assert Player.objects.get(real_name=REAL).name == SHOWN


def test_names_of_others_stay() -> None:
    sent(
        game(1, name="Hana", comment="Hana Sato beat Hana; Hanabi"),
        game(2, name="Hana Sato", comment="Hana Sato beat Hana; Hanabi"),
    )
    give(Player.objects.get(name="Hana"), SHOWN)
    theirs = Record.objects.get(seats__name="Hana Sato")
    body = get(reverse("kafu", args=[theirs.key]))
    assert f"Hana Sato beat {SHOWN}; Hanabi" in body
    assert '[Player1 "Hana Sato"]' in body


def test_a_name_of_one_letter_is_redacted_in_its_own_games_alone() -> None:
    sent(game(1, name="松", comment="松の手"), game(2, name="Chie", comment="松に鶴"))
    give(Player.objects.get(name="松"), SHOWN)
    bodies = [get(reverse("kafu", args=[one.key])) for one in Record.objects.all()]
    assert sorted((f"{SHOWN}の手" in body, "松に鶴" in body) for body in bodies) == [
        (False, True),
        (True, False),
    ]


@SOME
def test_dumps(written: str) -> None:
    named(game(1, comment=written), game(2, name="Chie", comment=written))
    records = list(Record.objects.prefetch_related("seats__player"))
    masks = Masks(records)
    assert not any(tells(masks.text(record)) for record in records)


@pytest.mark.parametrize("letter", ["a", "花", "a "])
def test_long_texts_take_time_in_proportion(letter: str) -> None:
    """A pattern that goes back and forth would be at it for hours."""
    name = (letter * 2000).strip()
    redaction = Redaction({name: SHOWN})
    assert redaction.replaced(letter * 1999) == letter * 1999
    assert SHOWN in redaction.replaced(f"{letter * 50_000} {name}") or letter == "a"
    assert redaction.replaced("a" + "\u0301\u0316" * 25_000)
