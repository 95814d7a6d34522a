"""The player before its script runs: the table at one step, for the template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.templatetags.static import static
from django.utils.translation import gettext as _

from kafu import cards
from kafu.rules.verdict import REPLAYED_ENDS
from records.base import labels
from records.pages.game.player_data import winner
from records.pages.game.replayed_game import ReplayedGame
from records.wording.cards import KINDS, CardView, card_views
from records.wording.steps import ReplayPosition, amount, parse_position, plain_amount, scores


@dataclass(frozen=True, slots=True)
class GroupView:
    """Captured cards of one kind."""

    kind: str
    name: str
    cards: list[CardView]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at a step.

    ``total`` is a text, ``yaku`` are (id, name, value). ``out`` means that the seat does not play
    in the deal.
    """

    number: int
    name: str
    dealer: bool
    total: str
    hand: list[CardView]
    captured: list[GroupView]
    yaku: list[tuple[str, str, int]]
    out: bool


@dataclass(frozen=True, slots=True)
class DealView:
    """One deal in the strip of months.

    ``ahead`` is the player who came out ahead, by ``gain``; both are empty if nobody did, which
    ``reason`` explains. ``scores`` has the scores of all players.
    """

    number: int
    title: str
    grade: str
    grade_brief: str
    ahead: str
    gain: str
    scores: str
    reason: str


@dataclass(frozen=True, slots=True)
class SettlementView:
    """The settlement in the strip of months: who got or paid most, and the amounts of all."""

    name: str
    amount: str
    amounts: str


@dataclass(frozen=True, slots=True)
class FrameView:
    """The context of templates/records/_frame.html.

    ``key`` is empty for a game outside of the archive, ``src`` is the game's address. ``at`` is the
    drawn position (``deal``, ``step``). ``past`` means that the requested position is beyond the
    end. ``description`` is the step in words, ``comments`` are the comments of the record.
    ``field`` has None in the place of a captured card. ``mark`` is the badge of the dealer.
    ``settlement`` is None if it changes no sum. ``sprite``, ``styles`` and ``modules`` are
    addresses.
    """

    key: str
    src: str
    at: str
    deal: int
    step: int
    past: bool
    counts: list[int]
    seats: list[SeatView]
    field: list[CardView | None]
    stock: int
    deals: list[DealView]
    settlement: SettlementView | None
    title: str
    description: str
    comments: list[str]
    mark: str
    units: labels.Units | None
    sprite: str
    styles: list[str]
    modules: list[str]

    @property
    def around(self) -> list[SeatView]:
        """The seats from the bottom on. The first seat in play is at the bottom (table.js)."""
        first = next((i for i, seat in enumerate(self.seats) if not seat.out), 0)
        return self.seats[first:] + self.seats[:first]

    @property
    def end(self) -> str:
        """The position of the last step."""
        return f"{len(self.counts)}.{self.counts[-1] - 1}"


#: The style sheets linked in the player's shadow root.
STYLES: Final = (
    "records/cards.css",
    "records/replay/replay.css",
    "records/replay/narrow.css",
    "records/replay/moments.css",
)
#: The modules imported by the player's entry; sound is loaded on demand.
MODULES: Final = (
    "records/retry.js",
    "records/storage.js",
    *(
        f"records/replay/{path.name}"
        for path in sorted((Path(__file__).parents[2] / "static/records/replay").glob("*.js"))
        if path.stem not in ("kafu-replay", "sound")
    ),
)


def frame_of(replay: ReplayedGame, at: str = "", base: str = "") -> FrameView:
    """Return the table at a position (``3.14``), by default the first.

    A position beyond the end gives the nearest existing one. ``base`` is the prefix of addresses of
    cards and styles: ``https://host`` for pages of other sites.
    """
    counts = replay.counts
    requested = parse_position(at) or ReplayPosition()
    here = requested.within(counts)
    deal = replay.deals[here.deal - 1]
    step = deal["steps"][here.step]
    sums = replay.sums(deal, step)
    return FrameView(
        key=replay.key,
        src=base + replay.address,
        at=str(here),
        deal=here.deal,
        step=here.step,
        past=here != requested,
        counts=counts,
        seats=[
            _seat(
                i,
                name,
                deal,
                step,
                plain_amount(sums[i], units=replay.units),
            )
            for i, name in enumerate(replay.players)
        ],
        field=_field(deal, here.step),
        stock=step["stock"],
        deals=[_deal(replay, row) for row in replay.deals],
        settlement=_settlement(replay),
        title=labels.month(deal["month"]),
        description=replay.tell(deal, step),
        comments=step["comments"],
        mark=labels.dealer_mark(replay.data["rules"]),
        units=replay.units,
        sprite=base + static("records/cards.svg"),
        styles=[base + static(path) for path in STYLES],
        modules=[base + static(path) for path in MODULES],
    )


def slots_of(fields: Iterable[str]) -> list[str]:
    """Return the places on the field after some steps: a letter, or "" for a card that has left.

    The script uses the same order (records/static/records/replay/field.js), so that no card moves
    when the script takes over the page.
    """
    slots: list[str] = []
    for field in fields:
        waiting = list(field)
        for place, card in enumerate(slots):
            if card in waiting:
                waiting.remove(card)
            else:
                slots[place] = ""
        for card in waiting:
            if "" in slots:
                slots[slots.index("")] = card
            else:
                slots.append(card)
    return slots


def _field(deal: Mapping[str, Any], step: int) -> list[CardView | None]:
    slots = slots_of(drawn_step["field"] for drawn_step in deal["steps"][: step + 1])
    return [card_views(card)[0] if card else None for card in slots]


def _seat(
    i: int, name: str, deal: Mapping[str, Any], step: Mapping[str, Any], total: object
) -> SeatView:
    captured = step["captured"][i]
    return SeatView(
        number=i + 1,
        name=name,
        dealer=deal["dealer"] == i + 1,
        total=str(total).replace("-", "−"),
        hand=card_views(step["hands"][i]),
        captured=[
            GroupView(
                KINDS[kind],
                labels.kinds(kind),
                card_views("".join(c for c in captured if cards.CARD[c].kind is kind)),
            )
            for kind in cards.Kind
        ],
        yaku=[(row["id"], labels.yaku(row["id"]), row["value"]) for row in step["yaku"][i]],
        out=not step["hands"][i]
        and not any(row["kind"] == "hand" and row["hands"][i] for row in deal["steps"]),
    )


def _deal(replay: ReplayedGame, deal: Mapping[str, Any]) -> DealView:
    won = winner(deal)
    score = deal["score"] or [0] * len(replay.players)
    # A winner may have to pay. Then the seat that gained is named.
    ahead = won - 1 if won and score[won - 1] > 0 else score.index(max(score))
    gain, grade = score[ahead], deal["grade"]
    return DealView(
        number=deal["number"],
        title=labels.month(deal["month"]),
        grade=labels.grade(grade) if grade else "",
        grade_brief=labels.grade_brief(grade) if grade else "",
        ahead=replay.players[ahead] if gain > 0 else "",
        gain=amount(gain, units=replay.units) if gain > 0 else "",
        scores=scores(score, replay.players, units=replay.units),
        reason=_reason(deal["end"]),
    )


def _reason(end: str | None) -> str:
    """Return why nobody gained from a deal, in a word or two."""
    if not end:
        return "–"
    return _("dealt again") if end in REPLAYED_ENDS else _("no winner")


def _settlement(replay: ReplayedGame) -> SettlementView | None:
    amounts = replay.settlement
    if not amounts:
        return None
    most = max(amounts, key=abs)
    return SettlementView(
        name=replay.players[amounts.index(most)],
        amount=amount(most, units=replay.units),
        amounts=scores(amounts, replay.players, units=replay.units),
    )
