"""The replay as a page shows it before any script: the last table, and the moves in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from records import cards
from records.engine.names import YAKU
from records.engine.replay import replay
from records.engine.rulesets import Unsupported
from records.kafu.reader import read
from records.kafu.vocabulary import RULES
from records.models import Record
from records.views import names
from records.views.telling import notation, tell

_SYMBOLS = {cards.UNKNOWN: "unknown", cards.BLANK: "blank"}


@dataclass(frozen=True, slots=True)
class CardView:
    """A card to draw: its symbol in the sprite and its name."""

    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """Captured cards of one kind."""

    kind: str
    name: str
    cards: list[CardView]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the end of the last deal; ``yaku`` are (id, name, value)."""

    number: int
    name: str
    dealer: bool
    total: int
    hand: list[CardView]
    captured: list[GroupView]
    yaku: list[tuple[str, str, int]]

    @property
    def out(self) -> bool:
        """Whether the seat has nothing on the table: it sits out."""
        return not self.hand and not any(group.cards for group in self.captured)


@dataclass(frozen=True, slots=True)
class MoveView:
    """One step in the list of moves; ``href`` is the hash of its position."""

    href: str
    kind: str
    turn: int
    notation: str
    text: str
    comments: list[str]


@dataclass(frozen=True, slots=True)
class DealView:
    """One deal in the list: its moves, and what it gave as (name, score) of those who scored."""

    number: int
    month: int
    title: str
    scores: list[tuple[str, int]]
    moves: list[MoveView]
    last: bool


@dataclass(frozen=True, slots=True)
class ReplayView:
    """All that the replay's template needs. ``data`` and ``names`` are the script's JSON."""

    data: dict[str, Any]
    names: dict[str, Any]
    seats: list[SeatView]
    field: list[CardView]
    stock: int
    deals: list[DealView]
    kan: bool

    @property
    def end(self) -> str:
        """The hash of the last step."""
        return self.deals[-1].moves[-1].href


def replay_of(record: Record) -> ReplayView | None:
    """The replay of a game; None where this version cannot play its rules or no card was played."""
    game = read(record.text).game
    if game is None:
        return None
    try:
        data = replay(game)
    except Unsupported:
        return None
    data["deals"] = [deal for deal in data["deals"] if deal["steps"]]
    if not data["deals"]:
        return None
    players = [names.person(name) for name in data["players"]]
    last = data["deals"][-1]
    table = last["steps"][-1]
    kan = RULES[data["rules"]].kan
    return ReplayView(
        data=data,
        names=names.for_script(YAKU, kan=kan),
        seats=[_seat(number, name, last, table) for number, name in enumerate(players, start=1)],
        field=card_views(table["field"]),
        stock=table["stock"],
        deals=[_deal(deal, players, kan, deal is last) for deal in data["deals"]],
        kan=kan,
    )


def card_views(letters: str) -> list[CardView]:
    """Cards to draw."""
    return [CardView(_SYMBOLS.get(letter, letter), names.card(letter)) for letter in letters]


def _seat(number: int, name: str, deal: Mapping[str, Any], table: Mapping[str, Any]) -> SeatView:
    i = number - 1
    captured = table["captured"][i]
    return SeatView(
        number=number,
        name=name,
        dealer=deal["dealer"] == number,
        total=deal["totals"][i],
        hand=card_views(table["hands"][i]),
        captured=[
            GroupView(
                kind.value,
                names.kind(kind),
                card_views("".join(c for c in captured if cards.CARD[c].kind is kind)),
            )
            for kind in cards.Kind
        ],
        yaku=[(one["id"], names.yaku(one["id"]), one["value"]) for one in table["yaku"][i]],
    )


def _deal(deal: Mapping[str, Any], players: list[str], kan: bool, last: bool) -> DealView:
    number = deal["number"]
    return DealView(
        number=number,
        month=deal["month"],
        title=names.month(deal["month"]),
        scores=[
            (name, score)
            for name, score in zip(players, deal["score"] or (), strict=False)
            if score
        ],
        moves=[
            MoveView(
                href=f"#{number}.{place}",
                kind=step["kind"],
                turn=step["turn"],
                notation=notation(step),
                text=tell(step, deal, players, kan=kan),
                comments=list(step["comments"]),
            )
            for place, step in enumerate(deal["steps"])
        ],
        last=last,
    )
