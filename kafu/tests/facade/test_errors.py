"""Invalid input to the façade raises one family of errors, with place and expected values."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kafu

GAME = kafu.simulate("koikoi", seed=1)
DEALT = kafu.Table("koikoi").lay_out(["AEIMQUYc", "BFJNRVZd"], "CGKOSWae", "D...", dealer=1)
PLAYED = DEALT.apply("begin")


@pytest.mark.parametrize(
    "call",
    [
        lambda: kafu.read(b"[Kafu]"),  # type: ignore[arg-type]
        lambda: kafu.read(None),  # type: ignore[arg-type]
        lambda: kafu.games(b"[Kafu]"),  # type: ignore[arg-type]
        lambda: kafu.games(7),  # type: ignore[arg-type]
        lambda: kafu.records(None),  # type: ignore[arg-type]
        lambda: kafu.verify("[Kafu]"),  # type: ignore[arg-type]
        lambda: kafu.verify(None),  # type: ignore[arg-type]
        lambda: kafu.replay("x"),  # type: ignore[arg-type]
        lambda: kafu.write({}),  # type: ignore[arg-type]
        lambda: kafu.identity(b""),  # type: ignore[arg-type]
        lambda: kafu.to_json("x"),  # type: ignore[arg-type]
        lambda: kafu.Table(b"koikoi"),  # type: ignore[arg-type]
        lambda: kafu.Table("koikoi", players="2"),  # type: ignore[arg-type]
        lambda: kafu.Table("koikoi", players=True),
        lambda: kafu.Table("koikoi", options="months=6"),  # type: ignore[arg-type]
        lambda: kafu.Table("koikoi").deal("7"),  # type: ignore[arg-type]
        lambda: kafu.Table("koikoi").lay_out("AB"),
        lambda: kafu.Table("koikoi").lay_out(None),  # type: ignore[arg-type]
        lambda: kafu.simulate("koikoi", strategies=None),  # type: ignore[arg-type]
        lambda: kafu.Table("koikoi").lay_out([b"AB"]),  # type: ignore[list-item]
        lambda: kafu.Table("koikoi").lay_out(["A"], b"B"),  # type: ignore[arg-type]
        lambda: PLAYED.apply(b"AxC"),  # type: ignore[arg-type]
        lambda: PLAYED.apply(None),  # type: ignore[arg-type]
        lambda: PLAYED.game("Aya"),
        lambda: kafu.simulate("koikoi", seed="1"),  # type: ignore[arg-type]
        lambda: kafu.simulate("koikoi", strategies=[1, 2]),  # type: ignore[list-item]
        lambda: kafu.play("koikoi", []),  # type: ignore[arg-type]
        lambda: kafu.play(PLAYED, "sensible"),
        lambda: kafu.play(kafu.Table("koikoi"), ["random"] * 2, "7"),  # type: ignore[arg-type]
        lambda: PLAYED.sample("7"),  # type: ignore[arg-type]
        lambda: kafu.odds_of(b"koikoi"),  # type: ignore[arg-type]
    ],
)
def test_value_of_a_wrong_type_names_the_expected_type(call: Callable[[], Any]) -> None:
    with pytest.raises(kafu.WrongType) as caught:
        call()
    assert isinstance(caught.value, TypeError | kafu.Error)
    assert caught.value.code == "wrong-type"
    assert caught.value.expected


@pytest.mark.parametrize(
    "call",
    [
        lambda: kafu.Table("whist"),
        lambda: kafu.simulate("x" * 10_000),
        lambda: kafu.odds_of(""),
        lambda: kafu.write(kafu.Game("whist", ("A", "B"))),
        lambda: kafu.verify(kafu.Game("whist", ("A", "B"))),
        lambda: kafu.replay(kafu.Game("whist", ("A", "B"))),
    ],
)
def test_unknown_ruleset_names_those_that_exist(call: Callable[[], Any]) -> None:
    with pytest.raises(kafu.UnknownRuleset) as caught:
        call()
    assert caught.value.expected == tuple(ruleset.id for ruleset in kafu.rulesets())
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("call", "code", "expected"),
    [
        (lambda: kafu.Table("koikoi", players=3), "wrong-players", ("2",)),
        (lambda: kafu.Table("koikoi", options={"mouths": "6"}), "unknown-option", None),
        (lambda: kafu.Table("koikoi", options={"months": "six"}), "bad-option", ("1…48",)),
        (lambda: kafu.simulate("koikoi", strategies="clever"), "unknown-strategy", None),
        (lambda: kafu.simulate("koikoi", strategies=["random"]), "wrong-players", ()),
        (lambda: kafu.play(PLAYED, ["random"]), "wrong-players", ()),
        (lambda: kafu.Table("koikoi").lay_out(["A!"]), "unknown-card", ()),
        (lambda: kafu.Table("koikoi").lay_out(["A"], "?"), "unknown-card", ()),
        (lambda: kafu.Table("koikoi").lay_out(["A", "B", "C"]), "wrong-players", ()),
        (lambda: kafu.Table("koikoi").lay_out(["A"], dealer=3), "no-seat", ("1", "2")),
        (lambda: PLAYED.yaku(3), "no-seat", ("1", "2")),
        (lambda: PLAYED.game(["Aya"]), "wrong-players", ()),
        (lambda: kafu.Table("koikoi").game(), "no-deal", ()),
        (lambda: kafu.games('[Kafu "1"]\n'), "no-path", ()),
    ],
)
def test_bad_value_names_its_code_and_the_expected_values(
    call: Callable[[], Any], code: str, expected: tuple[str, ...] | None
) -> None:
    with pytest.raises(kafu.BadValue) as caught:
        call()
    assert caught.value.code == code
    if expected is None:
        assert caught.value.expected
    else:
        assert caught.value.expected == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("", 1, 1, "empty"),
        ("no game", 1, 1, "first-tag"),
        ('[Kafu "1"]\n[Rules "poker"]', 2, 1, "unknown-rules"),
        ("{}", 1, None, None),
        ("[1, 2]", 1, 2, None),
        ("a\0b\ud800", 1, None, None),
        (kafu.write(GAME) + "\n" + kafu.write(GAME), None, 1, "second-game"),
        (kafu.write(GAME).replace("\nmonth 2", "\nmoon 2"), None, 1, None),
    ],
)
def test_text_that_is_no_game_names_line_column_and_code(
    text: str, line: int | None, column: int | None, code: str | None
) -> None:
    with pytest.raises(kafu.NotKafu) as caught:
        kafu.read(text)
    error = caught.value
    assert error.line
    assert line in (None, error.line)
    assert column in (None, error.column)
    assert code in (None, error.code)
    assert str(error).startswith(f"line {error.line}")
    assert error.fault
    assert error.fault.message("ja") != error.message


@pytest.mark.parametrize(
    ("table", "action", "code", "expected"),
    [
        (PLAYED, "AxG", "capture-wrong", ("C",)),
        (PLAYED, "B", None, tuple("AEIMQUYc")),
        (PLAYED, "nonsense", "no-action", None),
        (PLAYED, "", "no-action", None),
        (PLAYED, "=koikoi", None, None),
        (PLAYED, kafu.Action("hand", 1, "?"), "no-action", None),
        (PLAYED, kafu.Action("hand", 1, "A", "?"), "no-action", None),
        (PLAYED, kafu.Action("deal"), "no-action", None),
        (PLAYED, kafu.Action("dance"), "no-action", None),  # type: ignore[arg-type]
        (DEALT, kafu.Action("show", 0, say="sanbon"), "no-seat", ("begin",)),
        (DEALT, kafu.Action("show", 9, say="sanbon"), "no-seat", ("begin",)),
        (DEALT, "show 1 sanbon ABC", "show-cards", ("AEIMQUYc",)),
    ],
)
def test_illegal_action_names_its_place_and_the_legal_actions(
    table: kafu.Table, action: kafu.Action | str, code: str | None, expected: tuple[str, ...] | None
) -> None:
    with pytest.raises(kafu.IllegalAction) as caught:
        table.apply(action)
    error = caught.value
    assert code in (None, error.code)
    assert error.deal == 1
    assert error.turn == (1 if table is PLAYED else None)
    assert error.legal == table.legal_actions
    assert error.expected == (expected or tuple(map(str, table.legal_actions)))


def test_deal_when_no_cards_are_due_is_an_illegal_action() -> None:
    for call in (lambda: PLAYED.deal(1), lambda: PLAYED.lay_out(["A"])):
        with pytest.raises(kafu.IllegalAction, match="no cards are to be dealt"):
            call()
    with pytest.raises(kafu.IllegalAction, match="deal 1"):
        DEALT.apply("begin").deal()
    with pytest.raises(kafu.IllegalAction):
        kafu.Table("koikoi").apply("begin")


def test_deal_with_a_hand_of_wrong_size_is_refused_by_its_code() -> None:
    with pytest.raises(kafu.IllegalAction) as caught:
        kafu.Table("koikoi").lay_out(["AEIMQUY", "BFJNRVZd"], "CGKOSWae", dealer=1)
    assert caught.value.code == "hand-size"


def test_illegal_action_of_a_strategy_is_refused() -> None:
    with pytest.raises(kafu.IllegalAction) as caught:
        kafu.play(PLAYED, [lambda *_: "AxG", "random"], 1)
    assert caught.value.code == "capture-wrong"


def test_stream_without_text_is_a_wrong_type(tmp_path: Path) -> None:
    class Numbers:
        def read(self, size: int) -> int:
            return size

    with pytest.raises(kafu.WrongType):
        next(kafu.games(Numbers()))  # type: ignore[arg-type]
    path = tmp_path / "games.kafu"
    path.write_bytes('[Kafu "1"]\n; 花札'.encode("cp932"))
    with path.open(encoding="utf-8") as stream, pytest.raises(kafu.NotKafu, match="read bytes"):
        next(kafu.games(stream))
    with pytest.raises(FileNotFoundError):
        next(kafu.games(tmp_path / "no.kafu"))


def test_error_survives_pickling_and_is_a_value_error() -> None:
    with pytest.raises(kafu.Error) as caught:
        list(kafu.games(io.BytesIO(b"x")))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is kafu.NotKafu
    assert (again.line, str(again)) == (1, str(caught.value))
    with pytest.raises(ValueError, match="player 1"):
        PLAYED.apply("B")
