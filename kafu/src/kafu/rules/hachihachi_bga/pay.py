"""Payers in 八八 as on Board Game Arena (B1, B3, B4, B9–B14).

Covers shares, 追い込み代, 法度, 下げ, special yaku, fees (下り賃) and the prize.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.grades import SCALES
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi import year as hachihachi_year
from kafu.rules.hachihachi.hands import HachihachiDeclaration, count_tobikomi, threes
from kafu.rules.hachihachi.hatto import Three, Throw
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hachihachi_bga.state import YAKU, HachihachiBgaClaim, HachihachiBgaState
from kafu.rules.payments import POINTS, PaymentTable
from kafu.rules.play.ledger import SHARED, Entry, Payer, share
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made

#: The captured points at which 抜け and the blind bonus are paid.
PAST: Final = 89
#: The payments by grade. They are worth the same in every house.
_BY_GRADE: Final = {
    grade: list_payments(HachihachiBgaHouse()).at(scale) for grade, scale in SCALES["A"].items()
}
#: By card: the yaku for which the card can be hatto (B10). Each yaku has its cards and a number of
#: cards: a player with this number lacks a single card.
_HATTO: Final = {
    card: [
        (row.id, row.cards, row.need - 1)
        for row in YAKU
        if row.id != "nanatan" and row.cards & month
    ]
    for card, month in cards.MATCH.items()
}


def find_payments(state: HachihachiBgaState) -> PaymentTable:
    """Return the payments at the month's grade, fees included: ×1, ×2 or ×4 (B2)."""
    return _BY_GRADE[state.grade or "small"]


def line(
    state: HachihachiBgaState, label: str, seat: int, each: int, payer: Payer = SHARED
) -> Line:
    """Return a ledger line of ``each`` mon from all others in play, or all of it from ``payer``."""
    return share(label, seat, each, state.playing, len(state.totals), payer.seat)


# Dealt hands --------------------------------------------------------------------------------------


def pay_dealt_hands(state: HachihachiBgaState, *, table_pays_shiso: bool = False) -> None:
    """Pay dealt hands once the three players in play are known (B4, B6).

    Hands that are shut out get 追い込み代; the three are paid without a declaration. Hands with
    unknown cards make no yaku yet. For ``table_pays_shiso`` see `pay_declaration`.
    """
    for seat in state.bidding.shut:
        if each := shut_out_value(state, state.dealt[seat - 1]):
            _pay(state, Entry(line(state, "oikomi", seat, each), seat))
    for seat in state.playing:
        if declaration := hachihachi_bga_hands.declaration(state.dealt[seat - 1]):
            pay_declaration(state, seat, declaration, table_pays_shiso=table_pays_shiso)


def _pay(state: HachihachiBgaState, entry: Entry) -> None:
    """Add a payment to the deal."""
    state.entries = (*state.entries, entry)
    if state.heard is not None:
        state.heard.append(entry.event())


def shut_out_value(state: HachihachiBgaState, hand: int) -> int:
    """Return 追い込み代 of the known cards of a hand, in mon from each of the three (B4)."""
    return hachihachi_bga_hands.shut_out(hand) * find_payments(state).scale.halves // 2


def declaration_value(
    state: HachihachiBgaState, declaration: HachihachiDeclaration, captured: int
) -> int:
    """Return the mon that a dealt-hand yaku brought from each other, with 飛込み (B6, B11)."""
    jumps = 0
    if hachihachi_bga_hands.TOBIKOMI & set(declaration.yaku):
        jumps = count_tobikomi(declaration.cards, captured)
    find_each = find_payments(state).find_each
    return sum(map(find_each, declaration.yaku)) + jumps * find_each("tobikomi")


def pay_declaration(
    state: HachihachiBgaState,
    seat: int,
    declaration: HachihachiDeclaration,
    *,
    table_pays_shiso: bool = False,
) -> None:
    """Pay a dealt-hand yaku.

    With ``table_pays_shiso``, players who went out or were shut out pay for 四三 too (B15).
    """
    find_each = find_payments(state).find_each
    each = sum(map(find_each, declaration.yaku))
    paid = line(state, "+".join(declaration.yaku), seat, each)
    if table_pays_shiso and "shiso" in declaration.yaku:
        not_playing = [
            idle_seat
            for idle_seat in range(1, len(state.totals) + 1)
            if idle_seat not in state.playing
        ]
        extra_amounts = share(
            "shiso", seat, find_each("shiso"), not_playing, len(state.totals)
        ).amounts
        paid = paid._replace(amounts=tuple(map(sum, zip(paid.amounts, extra_amounts, strict=True))))
    if hachihachi_bga_hands.TOBIKOMI & set(declaration.yaku):
        state.threes += tuple(
            Three(seat, three, cards.MATCH[three & -three] & ~three)
            for three in threes(declaration.cards)
        )
    state.claims = (*state.claims, HachihachiBgaClaim(seat, declaration.yaku))
    _pay(state, Entry(paid, seat, dealt=True))


def pay_tobikomi(state: HachihachiBgaState, seat: int) -> None:
    """Pay 飛込み if ``seat`` has captured the fourth card to a dealt three.

    Each other player in play pays 1 kan (B11), or the player who owes it for hatto pays all (B15).
    """
    three = hachihachi_hatto.find_tobikomi(state.threes, seat, state.table.captured[seat - 1])
    if three is None:
        return
    payer = dict(state.debts).get(three, SHARED)
    each = find_payments(state).find_each("tobikomi")
    state.threes = tuple(open_three for open_three in state.threes if open_three != three)
    _pay(state, Entry(line(state, "tobikomi", seat, each, payer), seat, payer, dealt=True))


def owe_tobikomi(
    state: HachihachiBgaState, seat: int, card: int, let_go: Sequence[Three], *, thrown: bool
) -> None:
    """Note who owes 飛込み by hatto (B15, as in H15).

    A player pays both shares who gives the fourth card to a declared three, or who holds it and
    leaves the first card of the three (``let_go``). ``thrown``: ``card`` captured nothing and was
    not the last in hand.
    """
    payer = Payer(seat, "hatto", card, state.turn)
    state.debts += hachihachi_hatto.find_debts(state.let_go, card, seat)
    state.let_go += tuple((three, payer) for three in let_go)
    if thrown:
        given_threes = hachihachi_hatto.find_given_threes(state.table, seat, card, state.threes)
        state.debts += tuple((three, payer) for three in given_threes)


# Captured yaku ------------------------------------------------------------------------------------


def find_throws(state: HachihachiBgaState, seat: int, card: int) -> tuple[Throw, ...]:
    """Return the hatto of ``card``, thrown by ``seat`` without a capture (B10).

    It is hatto for each yaku of another player that lacks a single card, if that is of the same
    month.
    """
    hits: tuple[Throw, ...] = ()
    candidates = _HATTO[card]
    if candidates:
        for maker in state.playing:
            captured = state.table.captured[maker - 1]
            for yaku, group, short in candidates:
                if (captured & group).bit_count() == short and maker != seat:
                    last = group & ~captured
                    if last & cards.MATCH[card]:
                        hits = (*hits, Throw(card, seat, state.turn, maker, yaku, last))
    return hits


def assign_payers(state: HachihachiBgaState, seat: int, new: Sequence[Made], take: int) -> None:
    """Set the payer of each yaku made by a capture of ``take`` by ``seat``.

    Another player in 下げ owes all of it (B9), else the thrower of the hatto card that was taken
    (B10). Hatto on 四光 carries over to the 五光 that replaces it (B14).
    """
    rows = []
    for yaku_made in new:
        payer = SHARED
        if state.sager not in (0, seat):
            payer = Payer(state.sager, "sage", 0, state.since)
        else:
            ids = ("goko", "shiko") if yaku_made.id == "goko" else (yaku_made.id,)
            for throw in state.throws:
                if throw.maker == seat and throw.yaku in ids and throw.card & take:
                    payer = Payer(throw.by, "hatto", throw.card, throw.turn)
                    break
        rows.append((seat, yaku_made.id, payer))
    state.payers = (*state.payers, *rows)


def list_yaku_entries(
    state: HachihachiBgaState, seat: int, held: Sequence[Made], *, half: bool
) -> tuple[Entry, ...]:
    """Return the payments for the captured yaku of ``seat``, in full or by ``half`` (B9).

    A hatto payer owes both halves too (B12).
    """
    payers = {yaku: payer for maker, yaku, payer in state.payers if maker == seat}
    return tuple(
        Entry(
            line(
                state,
                yaku_made.id,
                seat,
                find_payments(state).find_each(yaku_made.id, KAN * yaku_made.value) // (1 + half),
                payers[yaku_made.id],
            ),
            seat,
            payers[yaku_made.id],
        )
        for yaku_made in held
    )


# The end ------------------------------------------------------------------------------------------


def list_nuke(state: HachihachiBgaState) -> tuple[Entry, ...]:
    """Return the payments of 抜け once the hands are played out (B11).

    抜け needs a declared hand of chaff (not 光一) and 89 captured points, and pays 1 kan from each
    other.
    """
    return tuple(
        Entry(line(state, "nuke", seat, find_payments(state).find_each("nuke")), seat, dealt=True)
        for seat, yaku in state.claims
        if hachihachi_year.has_nuke(state.table.captured[seat - 1], yaku)
    )


def list_mizuten(state: HachihachiBgaState) -> tuple[Entry, ...]:
    """Return the payment to a blind dealer (みずてん) once the hands are played out (B11).

    It needs 89 captured points and is 1 kan from everybody at the table; special yaku leave it
    alone (B12).
    """
    captured = state.table.captured
    if not state.blind or cards.points(captured[state.dealer - 1]) < PAST:
        return ()
    everybody = range(1, len(captured) + 1)
    each = find_payments(state).find_each("mizuten")
    paid = share("mizuten", state.dealer, each, everybody, len(captured))
    return (Entry(paid, state.dealer),)


def list_specials(state: HachihachiBgaState) -> tuple[Entry, ...]:
    """Return the payments of special yaku; all that are made are paid (B12).

    総八 belongs to the first in play order (B13).
    """
    captured = [state.table.captured[seat - 1] for seat in state.playing]
    entries = []
    for label, place, kan in hachihachi_year.specials(captured, 1):
        seat = state.playing[place - 1]
        each = find_payments(state).find_each(label, KAN * kan)
        entries.append(Entry(line(state, label, seat, each), seat))
    return tuple(entries)


def score_points(state: HachihachiBgaState) -> tuple[int, ...]:
    """Return captured points beyond 88, times the factor of the grade; 0 for seats not in play."""
    factor = find_payments(state).find_each(POINTS)
    return tuple(
        (cards.points(captured) - hachihachi_year.EVEN) * factor if seat in state.playing else 0
        for seat, captured in enumerate(state.table.captured, start=1)
    )


def list_fees(state: HachihachiBgaState, winner: int) -> Iterator[Entry]:
    """Yield the fees of going out (下り賃) for the month's winner: 1, 1.5 and 2 kan (B3, B13)."""
    for number, seat in enumerate(state.bidding.left):
        each = find_payments(state)["ori"].each[number]
        yield Entry(share("ori", winner, each, (seat,), len(state.totals)), winner)


def settle(totals: Sequence[int], start: int, stones: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the final sums: the prize goes to the top, the month card to the lowest (B1, B15).

    The prize is the kan that all players were short of at the ``start``. ``stones`` are the mon of
    each seat on the month card (an option). Ranks are by the totals before both. A tie shares; an
    indivisible remainder goes to the lower seats (B12, B15).
    """
    laid_stones = stones or (0,) * len(totals)
    final = [total - stone for total, stone in zip(totals, laid_stones, strict=True)]
    for ranked_total, sum_ in (
        (max(totals), start * KAN * len(totals)),
        (min(totals), sum(laid_stones)),
    ):
        takers = [i for i, total in enumerate(totals) if total == ranked_total]
        each, remainder = divmod(sum_, len(takers))
        for place, i in enumerate(takers):
            final[i] += each + (place < remainder)
    return tuple(final)
