"""Who pays for what in 三人はちはち: shares, 法度 and the responsibility of 下げ (H5, H9, H11,
H13–H15).
"""

from __future__ import annotations

from collections.abc import Sequence

from kafu.rules.grades import Scale
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi.state import SEATS, State
from kafu.rules.play.ledger import SHARED, Entry, Payer, share
from kafu.rules.play.machine import AT_STOCK
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made


def line(label: str, seat: int, each: int, payer: Payer = SHARED) -> Line:
    """``each`` points from each of the other two, or both shares from ``payer``."""
    return share(label, seat, each, SEATS, payer=payer.seat)


def in_sage(state: State, seat: int) -> Payer | None:
    """Another player in 下げ, who pays alone for what ``seat`` completes (H11); None if nobody
    is.
    """
    if state.sager in (0, seat):
        return None
    return Payer(state.sager, "sage", 0, state.since)


def thrower(state: State, seat: int, yaku: str) -> Payer | None:
    """The player who threw the hatto card with which this turn's captures completed a yaku of
    ``seat``, and so pays both shares (H12); None if nobody did.
    """
    for throw in state.throws:
        if throw.maker == seat and throw.yaku == yaku:
            for played, take in state.caught:
                if hachihachi_hatto.assists(throw, played, take):
                    return Payer(throw.by, "hatto", throw.card, throw.turn)
    return None


def of_shiko(state: State, seat: int) -> Payer | None:
    """The payer of 五光 by hatto on the 四光, made before or in this very turn (H13); None else."""
    for by, yaku, payer in state.payers:
        if (by, yaku) == (seat, "shiko") and payer.why == "hatto":
            return payer
    return thrower(state, seat, "shiko")


def assign(state: State, seat: int, new: Sequence[Made]) -> None:
    """Settle the payer of each yaku that this turn made or raised.

    A player in 下げ pays before one who threw a hatto card (H11, H12). A yaku that nobody helped to
    is shared; one added after 下げ on a hatto yaku is the first thrower's too (H13).
    """
    payers = {(by, yaku): payer for by, yaku, payer in state.payers}
    liable = list(state.liable)
    for one in sorted(new, key=lambda one: hachihachi_hatto.ORDER.index(one.id)):
        assisted = thrower(state, seat, one.id)
        if one.id == "goko":
            assisted = assisted or of_shiko(state, seat)
        if responsible := in_sage(state, seat):
            payer = responsible
        elif assisted:
            payer = assisted
            if not liable[seat - 1].seat:
                liable[seat - 1] = assisted
        else:
            # For yaku added after a 下げ that followed a hatto yaku its thrower pays too.
            payer = state.liable[seat - 1]
        payers[seat, one.id] = payer
    state.payers = tuple((by, yaku, payer) for (by, yaku), payer in payers.items())
    state.liable = tuple(liable)


def yaku_entries(state: State, scale: Scale, seat: int, *, half: bool) -> tuple[Entry, ...]:
    """A line for each captured yaku of ``seat``: in full by あがり, else half, unrounded (H9)."""
    payers = {yaku: payer for by, yaku, payer in state.payers if by == seat}
    entries = []
    for one in state.made[seat - 1]:
        each = scale.yaku(one.value) // (2 if half else 1)
        payer = payers[one.id]
        entries.append(Entry(line(one.id, seat, each, payer), seat, payer))
    return tuple(entries)


def tobikomi(state: State, scale: Scale, seat: int) -> None:
    """A seat that declared a three and captured the fourth gets 1 kan from each at once (H15), all
    of it from a player in 下げ (H11), else from the one who threw the fourth or let the first go.
    """
    three = hachihachi_hatto.jumped_in(state.threes, seat, state.table.captured[seat - 1])
    if three is None:
        return
    payer = in_sage(state, seat) or dict(state.debts).get(three, SHARED)
    entry = Entry(
        line("tobikomi", seat, scale.plain(hachihachi_hatto.TOBIKOMI_KAN), payer),
        seat,
        payer,
        dealt=True,
    )
    state.threes = tuple(other for other in state.threes if other != three)
    state.entries = (*state.entries, entry)
    if state.heard is not None:
        state.heard.append(entry.event())


def may_claim(state: State) -> bool:
    """Whether the hand card of this turn is hatto and its player may claim exemption, the stock
    card being awaited (H14).
    """
    if state.phase is not AT_STOCK or state.earlier is None:
        return False
    if not (state.fresh or state.fresh_debts):
        return False
    card = state.caught[0][0]
    return hachihachi_hatto.is_exempt(state.earlier, state.seat, card, state.threes)
