"""Optional members of a game's line in an export: verdict, moves and facts.

Moves and facts are computed from the text of each game while the file is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils import translation

from kafu.cards import letters
from kafu.judging.facts import DealFacts, Decision, GameFacts
from kafu.judging.verify import verify
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from records.base import labels
from records.models import Record

VERDICT, MOVES, FACTS = NAMES = ("verdict", "moves", "facts")


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The requested members (`NAMES`), and the language of messages."""

    names: tuple[str, ...] = ()
    lang: str = "en"

    def of(self, record: Record) -> dict[str, Any]:
        """Return the requested members of a game's line. The record must be masked."""
        make = {VERDICT: self._verdict, MOVES: _moves, FACTS: _facts}
        return {name: make[name](record) for name in self.names}

    @property
    def nothing(self) -> dict[str, Any]:
        """The members of a line without a game."""
        return dict.fromkeys(self.names)

    def _verdict(self, record: Record) -> dict[str, Any]:
        with translation.override(self.lang):
            return labels.verdict(record.verdict, record.players)


NONE: Final = Inclusion()


def _moves(record: Record) -> Mapping[str, Any]:
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return to_json(game)


def _facts(record: Record) -> list[dict[str, Any]] | None:
    facts = verify(read(record.text), facts=True).facts
    return None if facts is None else [_deal(facts, deal) for deal in facts.deals]


def _deal(facts: GameFacts, deal: DealFacts) -> dict[str, Any]:
    played = deal.opening and {
        "card": letters(deal.opening[0]),
        "captured": letters(deal.opening[1]),
    }
    return {
        "hands": [letters(hand) for hand in deal.hands],
        "field": letters(deal.laid),
        "opening": played,
        "decisions": [_decision(decision) for decision in facts.decisions(deal)],
        "captured": [letters(cards) for cards in deal.captured] if deal.ended else None,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "seat": decision.seat,
        "word": decision.word,
        "yaku": [*decision.yaku],
        "left": decision.left,
        "opponent": decision.opponent,
        "stop": decision.stopped[decision.seat - 1],
    }
