"""Games built by hand, as importers do: values that no text can contain are typed errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import kafu
from kafu.notation.actions import Action
from kafu.notation.game import Month, Statement
from turns import make_turn


def month(**changes: Any) -> Month:
    """Return a deal of koi-koi that stops after dealing."""
    month = Month(1, 1, hands={1: "AEIMQUYc", 2: "BFJNRVZd"}, field="CGKOSWej")
    for name, value in changes.items():
        setattr(month, name, value)
    return month


def game(*months: Any, **changes: Any) -> kafu.Game:
    game = kafu.Game("koikoi", ("A", "B"), tags={"Termination": "unfinished"})
    game.months = list(months)
    for name, value in changes.items():
        setattr(game, name, value)
    return game


CALLS: list[Callable[[kafu.Game], Any]] = [kafu.verify, lambda game: list(kafu.replay(game))]


def test_unchanged_deal_is_unfinished_and_legal() -> None:
    assert kafu.verify(game(month())).status == "unfinished"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (game(tags={}), None),
        (game(month(turns=[Statement("turn", (Action("hand", card="?"),))])), None),
        (game(month(turns=[Statement("turn", (Action("hand", card="!"),))])), None),
        (game(None), "no-game"),
    ],
)
def test_value_that_no_text_can_contain_is_not_kafu(
    call: Callable[[kafu.Game], Any], wrong: kafu.Game, code: str | None
) -> None:
    with pytest.raises(kafu.NotKafu) as caught:
        call(wrong)
    assert caught.value.line or caught.value.code == code


@pytest.mark.parametrize("call", CALLS)
def test_wrong_players_or_options_are_bad_values(call: Callable[[kafu.Game], Any]) -> None:
    with pytest.raises(kafu.BadValue, match="koikoi is for 2 players, not 3"):
        call(game(month(), players=("A", "B", "C")))
    with pytest.raises(kafu.BadValue, match="option months of koikoi is 'x'"):
        call(game(month(), options={"months": "x"}))
    with pytest.raises(kafu.WrongType):
        call(game(month(), players=None))


def test_game_that_cannot_be_written_down_is_not_kafu() -> None:
    for call in (kafu.write, kafu.to_json, kafu.identity):
        with pytest.raises(kafu.NotKafu, match="cannot be written down"):
            call(game(None))


def test_illegal_turn_is_named_by_the_verdict() -> None:
    verdict = kafu.verify(game(month(turns=[make_turn("AxE/L")])))
    assert (verdict.status, verdict.error and verdict.error.code.id) == ("illegal", "capture-wrong")


@pytest.mark.parametrize("name", ["a\nb", "a\x7f", "x" * 5000, "\ud800"])
def test_player_name_that_no_text_can_contain_is_a_bad_value(name: str) -> None:
    table = kafu.Table("koikoi").deal(1)
    with pytest.raises(kafu.BadValue, match="name"):
        table.game([name, "B"])
    assert kafu.read(kafu.write(table.game(["山田　太郎", 'a"b\\']))).players[1] == 'a"b\\'
