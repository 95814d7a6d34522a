"""The verdict: the result of a verification, as values and as the JSON of verdict.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, NamedTuple

from kafu.notation.faults import Fault
from kafu.notation.json_types import Internal, OneOf, RulesetId, SheetGrade
from kafu.rules.codes import CODES
from kafu.rules.names import ENDS

#: All statuses, best first: a repeated upload of a game keeps the better verdict. `unsupported` is
#: valid Kafu of a ruleset unknown to this version, stored until a later version can judge the game.
STATUSES: Final = (
    "verified",
    "consistent",
    "unfinished",
    "mismatch",
    "unsupported",
    "illegal",
    "malformed",
)
Status = Annotated[
    Literal[
        "verified", "consistent", "unfinished", "mismatch", "unsupported", "illegal", "malformed"
    ],
    OneOf("Status", STATUSES),
]
End = Annotated[str, OneOf("End", ENDS)]
#: Ends of deals that are played again, without a month stone and a score. A sheet omits them.
REPLAYED_ENDS: Final = frozenset(("redeal", "void"))


class Line(NamedTuple):
    """A line of a deal's ledger (C4): a payment, one amount a seat in the small unit.

    ``void``: the line is struck out.
    """

    label: str
    amounts: tuple[int, ...]
    void: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the object of verdict.md's ``ledger``."""
        return {"label": self.label, "amounts": list(self.amounts), "void": self.void}


class DealResult(NamedTuple):
    """The result of a deal. Sums a seat in the small unit.

    ``first`` is the seat that comes first whatever the sums, because this deal ended the game (T5);
    0 for nobody.
    """

    month: int
    dealer: int
    grade: SheetGrade | None
    bound: str | None
    ledger: tuple[Line, ...]
    score: tuple[int, ...]
    next_dealer: int | None
    end: End
    winner: Internal[int | None] = None
    first: Internal[int] = 0

    def to_json(self) -> dict[str, Any]:
        """Return the object of verdict.md's ``deals``."""
        fields = self._asdict()
        del fields["winner"], fields["first"]
        ledger = [line.to_json() for line in self.ledger]
        return fields | {"ledger": ledger, "score": list(self.score)}


def placed(final: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """Return the place of each seat in a settlement, from 1; equal sums share the better place.

    The sums decide, except for a seat that the rules make the ``first`` (`DealResult.first`).

    >>> placed((5, 9, 5)), placed((5, 9, 5), first=1)
    ((2, 1, 2), (1, 2, 3))
    """
    places = []
    for seat, sum_ in enumerate(final, start=1):
        rivals = (final[other - 1] for other in range(1, len(final) + 1) if other != first)
        better = sum(rival > sum_ for rival in rivals)
        places.append(1 if seat == first else 1 + bool(first) + better)
    return tuple(places)


class Mismatch(NamedTuple):
    """A claim of the record that differs from what was computed.

    ``deal`` and ``seat`` count from 1; None for a claim about all of them.
    """

    where: Annotated[str, OneOf("Where", ("ba", "score", "final", "result"))]
    deal: int | None
    seat: int | None
    claimed: Annotated[int | str, "A sum, or a grade."]
    computed: int | str | None


@dataclass(slots=True)
class Verdict:
    """The result of verifying one game; positions count from 1, sums are in the small unit.

    >>> import kafu
    >>> verdict = kafu.verify(kafu.simulate("koikoi", seed=1))
    >>> verdict.status, verdict.error, verdict.to_json()["rules"]
    ('verified', None, 'koikoi')
    """

    status: Status
    source: str = ""
    game: int = 1
    line: int | None = None
    rules: RulesetId | None = None
    identity: Annotated[str | None, "SHA-256 of what happened."] = None
    error: Fault | None = None
    mismatches: list[Mismatch] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    deals: list[DealResult] = field(default_factory=list)
    final: tuple[int, ...] | None = None

    @property
    def places(self) -> tuple[int, ...] | None:
        """The place of each seat in the settlement, as of `placed`; None without a settlement."""
        if self.final is None:
            return None
        return placed(self.final, self.deals[-1].first if self.deals else 0)

    def to_stored(self) -> dict[str, Any]:
        """Return the verdict without a language: faults have ``values`` instead of ``message``."""
        return {
            "source": self.source,
            "game": self.game,
            "line": self.line,
            "status": self.status,
            "rules": self.rules,
            "identity": self.identity,
            "error": self.error and self.error.to_stored(),
            "mismatches": [m._asdict() for m in self.mismatches],
            "warnings": [warning.to_stored() for warning in self.warnings],
            "deals": [deal.to_json() for deal in self.deals],
            "final": list(self.final) if self.final is not None else None,
        }

    def to_json(self, lang: str = "en", players: Sequence[str] = ()) -> dict[str, Any]:
        """Return the object of verdict.md, with messages in ``lang`` ("en" or "ja").

        ``players`` are names by seat, which replace "player 1" in messages.
        """
        return localise(self.to_stored(), lang, players)


def localise(stored: Mapping[str, Any], lang: str, players: Sequence[str] = ()) -> dict[str, Any]:
    """Return a stored verdict with its messages in words, the object of verdict.md.

    ``players`` are names by seat, as in `localise_fault`.
    """
    return {
        **stored,
        "error": localise_fault(stored["error"], lang, players),
        "warnings": [localise_fault(warning, lang, players) for warning in stored["warnings"]],
    }


def localise_fault(
    stored: Mapping[str, Any] | None, lang: str, players: Sequence[str] = ()
) -> dict[str, Any] | None:
    """Return a stored fault (``Fault.to_stored``) with its message in ``lang``; None stays None.

    ``players`` are names by seat, which replace seat numbers in the message.
    """
    if stored is None:
        return None
    message = CODES[stored["code"]].text(lang, stored["values"], players)
    return {**{key: stored[key] for key in stored if key != "values"}, "message": message}


def plain_message(stored: Mapping[str, Any], lang: str, players: Sequence[str] = ()) -> str:
    """Return the message of a stored fault without letters of cards and numbers of rulings.

    It is for readers who see neither the text of the record nor the rulings.
    """
    return CODES[stored["code"]].text(lang, stored["values"], players, plain=True)
