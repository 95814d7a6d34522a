"""Optional members of a game's line in an export: verdict, moves and facts.

Moves and facts are computed from the text of each game while the file is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypedDict

from django.utils import translation

from kafu.cards import letters
from kafu.judging.facts import DealFacts, Decision, GameFacts
from kafu.judging.verify import verify
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from records.base import labels
from records.models import Record

VERDICT, MOVES, FACTS = NAMES = ("verdict", "moves", "facts")


class Opening(TypedDict):
    """The first card that was played in a deal."""

    card: str
    captured: Annotated[str, "Empty if it captured nothing."]


class DecisionJson(TypedDict):
    """A seat that could stop or go on."""

    seat: int
    word: Annotated[str, "The declared word."]
    yaku: Annotated[list[str], "The yaku made so far."]
    left: Annotated[int, "Cards in its hand."]
    opponent: Annotated[int, "The most cards an opponent had captured."]
    stop: Annotated[int, "Its score of the deal, had it stopped."]


class DealFactsJson(TypedDict):
    """Facts of a deal beyond its result; cards are letters."""

    hands: Annotated[list[str], "As dealt; empty where not all cards are known."]
    field: Annotated[str, "When the first card was played."]
    opening: Opening | None
    decisions: list[DecisionJson]
    captured: Annotated[list[str] | None, "At the end, by seat."]


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The requested members (`NAMES`), and the language of messages."""

    names: tuple[str, ...] = ()
    lang: str = "en"

    def of(self, record: Record) -> dict[str, Any]:
        """Return the requested members of a game's line. The record must be masked."""
        make = {VERDICT: self._verdict, MOVES: _make_moves, FACTS: _make_facts}
        return {name: make[name](record) for name in self.names}

    @property
    def nothing(self) -> dict[str, Any]:
        """The members of a line without a game."""
        return dict.fromkeys(self.names)

    def _verdict(self, record: Record) -> dict[str, Any]:
        with translation.override(self.lang):
            return labels.verdict(record.verdict, record.players)


NONE: Final = Inclusion()


def _make_moves(record: Record) -> Mapping[str, Any]:
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return to_json(game)


def _make_facts(record: Record) -> list[DealFactsJson] | None:
    facts = verify(read(record.text), facts=True).facts
    return None if facts is None else [_make_deal(facts, deal) for deal in facts.deals]


def _make_deal(facts: GameFacts, deal: DealFacts) -> DealFactsJson:
    played: Opening | None = deal.opening and {
        "card": letters(deal.opening[0]),
        "captured": letters(deal.opening[1]),
    }
    return {
        "hands": [letters(hand) for hand in deal.hands],
        "field": letters(deal.laid),
        "opening": played,
        "decisions": [_make_decision(decision) for decision in facts.decisions(deal)],
        "captured": [letters(cards) for cards in deal.captured] if deal.ended else None,
    }


def _make_decision(decision: Decision) -> DecisionJson:
    return {
        "seat": decision.seat,
        "word": decision.word,
        "yaku": [*decision.yaku],
        "left": decision.left,
        "opponent": decision.opponent,
        "stop": decision.stopped[decision.seat - 1],
    }
