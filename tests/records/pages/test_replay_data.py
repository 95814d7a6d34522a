"""The JSON of the player, and its frame."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from kafu import cards
from kafu.judging.progress import goals
from kafu.judging.replay import stored_replay
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Record
from records.pages.game import frame as frames
from records.wording.steps import plain_amount
from tests.markup import join_lines
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

REPLAYS = settings.BASE_DIR / "records/static/records/replay"


def store(game: Any) -> Record:
    """Store a game and return its record."""
    makers.ingest(write(game).encode())
    return Record.objects.latest("pk")


@pytest.fixture(scope="module")
def stored_game(rows_for_all: None) -> Record:
    """Return a game of koi-koi, for the tests that change nothing."""
    return store(makers.simulate_months(1))


def get_data(client: Client, record: Record, lang: str = "en") -> dict[str, Any]:
    """Return the JSON of the player."""
    response = client.get(f"/games/{record.key}/replay.json", {"lang": lang})
    assert response.status_code == 200
    data: dict[str, Any] = response.json()
    return data


@pytest.mark.parametrize("rules", part(sorted(RULES)))
def test_json_has_the_whole_replay_and_its_words(client: Client, rules: str) -> None:
    options = {"months": "6"} if "months" in RULESETS[rules].options else {}
    game = simulate(rules, seed=4, players=RULES[rules].seats[-1], options=options)
    record = store(game)
    data, engine = get_data(client, record), stored_replay(game)
    assert (data["key"], data["rules"], data["status"]) == (record.key, rules, "verified")
    assert data["players"] == list(game.players)
    for deal, played in zip(data["deals"], engine["deals"], strict=True):
        assert deal["title"] == f"Month {played['month']}"
        for name in ("number", "dealer", "score", "before", "totals"):
            assert deal[name] == played[name]
        assert deal["winner"] == played["steps"][-1]["seat"]
        for step, expected in zip(deal["steps"], played["steps"], strict=True):
            for name in ("hands", "known", "field", "captured", "stock", "yaku", "card", "take"):
                assert step[name] == expected[name]
            assert step["text"].endswith(".") and "%(" not in step["text"]
    sets = goals(machine_of(rules, game.options, len(game.players)).captured_yaku)
    assert [entry["id"] for entry in data["sets"]] == [goal.id for goal in sets]
    assert set(data["cards"]) == set(cards.LETTERS + "_?")
    assert set(data["kinds"].values()) == set(data["kindNames"])
    assert (data["points"] is None) == (rules == "koikoi")
    kan = {"hachihachi": "pt", "hachihachi-bga": "mon"}.get(rules)
    assert data["units"] == (kan and ["\N{NO-BREAK SPACE}kan ", f"\N{NO-BREAK SPACE}{kan}"])


def test_house_with_cards_of_the_month_has_them_in_each_deal(client: Client) -> None:
    """And says why a total is multiplied (K16, K17)."""
    options = {"tsukifuda": "4", "calls": "multiply", "exhausted": "higher", "months": "3"}
    game = simulate("koikoi", seed=4, options=options)
    data = get_data(client, store(game))
    assert [[goal["id"] for goal in deal["sets"]] for deal in data["deals"]] == [
        ["tsukifuda"] for _ in data["deals"]
    ]
    assert [deal["sets"][0]["cards"] for deal in data["deals"]] == [
        cards.LETTERS[4 * deal["month"] - 4 : 4 * deal["month"]] for deal in data["deals"]
    ]
    assert data["yaku"]["tsukifuda"] == "tsukifuda (four of the month)"
    assert "tsukifuda" not in {goal["id"] for goal in data["sets"]}
    whys = [line["why"] for deal in data["deals"] for line in deal["ledger"] if "why" in line]
    assert whys and all(re.match(r"Calls of koi-koi: \d+\. The total", why) for why in whys)


def test_language_is_that_of_the_query(client: Client, stored_game: Record) -> None:
    address = f"/games/{stored_game.key}/replay.json"
    for lang, browser_lang in (("en", "ja"), ("ja", "en")):
        response = client.get(address, {"lang": lang}, headers={"Accept-Language": browser_lang})
        data = response.json()
        assert (data["lang"], response.headers["Content-Language"]) == (lang, lang)
        name = "松に鶴" if lang == "ja" else "matsu ni tsuru (pine with crane)"
        assert data["cards"]["A"] == name
    for query in ({}, {"lang": "fr"}, {"lang": ""}):
        response = client.get(address, query, headers={"Accept-Language": "ja"})
        assert response.json()["lang"] == "ja"


def test_page_of_a_year_of_hachihachi_is_at_most_150_kb(client: Client) -> None:
    """Over the wire, with all that it loads (issue 5)."""
    record = store(simulate("hachihachi", seed=1))
    packed = {"Accept-Encoding": "gzip"}
    page = client.get(f"/games/{record.key}/", headers=packed)
    html = gzip.decompress(page.content).decode()
    addresses = set(
        re.findall(r'(?:href|src)="(/static/[^"#]+|/games/[^"]+replay\.json[^"]*)', html)
    )
    assert any(address.endswith("cards.svg") for address in addresses)
    assert any("replay.json" in address for address in addresses)
    total = len(page.content)
    for address in addresses:
        response = client.get(address, headers=packed)
        assert response.status_code == 200, address
        total += len(b"".join(response)) if response.streaming else len(response.content)
    assert total < 150_000


def test_static_files_are_compressed(client: Client) -> None:
    address = "/static/records/cards.svg"
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    plain = client.get(address)
    whole = Path(settings.BASE_DIR / "records/static/records/cards.svg").read_bytes()
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(b"".join(packed)) == whole == b"".join(plain)
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["Access-Control-Allow-Origin"] == "*"
    assert client.get("/static/records/nothing.svg").status_code == 404


def test_json_of_an_illegal_game_has_its_fault(client: Client) -> None:
    makers.ingest(makers.joined(makers.illegal(1)))
    record = Record.objects.latest("pk")
    english, japanese = (get_data(client, record, lang)["error"] for lang in ("en", "ja"))
    assert english["place"] == f"Month {record.verdict['error']['deal']} · turn 1"
    assert english["expected"] and english["message"] != japanese["message"]


def test_game_without_replay_is_404_for_any_site(client: Client) -> None:
    makers.ingest(makers.UNSUPPORTED.encode())
    key = Record.objects.latest("pk").key
    for tail in ("replay.json", "frame"):
        response = client.get(f"/games/{key}/{tail}", {"lang": "ja"})
        assert response.status_code == 404
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        missing = client.get(f"/games/nothing/{tail}", {"lang": "en"})
        assert missing.status_code == 404
        assert missing.headers["Access-Control-Allow-Origin"] == "*"
        assert missing.content == b"There is no such game."
    assert client.get(f"/games/{key}/moves/").status_code == 404
    assert client.get(f"/embed/{key}/").status_code == 404


# The frame


@pytest.mark.parametrize(
    ("query", "position", "is_past"),
    part(
        [
            ("2.3", "2.3", False),
            ("", "1.0", False),
            ("1.9999", "1.{last}", True),
            ("2", "2.0", False),
            ("99.2", "{deals}.{end}", True),
            ("0.1", "1.1", True),
            ("٣.١", "1.0", False),
            ("-1.2", "1.0", False),
            ("9" * 5000, "1.0", False),
            ("1.2.3", "1.0", False),
            ("1.2<script>", "1.0", False),
        ],
        one_of=2,
    ),
)
def test_frame_has_the_table_of_the_nearest_position(
    client: Client, stored_game: Record, query: str, position: str, is_past: bool
) -> None:
    record, data = stored_game, get_data(client, stored_game)
    counts = [len(deal["steps"]) for deal in data["deals"]]
    expected = position.format(last=counts[0] - 1, deals=len(counts), end=counts[-1] - 1)
    response = client.get(f"/games/{record.key}/", {"at": query})
    frame = response.context["frame"]
    assert (frame.at, frame.past, frame.counts) == (expected, is_past, counts)
    deal, place = (int(part) for part in expected.split("."))
    step = data["deals"][deal - 1]["steps"][place]
    assert frame.description == step["text"]
    assert sorted(card.letter for card in frame.field if card) == sorted(step["field"])
    for seat, hand, captured in zip(frame.seats, step["hands"], step["captured"], strict=True):
        assert "".join(card.letter for card in seat.hand) == hand
        letters = [card.letter for group in seat.captured for card in group.cards]
        assert sorted(letters) == sorted(captured)
        for group in seat.captured:
            assert {data["kinds"][card.letter] for card in group.cards} <= {group.kind}


@pytest.mark.long_only  # the settlement's test has the sums of the last step
def test_frame_has_the_sums_of_its_step(client: Client) -> None:
    record = store(simulate("hachihachi-bga", seed=3, players=4, options={"months": "6"}))
    data = get_data(client, record)
    last = len(data["deals"][0]["steps"]) - 1
    for at, sums in ((f"1.{last - 1}", "before"), (f"1.{last}", "totals")):
        response = client.get(f"/games/{record.key}/", {"at": at})
        totals = [seat.total for seat in response.context["frame"].seats]
        assert totals == [
            plain_amount(sum_, units=data["units"]) for sum_ in data["deals"][0][sums]
        ]


def test_strip_and_last_table_include_the_settlement(client: Client) -> None:
    record = store(simulate("koikoi", seed=3))
    data = get_data(client, record)
    amounts = [
        sum(column)
        for column in zip(*(step["amounts"] for step in data["settlement"]), strict=True)
    ]
    assert any(amounts)
    response = client.get(f"/games/{record.key}/", {"at": "99"})
    frame = response.context["frame"]
    assert [seat.total for seat in frame.seats] == data["final"]
    place = amounts.index(max(amounts))
    settlement = frame.settlement
    assert (settlement.name, settlement.amount) == (data["players"][place], f"+{amounts[place]}")
    assert f'?at={frame.end}" data-settled' in join_lines(response.content.decode())


@pytest.mark.parametrize(
    ("ruleset", "reason"),
    part([("koikoi", "no winner"), ("hanaawase", "dealt again")], one_of=2),
)
def test_strip_says_why_nobody_gained_from_a_deal(
    client: Client, ruleset: str, reason: str
) -> None:
    record = store(simulate(ruleset, seed=2))
    count = sum(not deal["scores"] for deal in get_data(client, record)["deals"])
    page = client.get(f"/games/{record.key}/").content.decode()
    assert count and page.count(f">{reason}<") == count


def test_frame_for_other_sites_has_absolute_addresses(client: Client, stored_game: Record) -> None:
    response = client.get(f"/games/{stored_game.key}/frame", {"lang": "ja", "at": "2.1"})
    html = join_lines(response.content.decode())
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Content-Language"] == "ja"
    assert response.context["frame"].at == "2.1"
    assert html.startswith(" <link") and "のカス" in html
    addresses = re.findall(r'(?:href|src)="([^"#][^"]*)"', html)
    assert addresses and all(link.startswith("http://testserver/") for link in addresses)


def test_page_preloads_every_module_that_the_player_imports(
    client: Client, stored_game: Record
) -> None:
    modules = client.get(f"/games/{stored_game.key}/").context["frame"].modules
    entry = "/static/records/replay/kafu-replay.js"
    files = {f"/static/records/replay/{path.name}" for path in REPLAYS.glob("*.js")}
    files |= {"/static/records/retry.js", "/static/records/storage.js"}
    assert {*modules, entry} == files - {"/static/records/replay/sound.js"}


def test_places_of_the_field_follow_it_from_step_to_step() -> None:
    """`tests/javascript/replay.test.mjs` has the same fields for the player's module."""
    fields = ["AEIM", "AIM", "IM?", "I??", "IA?N", "", "EQ"]
    assert [frames.slots_of(fields[:count]) for count in range(1, len(fields) + 1)] == [
        ["A", "E", "I", "M"],
        ["A", "", "I", "M"],
        ["?", "", "I", "M"],
        ["?", "?", "I", ""],
        ["?", "A", "I", "N"],
        ["", "", "", ""],
        ["E", "Q", "", ""],
    ]
