"""Who pays for what in 八八 as on Board Game Arena: shares, 追い込み, 法度, 下げ, special yaku,
fees and the prize (B1, B3, B4, B9–B14).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.grades import SCALES, Scale
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi import year as hachihachi_year
from kafu.rules.hachihachi.hands import NUKE, NUKE_KAN, Declaration, threes
from kafu.rules.hachihachi.hatto import Three, Throw
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.state import YAKU, Claim, State
from kafu.rules.play.ledger import SHARED, Entry, Payer, share
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made

#: The blind bonus from everybody at the table, in kan (B11).
MIZUTEN_KAN: Final = 1
#: The captured points at which 抜け and the blind bonus are paid.
PAST: Final = 89
EVEN: Final = 88
#: For each card: the yaku for which it can be hatto (B10), with their cards and how many a seat
#: has that is one short.
_HATTO: Final = {
    card: [
        (row.id, row.cards, row.need - 1)
        for row in YAKU
        if row.id != "nanatan" and row.cards & month
    ]
    for card, month in cards.MATCH.items()
}


def scale(state: State) -> Scale:
    """The factor of the month's grade: ×1, ×2, ×4, fees included (B2)."""
    return SCALES["A"][state.grade or "small"]


def line(state: State, label: str, seat: int, each: int, payer: Payer = SHARED) -> Line:
    """``each`` mon to ``seat`` from each of those who play, or all of it from ``payer``."""
    return share(label, seat, each, state.playing, len(state.totals), payer.seat)


# Dealt hands --------------------------------------------------------------------------------------


def pay_dealt_hands(state: State, *, everyone: bool = False) -> None:
    """Pay for dealt hands when it is decided who plays: 追い込み代 and,
    without a declaration, the yaku of the three (B4, B6). A hand with unknown cards makes no yaku
    yet. ``everyone`` as in `declare`.
    """
    for seat in state.bidding.shut:
        if each := shut_out_value(state, state.dealt[seat - 1]):
            _pay(state, Entry(line(state, "oikomi", seat, each), seat))
    for seat in state.playing:
        if found := hachihachi_bga_hands.declaration(state.dealt[seat - 1]):
            pay_declaration(state, seat, found, everyone=everyone)


def _pay(state: State, entry: Entry) -> None:
    """A payment within the deal."""
    state.entries = (*state.entries, entry)
    if state.heard is not None:
        state.heard.append(entry.event())


def shut_out_value(state: State, hand: int) -> int:
    """追い込み代 of a hand, as far as it is known: mon from each of the three (B4)."""
    return hachihachi_bga_hands.shut_out(hand) * scale(state).halves // 2


def declaration_value(state: State, found: Declaration, captured: int) -> int:
    """What a dealt-hand yaku has brought from each of the others, its 飛込み included, in mon (B6,
    B11).
    """
    jumps = 0
    if hachihachi_bga_hands.TOBIKOMI & set(found.yaku):
        months = (cards.MATCH[three & -three] for three in threes(found.cards))
        jumps = sum(not month & ~captured for month in months)
    return scale(state).yaku(found.kan) + jumps * scale(state).plain(hachihachi_hatto.TOBIKOMI_KAN)


def pay_declaration(state: State, seat: int, found: Declaration, *, everyone: bool = False) -> None:
    """Pay for a dealt-hand yaku; ``everyone`` says that 四三 is paid by those who
    went out or were shut out too (B15).
    """
    paid = line(state, "+".join(found.yaku), seat, scale(state).yaku(found.kan))
    if everyone and "shiso" in found.yaku:
        each = scale(state).yaku(hachihachi_bga_hands.COUNT["shiso"])
        not_playing = [
            other for other in range(1, len(state.totals) + 1) if other not in state.playing
        ]
        more = share("shiso", seat, each, not_playing, len(state.totals)).amounts
        paid = paid._replace(amounts=tuple(map(sum, zip(paid.amounts, more, strict=True))))
    if hachihachi_bga_hands.TOBIKOMI & set(found.yaku):
        state.threes += tuple(
            Three(seat, three, cards.MATCH[three & -three] & ~three)
            for three in threes(found.cards)
        )
    state.claims = (*state.claims, Claim(seat, found.yaku))
    _pay(state, Entry(paid, seat, dealt=True))


def pay_tobikomi(state: State, seat: int) -> None:
    """A seat that captured the fourth to a dealt three gets 1 kan from each of the others at once
    (B11), or both shares from the one who owes it for hatto (B15).
    """
    three = hachihachi_hatto.find_tobikomi(state.threes, seat, state.table.captured[seat - 1])
    if three is None:
        return
    payer = dict(state.debts).get(three, SHARED)
    each = scale(state).plain(hachihachi_hatto.TOBIKOMI_KAN)
    state.threes = tuple(other for other in state.threes if other != three)
    _pay(state, Entry(line(state, "tobikomi", seat, each, payer), seat, payer, dealt=True))


def owe_tobikomi(
    state: State, seat: int, card: int, let_go: Sequence[Three], *, thrown: bool
) -> None:
    """B15, by H15: a player who gives the fourth card to a declared three, or has it and leaves the
    first card lying (``let_go``), pays both shares. ``thrown``: ``card`` captured nothing and was
    not the last in hand.
    """
    owes = Payer(seat, "hatto", card, state.turn)
    state.debts += hachihachi_hatto.find_debts(state.let_go, card, seat)
    state.let_go += tuple((three, owes) for three in let_go)
    if thrown:
        given = hachihachi_hatto.find_given_threes(state.table, seat, card, state.threes)
        state.debts += tuple((three, owes) for three in given)


# Captured yaku ------------------------------------------------------------------------------------


def find_throws(state: State, seat: int, card: int) -> tuple[Throw, ...]:
    """``card``, thrown by ``seat``, is hatto for each yaku to which another lacks just one card, if
    that is of the same month (B10).
    """
    found: tuple[Throw, ...] = ()
    near = _HATTO[card]
    if near:
        for maker in state.playing:
            captured = state.table.captured[maker - 1]
            for yaku, group, short in near:
                if (captured & group).bit_count() == short and maker != seat:
                    last = group & ~captured
                    if last & cards.MATCH[card]:
                        found = (*found, Throw(card, seat, state.turn, maker, yaku, last))
    return found


def assign_payers(state: State, seat: int, new: Sequence[Made], take: int) -> None:
    """Settle the payer of each yaku that a capture of ``take`` by ``seat`` made.

    Another in 下げ owes all of it (B9), else who threw the hatto card that was taken (B10); hatto
    on the 四光 is hatto on the 五光 that replaces it (B14).
    """
    rows = []
    for one in new:
        payer = SHARED
        if state.sager not in (0, seat):
            payer = Payer(state.sager, "sage", 0, state.since)
        else:
            ids = ("goko", "shiko") if one.id == "goko" else (one.id,)
            for throw in state.throws:
                if throw.maker == seat and throw.yaku in ids and throw.card & take:
                    payer = Payer(throw.by, "hatto", throw.card, throw.turn)
                    break
        rows.append((seat, one.id, payer))
    state.payers = (*state.payers, *rows)


def list_yaku_entries(
    state: State, seat: int, held: Sequence[Made], *, half: bool
) -> tuple[Entry, ...]:
    """A line for each captured yaku of ``seat``, in full, or half if nobody made another until the
    end (B9). A player who pays alone by hatto owes both halves too (B12).
    """
    payers = {yaku: payer for by, yaku, payer in state.payers if by == seat}
    return tuple(
        Entry(
            line(state, one.id, seat, scale(state).yaku(one.value) // (1 + half), payers[one.id]),
            seat,
            payers[one.id],
        )
        for one in held
    )


# The end ------------------------------------------------------------------------------------------


def list_nuke(state: State) -> tuple[Entry, ...]:
    """抜け: a dealt hand of dregs (not 光一) with 89 points captured gets 1 kan from each of the
    others, once the hands are played out without a special yaku (B11).
    """
    return tuple(
        Entry(line(state, "nuke", seat, scale(state).plain(NUKE_KAN)), seat, dealt=True)
        for seat, yaku in state.claims
        if NUKE & set(yaku) and cards.points(state.table.captured[seat - 1]) >= PAST
    )


def list_mizuten(state: State) -> tuple[Entry, ...]:
    """A blind dealer with 89 points captured gets 1 kan from everybody at the table, once the hands
    are played out (B11); special yaku leave that alone (B12).
    """
    captured = state.table.captured
    if not state.blind or cards.points(captured[state.dealer - 1]) < PAST:
        return ()
    everybody = range(1, len(captured) + 1)
    each = scale(state).plain(MIZUTEN_KAN)
    paid = share("mizuten", state.dealer, each, everybody, len(captured))
    return (Entry(paid, state.dealer),)


def list_specials(state: State) -> tuple[Entry, ...]:
    """The special yaku of hands played out. All that are made are paid (B12); 総八 is of the first
    in play order (B13).
    """
    captured = [state.table.captured[seat - 1] for seat in state.playing]
    found = []
    for label, place, kan in hachihachi_year.specials(captured, 1):
        seat = state.playing[place - 1]
        found.append(Entry(line(state, label, seat, scale(state).yaku(kan)), seat))
    return tuple(found)


def score_points(state: State) -> tuple[int, ...]:
    """Captured points beyond 88 with the grade's factor, 0 for those who sit out."""
    factor = scale(state).halves // 2
    return tuple(
        (cards.points(captured) - EVEN) * factor if seat in state.playing else 0
        for seat, captured in enumerate(state.table.captured, start=1)
    )


def list_fees(state: State, winner: int) -> Iterator[Entry]:
    """下り賃 (B3, B13): 1, 1.5 and 2 kan by order of going out, to the month's winner."""
    for number, seat in enumerate(state.bidding.left):
        each = scale(state).plain(2 + number) // 2
        yield Entry(share("ori", winner, each, (seat,), len(state.totals)), winner)


def settle(totals: Sequence[int], start: int, stones: Sequence[int] = ()) -> tuple[int, ...]:
    """The prize, what everybody was short of at the ``start``, goes to the top; by option the month
    card, ``stones`` mon of each seat, to the lowest (B15). Ranks are those before both.

    A tie shares either (B1); what cannot be divided goes to the lower seats (B12, B15).
    """
    laid = stones or (0,) * len(totals)
    final = [total - stone for total, stone in zip(totals, laid, strict=True)]
    for rank, sum_ in ((max(totals), start * KAN * len(totals)), (min(totals), sum(laid))):
        takers = [i for i, total in enumerate(totals) if total == rank]
        each, rest = divmod(sum_, len(takers))
        for place, i in enumerate(takers):
            final[i] += each + (place < rest)
    return tuple(final)
