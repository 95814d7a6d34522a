"""No response contains the real name of a player with a pseudonym, in any spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.test import Client
from django.urls import reverse

from lengths import LONG, part
from people.models import PlayerRequest
from records.base.spelling import letters
from records.ingest.receiving import Part, receive
from records.jobs.executor import work_off
from records.models import Listing, Player, Record, Seat
from records.opendata.listing import Masks
from records.privacy.redaction import Redaction
from records.services.pseudonyms import remove_pseudonym, set_pseudonym
from tests.people.test_pseudonyms import addresses
from tests.people.world import sent, session, user
from tests.records.facts.naive import find_differences
from tests.records.makers import illegal, text
from tests.security.addresses import body_of

pytestmark = pytest.mark.django_db

REAL, SHOWN = "Hanako Yamada", "Wisteria"
SPELLINGS: Mapping[str, str] = {
    "canonical": REAL,
    "other case": "hANAKO yAMADA",
    "full width": "Ｈａｎａｋｏ　Ｙａｍａｄａ",
    "underscores": "Hanako_Yamada",
    "hyphens": "hanako-yamada",
    "invisible characters": "Ha\u200bnako\u00a0Yamada\u200e",
}
#: A spelling that counts as her name within a text, but not as a player's name.
JOINED = "HanakoYamada"
WRITTEN = [*SPELLINGS.values()]


def has_real_name(body: str) -> bool:
    """Return whether a response has the real name in any spelling."""
    text = re.sub(r"\\u([0-9a-f]{4})", lambda escape: chr(int(escape[1], 16)), body)
    return "hanakoyamada" in letters(re.sub("&#x?[0-9a-f]+;", "", text))


def game(seed: int = 1, *, name: str = REAL, tags: str = "", comment: str = "") -> str:
    """Return a game of a player, with tags and a comment."""
    kafu = text(seed, months="1").replace('[Player1 "Aya"]', f'[Player1 "{name}"]')
    kafu = kafu.replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n{tags}')
    return kafu.replace("month 1 ", f"{{{comment}}}\nmonth 1 ", 1) if comment else kafu


def send_and_rename(*games: str) -> None:
    """Send games, and give the player her pseudonym."""
    sent(*games)
    set_pseudonym(Player.objects.get(name=REAL), SHOWN)


def get(address: str, **query: str) -> str:
    """Return a response as a stranger receives it."""
    response = Client().get(address, query)
    assert response.status_code == 200, address
    return body_of(response).decode()


def get_texts() -> list[str]:
    """Return the texts of all games."""
    return [get(reverse("kafu", args=[record.key])) for record in Record.objects.order_by("pk")]


def assert_hidden(record: Record, *, everywhere: bool = False) -> None:
    """Check the addresses with a game's text, tags and listing, or all addresses of the game."""
    paths = [
        *(reverse(name, args=[record.key]) for name in ("game", "kafu", "replay")),
        *(f"{reverse('api:records')}?format={form}" for form in ("json", "kafu", "csv")),
        reverse("api:record", args=[record.key]),
    ]
    for path in addresses(record) if everywhere else paths:
        assert not has_real_name(get(path)), path


def test_name_in_comments_and_tags_is_hidden_at_every_address() -> None:
    written = SPELLINGS["full width"]
    tags = f'[Event "{written}"]\n[Annotator "{JOINED}"]\n[Site "{written}"]'
    send_and_rename(game(comment=f"{JOINED} and {written}", tags=tags))
    assert_hidden(Record.objects.get(), everywhere=True)
    assert find_differences() == []


@pytest.mark.long_only  # the test above has two spellings, that of dumps all
@pytest.mark.usefixtures("without_facts")
def test_any_spelling_in_comments_and_tags_is_hidden() -> None:
    comments = [f"{name} played well, and then {name}! {JOINED}" for name in WRITTEN]
    tags = [
        f'[Annotator "by {name}"]\n[Site "{name}’s house"]\n[Round "{name}"]' for name in WRITTEN
    ]
    pairs = zip(tags, comments, strict=True)
    games = [game(seed, tags=tag, comment=note) for seed, (tag, note) in enumerate(pairs, start=1)]
    send_and_rename(*games)
    for body in get_texts():
        assert not has_real_name(body)
        assert body.count(f"{SHOWN} played well, and then {SHOWN}!") == 1
        assert f'[Annotator "by {SHOWN}"]' in body
        assert f'[Site "{SHOWN}’s house"]\n' in body and f'[Round "{SHOWN}"]' in body
    for record in Record.objects.all()[: None if LONG else 2]:
        assert_hidden(record)


def test_tag_with_the_name_as_its_key_is_hidden() -> None:
    send_and_rename(game(tags='[Hanako_Yamada "first"] {her tag}\n[Colour "red"]'))
    assert_hidden(Record.objects.get())
    [body] = get_texts()
    assert "her tag" not in body
    assert '[Colour "red"]' in body


@pytest.mark.usefixtures("without_facts")
def test_event_with_any_spelling_is_hidden_in_games_of_others_too() -> None:
    """An event shared by her games and other games would reveal the name behind the pseudonym."""
    events = [f'[Event "{name} memorial"]' for name in part(WRITTEN, one_of=2)]
    hers = [game(seed, tags=event) for seed, event in enumerate(events, start=1)]
    other_games = [
        game(seed, name="Chie", tags=event) for seed, event in enumerate(events, start=11)
    ]
    send_and_rename(*hers, *other_games)
    for body in get_texts():
        assert not has_real_name(body)
        assert f'[Event "{SHOWN} memorial"]' in body
    assert_hidden(Record.objects.filter(seats__name="Chie")[0])


def test_search_for_any_spelling_finds_nothing() -> None:
    """Search for games sent before the pseudonym, and for games sent later."""
    for written in part(WRITTEN):
        event = f'[Event "{written} memorial"]'
        if not Player.objects.exists():
            send_and_rename(game(1, tags=event))
        sent(game(2 + WRITTEN.index(written), name=written, tags=event))
    count = Record.objects.count()
    for name in part(WRITTEN):
        for query in ({"player": name}, {"event": name}, {"event": f"{name} memorial"}):
            page = Client().get(reverse("api:records"), query).json()
            assert page["results"] == [], query
        for address in ("suggest-players", "suggest-events"):
            assert Client().get(reverse(address), {"q": name[:7]}).json() == {"results": []}
    for name in part(WRITTEN):
        assert SHOWN not in get(reverse("games"), event=f"{name} memorial")
        assert SHOWN not in get(reverse("games"), player=name)
        assert SHOWN not in get(reverse("players"), q=name)
        assert SHOWN not in get(reverse("statistics", args=["koikoi"]), event=f"{name} memorial")
    for query in ({"player": "ＷＩＳＴＥＲＩＡ"}, {"event": "wisteria m"}):
        assert len(Client().get(reverse("api:records"), query).json()["results"]) == count
    suggestions = Client().get(reverse("suggest-events"), {"q": "wist"}).json()["results"]
    assert sum(suggestion["games"] for suggestion in suggestions) == count


@pytest.mark.long_only  # the test of the search counts the events
def test_events_are_counted_by_what_is_shown_and_back() -> None:
    send_and_rename(game(1, tags=f'[Event "{REAL} memorial"]'), game(2, tags='[Event "Cup"]'))
    assert set(Listing.objects.values_list("event", flat=True)) == {"wisteria memorial", "cup"}
    assert find_differences() == []
    remove_pseudonym(Player.objects.get(name=SHOWN))
    assert set(Listing.objects.values_list("event", flat=True)) == {"hanako yamada memorial", "cup"}
    assert find_differences() == []


@pytest.mark.usefixtures("without_facts")
def test_name_of_a_file_with_any_spelling_is_hidden() -> None:
    written = part(WRITTEN, one_of=2)
    parts = [Part(f"{name}-2019.kafu", (illegal(1).encode(),)) for name in written]
    upload = receive(parts=parts, via="api", owner=user("sender").pk)
    work_off(upload, lambda _: None)
    sent(game(2))
    set_pseudonym(Player.objects.get(name=REAL), SHOWN)
    names = ("upload-games", "upload-files", "upload-report", "upload-report-csv")
    for address in (
        reverse("report", args=[upload.key]),
        *(reverse(f"api:{name}", args=[upload.key]) for name in names),
    ):
        body = get(address)
        assert not has_real_name(body), address
        assert body.count(f"{SHOWN}-2019.kafu") >= len(written), address


@pytest.mark.long_only  # the test of the search sends such games too
@pytest.mark.usefixtures("without_facts")
def test_games_of_any_spelling_are_games_of_the_player_with_the_pseudonym() -> None:
    """Include games sent later."""
    names = part(WRITTEN, one_of=2)
    send_and_rename(*(game(seed, name=name) for seed, name in enumerate(names, start=1)))
    sent(*(game(seed, name=name) for seed, name in enumerate(names, start=11)))
    assert Player.objects.get(name=SHOWN).games == 2 * len(names)
    assert set(Seat.objects.values_list("name", flat=True)) == {SHOWN, "Ben"}
    assert not any(has_real_name(body) for body in get_texts())
    assert_hidden(Record.objects.latest("pk"))


@pytest.mark.usefixtures("without_facts")
def test_names_of_another_case_are_one_player() -> None:
    sent(
        *(game(seed, name=name) for seed, name in enumerate(WRITTEN, start=1)),
        game(9, name=JOINED),
    )
    players = Player.objects.exclude(name="Ben")
    assert sorted(players.values_list("name", "games")) == [(REAL, 6), (JOINED, 1)]
    for written in ("HANAKO YAMADA", "hanako_yamada", "ｈａｎａｋｏ　ｙａｍａｄａ"):
        page = Client().get(reverse("api:records"), {"player": written}).json()
        assert len(page["results"]) == 6
        assert Client().get(reverse("suggest-players"), {"q": written}).json()["results"] == [
            {"value": REAL, "games": 6}
        ]


def test_request_in_another_spelling_is_carried_out() -> None:
    sent(game())
    form = {"kind": "pseudonym", "player": "HANAKO_yamada", "pseudonym": SHOWN}
    assert session(user("asker")).post(reverse("my_names"), form).status_code == 302
    action = {
        "action": "carry_out",
        "_selected_action": [str(PlayerRequest.objects.get().pk)],
    }
    page = reverse("admin:people_playerrequest_changelist")
    assert session(user("staff", staff=True)).post(page, action).status_code == 302
    assert Player.objects.get(real_name=REAL).name == SHOWN


@pytest.mark.usefixtures("without_facts")
def test_longer_names_of_others_are_not_redacted() -> None:
    sent(
        game(1, name="Hana", comment="Hana Sato beat Hana; Hanabi"),
        game(2, name="Hana Sato", comment="Hana Sato beat Hana; Hanabi"),
    )
    set_pseudonym(Player.objects.get(name="Hana"), SHOWN)
    other_game = Record.objects.get(seats__name="Hana Sato")
    body = get(reverse("kafu", args=[other_game.key]))
    assert f"Hana Sato beat {SHOWN}; Hanabi" in body
    assert '[Player1 "Hana Sato"]' in body


@pytest.mark.usefixtures("without_facts")
def test_name_of_one_letter_is_redacted_in_games_of_its_player_alone() -> None:
    sent(game(1, name="松", comment="松の手"), game(2, name="Chie", comment="松に鶴"))
    set_pseudonym(Player.objects.get(name="松"), SHOWN)
    assert sorted((f"{SHOWN}の手" in body, "松に鶴" in body) for body in get_texts()) == [
        (False, True),
        (True, False),
    ]


@pytest.mark.usefixtures("without_facts")
def test_any_spelling_is_hidden_in_dumps() -> None:
    comment = ", ".join(WRITTEN)
    send_and_rename(game(1, comment=comment), game(2, name="Chie", comment=comment))
    records = list(Record.objects.prefetch_related("seats__player"))
    masks = Masks(records)
    assert not any(has_real_name(masks.text(record)) for record in records)


@pytest.mark.parametrize("letter", part(["a ", "a", "花"]))
def test_redaction_of_long_texts_takes_time_in_proportion(letter: str) -> None:
    """A backtracking pattern would take hours."""
    name = (letter * 2000).strip()
    redaction = Redaction({name: SHOWN})
    assert redaction.redact(letter * 1999) == letter * 1999
    assert SHOWN in redaction.redact(f"{letter * 20_000} {name}") or letter == "a"
    assert redaction.redact("a" + "\u0301\u0316" * 10_000)
