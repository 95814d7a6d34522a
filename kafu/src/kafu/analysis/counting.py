"""What can be counted exactly from what a seat knows: cards that complete a yaku, and the chance
that its next turn does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kafu import cards
from kafu.analysis.knowledge import View
from kafu.rules.play.actions import Play
from kafu.rules.play.machine import AT_HAND, Machine, State
from kafu.rules.play.table import captures
from kafu.rules.yaku import missing


class Lacking(NamedTuple):
    """A captured-hand yaku within reach: how many cards it lacks, and those (a mask) that count for
    it and nobody has captured; where it lacks one, each of them completes it.
    """

    yaku: str
    missing: int
    cards: int


class YakuChance(NamedTuple):
    """A yaku that a turn may make: the hand card that is best for it, and with how many of the
    ``unseen`` cards on top of the stock it is then made. All of these are as likely.
    """

    yaku: str
    play: Play
    makes: int
    unseen: int


def lacking(rules: Machine[Any], state: State, seat: int) -> tuple[Lacking, ...]:
    """The yaku that ``seat`` has not, and that the others' captures leave possible."""
    mine, taken = state.table.captured[seat - 1], 0
    for captured in state.table.captured:
        taken |= captured
    others = taken & ~mine
    has = {one.id for one in rules.yaku(state, seat)}
    found = []
    for row in rules.yaku_table(state):
        left = missing(row, mine, taken=others)
        must = row.must & ~mine
        if row.id in has or not left or must & others:
            continue
        free = must if left == 1 and must else row.cards & ~taken
        found.append(Lacking(row.id, left, free))
    return tuple(found)


def next_turn(rules: Machine[Any], view: View) -> tuple[YakuChance, ...]:
    """The yaku that the seat in turn can newly make with its hand card and the stock card after it,
    where it plays for that yaku alone; in the order of the ruleset's table.

    Empty unless a hand card is due, and where declarations make some deals unlikely, so that not
    every card is as likely to lie on top.
    """
    state = view.state
    if state.phase is not AT_HAND or view.bound or not view.stock:
        return ()
    has = {one.id for one in rules.yaku(state, view.seat)}
    total = view.unseen.bit_count()
    best: dict[str, YakuChance] = {}
    for play in state.table.plays(view.seat):
        for yaku, makes in _made(rules, view, play).items():
            if yaku not in has and (yaku not in best or makes > best[yaku].makes):
                best[yaku] = YakuChance(yaku, play, makes, total)
    return tuple(best[row.id] for row in rules.yaku_table(state) if row.id in best)


def _made(rules: Machine[Any], view: View, play: Play) -> dict[str, int]:
    """With how many of the unseen cards each yaku is there after a turn that begins with ``play``,
    if a stock card that may capture either of two captures for it.
    """
    table = view.state.table
    after = view.state.copy()
    i = view.seat - 1
    mine, field = table.captured[i], table.field | play.card
    if play.take:
        mine |= play.take | play.card
        field &= ~(play.take | play.card)
    found: dict[str, int] = {}
    for card in cards.bits(view.unseen):
        made: set[str] = set()
        for take in captures(field, card):
            after.table.captured[i] = mine | take | card if take else mine
            made.update([one.id for one in rules.yaku(after, view.seat)])
        for yaku in made:
            found[yaku] = found.get(yaku, 0) + 1
    return found
