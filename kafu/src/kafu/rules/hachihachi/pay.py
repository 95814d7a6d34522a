"""Payers in 三人はちはち: shares, 法度 and the liability of 下げ (H5, H9, H11, H13–H15)."""

from __future__ import annotations

from collections.abc import Sequence

from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi.state import SEATS, HachihachiState
from kafu.rules.payments import PaymentTable
from kafu.rules.play.ledger import SHARED, Entry, Payer, share
from kafu.rules.play.machine import AT_STOCK
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made


def line(label: str, seat: int, each: int, payer: Payer = SHARED) -> Line:
    """Return a ledger line of ``each`` points from both others, or all of it from ``payer``."""
    return share(label, seat, each, SEATS, payer=payer.seat)


def find_sage_payer(state: HachihachiState, seat: int) -> Payer | None:
    """Return the player in 下げ, sole payer for a yaku of ``seat`` (H11), None without one."""
    if state.sager in (0, seat):
        return None
    return Payer(state.sager, "sage", 0, state.since)


def find_hatto_payer(state: HachihachiState, seat: int, yaku: str) -> Payer | None:
    """Return the player whose hatto card let ``seat`` complete the yaku in the turn (H12).

    The player pays both shares. Returns None if no hatto card helped.
    """
    for throw in state.throws:
        if throw.maker == seat and throw.yaku == yaku:
            for played, take in state.caught:
                if hachihachi_hatto.has_assisted(throw, played, take):
                    return Payer(throw.by, "hatto", throw.card, throw.turn)
    return None


def find_shiko_payer(state: HachihachiState, seat: int) -> Payer | None:
    """Return the hatto payer of the 四光 replaced by a 五光 of ``seat``, None without one (H13).

    The 四光 may have been made before, or in the same turn.
    """
    for maker, yaku, payer in state.payers:
        if (maker, yaku) == (seat, "shiko") and payer.why == "hatto":
            return payer
    return find_hatto_payer(state, seat, "shiko")


def assign_payers(state: HachihachiState, seat: int, new: Sequence[Made]) -> None:
    """Set the payer of each yaku made or raised in the turn.

    A player in 下げ pays before the thrower of a hatto card (H11, H12). A yaku without hatto is
    shared. After a 下げ on a hatto yaku, the first thrower pays later yaku too (H13).
    """
    payers = {(maker, yaku): payer for maker, yaku, payer in state.payers}
    liable = list(state.liable)
    for yaku_made in sorted(new, key=lambda yaku_made: hachihachi_hatto.ORDER.index(yaku_made.id)):
        thrower = find_hatto_payer(state, seat, yaku_made.id)
        if yaku_made.id == "goko":
            thrower = thrower or find_shiko_payer(state, seat)
        if sager := find_sage_payer(state, seat):
            payer = sager
        elif thrower:
            payer = thrower
            if not liable[seat - 1].seat:
                liable[seat - 1] = thrower
        else:
            # The thrower for an earlier yaku also pays for the new yaku (H13).
            payer = state.liable[seat - 1]
        payers[seat, yaku_made.id] = payer
    state.payers = tuple((maker, yaku, payer) for (maker, yaku), payer in payers.items())
    state.liable = tuple(liable)


def list_yaku_entries(
    state: HachihachiState, payments: PaymentTable, seat: int, *, half: bool
) -> tuple[Entry, ...]:
    """Return the payments for the captured yaku of ``seat``, in full or by ``half`` (H9).

    Halves are not rounded.
    """
    payers = {yaku: payer for maker, yaku, payer in state.payers if maker == seat}
    entries = []
    for yaku_made in state.made[seat - 1]:
        each = payments.find_each(yaku_made.id, KAN * yaku_made.value) // (2 if half else 1)
        payer = payers[yaku_made.id]
        entries.append(Entry(line(yaku_made.id, seat, each, payer), seat, payer))
    return tuple(entries)


def pay_tobikomi(state: HachihachiState, payments: PaymentTable, seat: int) -> None:
    """Pay 飛込み if ``seat`` declared a three and has now captured the fourth card (H15).

    Each other player pays 1 kan. A player in 下げ pays all of this (H11), else the player who threw
    the fourth card or left the first.
    """
    three = hachihachi_hatto.find_tobikomi(state.threes, seat, state.table.captured[seat - 1])
    if three is None:
        return
    payer = find_sage_payer(state, seat) or dict(state.debts).get(three, SHARED)
    entry = Entry(
        line("tobikomi", seat, payments.find_each("tobikomi"), payer),
        seat,
        payer,
        dealt=True,
    )
    state.threes = tuple(open_three for open_three in state.threes if open_three != three)
    state.entries = (*state.entries, entry)
    if state.heard is not None:
        state.heard.append(entry.event())


def can_claim_exemption(state: HachihachiState) -> bool:
    """Return whether the player may claim exemption (免除) for the hand card of the turn (H14).

    The card must be hatto, and the stock card not yet turned.
    """
    if state.phase is not AT_STOCK or state.earlier is None:
        return False
    if not (state.fresh or state.fresh_debts):
        return False
    card = state.caught[0][0]
    return hachihachi_hatto.is_exempt(state.earlier, state.seat, card, state.threes)
