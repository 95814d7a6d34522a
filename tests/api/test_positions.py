"""POST positions: a game written through the API, as by the editor."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from django.test import Client

from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record, Upload, Visibility
from tests.api.contract import Api, is_japanese, problem
from tests.people.world import sent, session, user
from tests.records.makers import MALFORMED, UNSUPPORTED, illegal, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
KAFU, JSON = "text/x-kafu", "application/json"
NEW = {"ruleset": "koikoi", "players": ["Aya", "Ben"], "options": {"months": "2"}}
HANDS = ["AEIMQUYc", "BFJNRVZd"]
DEAL = {"number": 1, "hands": HANDS, "field": "CGKOSWej", "dealer": 1}


@pytest.fixture
def tell(api: Api) -> Any:
    """Return a function that sends fields and returns the response's object."""

    def send(**fields: Any) -> dict[str, Any]:
        response = api.post("positions", fields, JSON)
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        return answer

    return send


def moves(answer: dict[str, Any]) -> list[str]:
    return [move["do"] for move in answer["legal"]]


def test_month_is_played_by_taps(tell: Any) -> None:
    """Each response has the legal moves; the last card of a turn lengthens the text."""
    before = tell(new=NEW)
    assert (before["status"], before["error"], before["at"]) == ("unfinished", None, "0.0")
    assert before["due"] == {"month": 1, "dealers": [1, 2], "cards": None}
    dealt = tell(new=NEW, deal=DEAL)
    assert dealt["table"]["hands"] == HANDS and dealt["table"]["seat"] == 1
    assert dealt["due"] is None and "AxC" in moves(dealt)
    half = tell(kafu=dealt["kafu"], do=["AxC"])
    assert (half["kafu"], half["open"], half["error"]) == (dealt["kafu"], "AxC", None)
    assert half["table"]["phase"] == "stock" and "/gxj" in moves(half)
    assert half["at"] == "1.0", "the last step that the text has"
    whole = tell(kafu=half["kafu"], do=[half["open"], "/gxj"])
    assert whole["kafu"].endswith("\n1. AxC/gxj\n") and not whole["open"]
    assert (whole["at"], whole["table"]["seat"]) == ("1.2", 2)
    back = tell(kafu=whole["kafu"], at="1.1", take_back=True)
    assert (back["at"], back["open"], back["kafu"]) == ("1.0", "AxC", dealt["kafu"])
    again = tell(kafu=back["kafu"], at=back["at"], do=[back["open"], "/gxj"])
    assert again["kafu"] == whole["kafu"]
    assert [step["notation"] for step in whole["steps"]] == ["", "AxC", "/gxj"]
    assert whole["steps"][1]["words"].startswith("Aya plays")
    assert not Record.objects.exists() and not Upload.objects.exists()


def test_turn_is_played_in_one_word(tell: Any) -> None:
    dealt = tell(new=NEW, deal=DEAL)
    assert tell(kafu=dealt["kafu"], do=["AxC/gxj"])["at"] == "1.2"


def test_step_is_changed_and_taken_back(tell: Any) -> None:
    game = text(3)
    at_step = tell(kafu=game, at="2.2")
    assert at_step["at"] == "2.2" and at_step["kafu"] == game and at_step["status"] == "verified"
    former_move = at_step["steps"][3]["notation"]
    same = tell(kafu=game, at="2.2", do=[former_move])
    assert same["kafu"] == game and same["at"] == "2.3"
    new_move = next(move for move in moves(at_step) if move != former_move)
    changed = tell(kafu=game, at="2.2", do=[new_move])
    assert changed["kafu"] != game and changed["at"] == "2.3"
    back = tell(kafu=game, at="2.4", take_back=True)
    assert back["at"] == "2.4" and len(back["deals"]) == 2 and back["status"] == "unfinished"
    assert len(tell(kafu=game, at="2.-1", take_back=True)["deals"]) == 1


def test_cards_seen_stay_known_when_turns_are_taken_back(tell: Any) -> None:
    """The draw pile keeps its order, and the hidden hand keeps the known cards."""
    whole = text(3)
    pile = re.search(r"^stock (.+)$", whole, re.MULTILINE)
    assert pile is not None
    silent = re.sub(r"^stock .+\n", "", whole, flags=re.MULTILINE)
    silent = re.sub(r"^hand 2 .+$", "hand 2 ????????", silent, flags=re.MULTILINE)
    came = [step["card"] for step in tell(kafu=whole, at="1.0")["steps"] if step["kind"] == "stock"]
    for record in (whole, silent):
        back = tell(kafu=record, at="1.0", foresee=True, take_back=True)
        assert back["table"]["ahead"].startswith("".join(came))
    assert pile[1].startswith("".join(came))
    unseen = tell(kafu=silent, at="1.0", take_back=True)
    assert not unseen["table"]["ahead"]
    hand = tell(kafu=silent, at="1.0", foresee=True, take_back=True)["table"]["hands"][1]
    assert hand.count("?") < unseen["table"]["hands"][1].count("?")


def test_next_month_is_set_up(tell: Any) -> None:
    game = simulate("koikoi", seed=3)
    answer = tell(kafu=write(game), at="1.0", take_back=True)
    months = tell(kafu=write(game), at="2.-1", take_back=True)
    assert months["due"]["month"] == 2 and months["due"]["dealers"] == [game.months[1].dealer]
    assert months["deals"][0]["result"]["score"] == list(game.months[0].score or ())
    again = tell(kafu=months["kafu"], deal={"number": 2, "random": True, "seed": 5})
    assert again["at"] == "2.0" and again["table"]["month"] == 2
    assert answer["kafu"].count("month ") == 1


def test_worths_of_a_choice_are_computed_on_request(tell: Any) -> None:
    """They are those of cards or words that the seat to move can choose."""
    game = text(3)
    lasts = [tell(kafu=game, at=at, take_back=True, worths=True) for at in ("2.2", "2.3")]
    choice, turned = lasts
    assert choice["worths"].keys() == {*moves(choice)} and len(moves(choice)) > 1
    means = [worth["mean"] for worth in choice["worths"].values()]
    assert min(means) < max(means) and all(x["error"] >= 0 for x in choice["worths"].values())
    assert turned["worths"] == {}, "a known card without an alternative"
    assert not tell(kafu=game, at="2.2", take_back=True)["worths"]
    assert not tell(kafu=game, at="2.2", worths=True)["worths"], "more is written"
    hidden = re.sub(r"(?m)^hand ([12]) .+$", r"hand \1 ????????", game)
    assert not tell(kafu=hidden, at="2.2", take_back=True, worths=True)["worths"]


def test_comment_is_added(tell: Any) -> None:
    assert "{a good one}" in tell(kafu=text(3), at="2.4", comment="a good one")["kafu"]


def test_fault_has_its_place_and_legal_moves(tell: Any) -> None:
    """The place is that of `verify`; each legal move is a sentence."""
    answer = tell(kafu=illegal(1))
    assert answer["status"] == "illegal" and answer["error"]["line"]
    assert answer["fault"]["legal"] and all(move["words"] for move in answer["fault"]["legal"])
    assert moves(answer), "moves from the table before the fault"


def test_fault_is_replaced_by_an_alternative(tell: Any) -> None:
    """The fault is replaced or left out, and the next fault is reported."""
    faulty = tell(kafu=illegal(1))
    first = faulty["fault"]["instead"][0]
    assert first["words"]
    corrected = tell(kafu=illegal(1), instead=first["text"])
    assert corrected["kafu"] != faulty["kafu"]
    place = (faulty["fault"]["deal"], faulty["fault"]["step"])
    then = corrected["fault"]
    assert then is None or (then["deal"], then["step"]) > place
    cut = tell(kafu=illegal(1), at=f"{place[0]}.{place[1]}", take_back=True)
    assert cut["error"] is None and cut["status"] == "unfinished"


def test_wrong_claims_are_corrected(tell: Any) -> None:
    wrong = re.sub(r"^score 1 .*$", "score 1 +99 2 -99", text(3), count=1, flags=re.MULTILINE)
    answer = tell(kafu=wrong)
    assert answer["status"] == "mismatch" and "99" in answer["mismatches"][0]["words"]
    assert tell(kafu=wrong, compute=True)["kafu"] == text(3)


def test_text_without_a_change_stays_as_written(tell: Any) -> None:
    """Line numbers count in the request."""
    spaced = illegal(3).replace("\nmonth 1", "\n\n\n; the first\nmonth 1", 1)
    answer = tell(kafu=spaced)
    assert answer["kafu"] == spaced
    assert answer["error"]["line"] == tell(kafu=illegal(3))["error"]["line"] + 3


def test_game_taken_back_to_its_beginning_keeps_its_tags(tell: Any) -> None:
    dated = text(3).replace("[Player1", '[Date "2026-01-03"]\n[Player1', 1)
    before = tell(kafu=dated, at="1.-1", take_back=True)
    assert before["at"] == "0.0" and before["tags"]["Date"] == "2026-01-03"
    new = {name: before[name] for name in ("ruleset", "players", "options", "tags")}
    assert "2026-01-03" in tell(new=new, deal=DEAL)["kafu"]
    assert tell(new=new)["due"]["cards"] is None


def test_impossible_cards_are_faults(tell: Any) -> None:
    """A duplicate card, or an eighth card in a hand."""
    twice = tell(new=NEW, deal=DEAL | {"hands": ["AEIMQUYc", "AFJNRVZd"]})
    assert twice["error"]["code"] == "card-twice" and "AFJNRVZd" in twice["kafu"]
    assert twice["due"]["cards"]["hands"] == ["AEIMQUYc", "AFJNRVZd"], "to be laid out again"
    longer = tell(new=NEW, deal=DEAL | {"hands": ["AEIMQUYcf", "BFJNRVZd"]})
    assert longer["status"] == "illegal" and "AEIMQUYcf" in longer["kafu"]


@pytest.mark.parametrize("game", [MALFORMED, UNSUPPORTED, "hello world"])
def test_unplayable_text_is_returned_unchanged(tell: Any, game: str) -> None:
    answer = tell(kafu=game)
    assert answer["kafu"] == game and answer["table"] is None and answer["legal"] == []


def test_text_is_a_valid_body(api: Api) -> None:
    answer = api.post("positions", text(1).encode(), KAFU).json()
    assert answer["status"] == "verified" and answer["table"]["phase"] == "over"


def test_messages_are_translated(api: Api) -> None:
    answer = api.post("positions?lang=ja", {"new": NEW, "deal": DEAL}, JSON).json()
    assert not answer["legal"][0]["words"].isascii()


def test_stored_game_is_read_by_those_who_may_see_it(api: Api) -> None:
    owner = user("aya")
    sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    key = Record.objects.get().key
    problem(api.post("positions", {"record": key}, JSON), "not-found", 404)
    response = session(owner).post("/api/v1/positions", {"record": key}, content_type=JSON)
    assert response.json()["kafu"] == text(1)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "non_field_errors"),
        ({"kafu": text(1), "record": "x"}, "non_field_errors"),
        ({"kafu": text(1), "undo": True}, "non_field_errors"),
        ({"kafu": text(1), "at": "3"}, "at"),
        ({"kafu": text(1), "instead": "AxD"}, "instead"),
        ({"kafu": illegal(1), "instead": "a card"}, "instead"),
        ({"new": NEW | {"tags": {"Date": "a\nb"}}}, "new"),
        ({"new": NEW | {"tags": {"a b": "c"}}}, "new"),
        ({"kafu": text(1), "at": "99.0"}, "at"),
        ({"kafu": text(1), "at": "1.1", "do": ["hello"]}, "do"),
        ({"kafu": text(1), "do": ["A"] * 1000}, "do"),
        ({"new": NEW, "do": ["A"]}, "at"),
        ({"new": NEW | {"players": ["Aya"]}}, "new"),
        ({"new": NEW | {"players": ["Aya", "Ben", "Chie"]}}, "new"),
        ({"new": NEW | {"options": {"months": "x"}}}, "new"),
        ({"new": NEW | {"options": {"x": "y"}}}, "new"),
        ({"kafu": text(1), "at": "1.-2", "comment": "x"}, "at"),
        ({"kafu": text(1), "deal": {"number": 60, "random": True}}, "deal"),
        ({"new": NEW | {"ruleset": "poker"}}, "new"),
        ({"new": NEW, "deal": DEAL | {"number": 2}}, "deal"),
        ({"new": NEW, "deal": DEAL | {"field": "!"}}, "deal"),
        ({"new": NEW, "deal": DEAL | {"dealer": 3}}, "deal"),
    ],
)
def test_invalid_field_is_refused(api: Api, fields: dict[str, Any], name: str) -> None:
    body = problem(api.post("positions", fields, JSON), "invalid-parameter", 400)
    assert any(error["name"].split(".")[0] == name for error in body["errors"]), body
    assert not is_japanese(body["detail"])
    japanese = problem(api.post("positions?lang=ja", fields, JSON), status=400)
    assert is_japanese(japanese["detail"]), japanese


def test_body_without_or_with_several_games_is_refused(api: Api) -> None:
    problem(api.post("positions", b" ", KAFU), "nothing-sent", 400)
    problem(api.post("positions", joined(text(1), text(2)), KAFU), "one-game-only", 400)
    long = "{" + "x" * MAX_GAME_BYTES + "}"
    problem(api.post("positions", (text(1) + long).encode(), KAFU), "too-large", 413)


def test_positions_need_no_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/api/v1/positions", {"new": NEW}, content_type=JSON)
    assert response.status_code == 200


def test_cards_are_found_by_their_names(tell: Any) -> None:
    """Similar cards are distinguished by the others; some places may be letters."""
    names = ["松に鶴、梅の短冊、桜のカス", "pine dregs, pine dregs"]
    dealt = tell(new=NEW, deal={**DEAL, "hands": names, "field": "BEIK", "dealer": 1})
    hands = dealt["kafu"]
    assert "hand 1 AFL\nhand 2 CD\nfield BEIK\n" in hands


def test_unknown_card_name_is_refused(api: Api) -> None:
    deal = {**DEAL, "hands": ["松に亀", ""]}
    wrong = problem(api.post("positions?lang=ja", {"new": NEW, "deal": deal}, JSON), status=400)
    assert "松に亀 という札はありません" in wrong["detail"]


@pytest.mark.parametrize("item", ["", [], {}, None, " "])
def test_long_list_is_refused_before_its_items_are_checked(api: Api, item: Any) -> None:
    api.post("positions", b"{}", JSON)  # the first request of a process loads the site
    began = time.process_time()
    for field in ("do", "players"):
        data = {"kafu": "x", "do": [item] * 19_000} if field == "do" else None
        begin = {"new": {"ruleset": "koikoi", "players": [item] * 19_000}}
        assert api.post("positions", json.dumps(data or begin).encode(), JSON).status_code == 400
    assert time.process_time() - began < 1


def test_json_of_many_values_is_refused(api: Api) -> None:
    body = json.dumps({"kafu": "x", "do": [[]] * 100_000}).encode()
    assert "20000 values" in api.post("positions", body, JSON).json()["detail"]
