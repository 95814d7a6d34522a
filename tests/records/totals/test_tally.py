"""What a game adds, against a second computation over its verdict and its replay (`naive`)."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import pytest

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from records.base.sums import Tally
from records.totals.layout import LAYOUT, bin_of, bins
from records.totals.tally import tally
from tests.conformance import CASES
from tests.records.makers import MALFORMED, NOTHING_PLAYED, UNSUPPORTED, illegal, text
from tests.records.statistics.naive.games import LEGAL, Deal, Seen

pytestmark = pytest.mark.long

OTHER = {"points", "ori", "oikomi", "mizuten", "kobiki", "obiki", "ginmi", "oyaken"} | {
    *("koikoi", "bai", "koikoigaeshi")
}
Sums = defaultdict[tuple[str, str, str], list[int]]


def expected(game: str) -> Tally:
    """The tally of a legal game, added up one fact after another."""
    verdict = verify(read(game)).verdict.to_json()
    seen = Seen(game, verdict)
    sums: Sums = defaultdict(list)

    def add(place: int, figure: str, key: str, **numbers: int) -> None:
        names = LAYOUT[figure].names
        vector = sums[str(place), figure, key]
        vector[:] = vector or [0] * len(names)
        for name, number in numbers.items():
            vector[names.index(name)] += number

    def scored(seat: int, figure: str, keys: Iterable[str], deal: Deal) -> None:
        score = deal.score[seat - 1]
        for key in keys:
            won = int(deal.winner == seat)
            add(seat, figure, key, deals=1, won=won, score=score, score_sq=score**2)

    width = bins(seen.rules)
    add(0, "games", "all", games=1, deals=len(seen.deals), turns=sum(d.turns for d in seen.deals))
    for seat in range(1, len(seen.game.players) + 1):
        add(seat, "seat", "all", games=1)
    for seat, final in enumerate(seen.final or (), start=1):
        assert seen.final is not None
        best = final == max(seen.final)
        alone = seen.final.count(final) == 1
        first = {"first": int(best and alone), "shared_first": int(best and not alone)}
        add(seat, "seat", "all", ended=1, final=final, final_sq=final**2, **first)
        place = sorted(seen.final, reverse=True).index(final) + 1
        add(seat, "place", str(place), games=1)
        add(seat, "final", bin_of(final, width.final), games=1)
    for bound, grade in seen.graded:
        add(0, "grades", f"{bound or '-'} {grade}", deals=1)
    for deal in seen.deals:
        add(0, "ends", deal.end, deals=1, turns=deal.turns)
        for line in deal.ledger:
            if line["label"] == "month":
                continue
            amounts, moved = line["amounts"], any(line["amounts"])
            if line["label"] in OTHER:
                kind = "void" if line["void"] else "times" if moved else "zero"
                add(0, "payments", line["label"], **{kind: 1})
                for seat, sum_ in enumerate(amounts if kind == "times" else (), start=1):
                    if sum_ > 0:
                        got = {"received": 1, "amount": sum_, "amount_sq": sum_**2}
                        add(seat, "paid", line["label"], **got)
                    if sum_ < 0:
                        add(seat, "paid", line["label"], paid=1)
                continue
            for seat, amount in makers(amounts):
                for yaku in line["label"].split("+"):
                    if line["void"]:
                        add(seat, "yaku", yaku, void=1)
                        continue
                    add(seat, "yaku", yaku, times=1, zero=int(not amount))
                    if amount and "+" not in line["label"]:
                        add(seat, "yaku", yaku, alone=1, amount=amount, amount_sq=amount**2)
        for seat, row, column in deal.hands:
            for key in ("hands", f"row {row}", f"col {column}"):
                add(seat, "hands", key, deals=1)
        if not deal.counts:
            continue
        for seat in range(1, len(deal.score) + 1):
            playing = seat in deal.order
            if deal.order:
                at = str(deal.order.index(seat) + 1) if playing else "out"
                scored(seat, "deals", [at], deal)
            add(seat, "score", bin_of(deal.score[seat - 1], width.score), deals=1)
        if deal.opening:
            seat, card, take, field = deal.opening
            scored(seat, "openings", [f"{card} {take or '-'}"], deal)
            for laid in field:
                add(0, "lay", laid, deals=1, taken=int(laid in take))
            for seat in deal.order:
                scored(seat, "cards", ["all", *deal.captured[seat - 1]], deal)
        for choice in deal.choices:
            score = deal.score[choice.seat - 1]
            for yaku in ("all", *choice.yaku):
                situation = f"{choice.word} {yaku} {choice.left} {4 * (choice.opponent // 4)}"
                for figure, key in (("decisions", situation), ("choices", f"{choice.word} {yaku}")):
                    add(
                        choice.seat,
                        figure,
                        key,
                        n=1,
                        won=int(deal.winner == choice.seat),
                        score=score,
                        score_sq=score**2,
                        stop=choice.stop,
                        gain_sq=(score - choice.stop) ** 2,
                    )
        for seat, card in deal.thrown:
            add(seat, "hatto", card, n=1)
        for seat, card, cost in deal.paid:
            add(seat, "hatto", card, cost=cost, paid=1)
    result: Tally = {}
    for (where, figure, key), vector in sums.items():
        result.setdefault(where, {}).setdefault(figure, {})[key] = vector
    return result


def makers(amounts: list[int]) -> list[tuple[int, int]]:
    """The seat that made the yaku of a payment, who alone has most of it, with what it got."""
    most = max(amounts)
    return [(amounts.index(most) + 1, most)] if amounts.count(most) == 1 else []


@cache
def games(ruleset: str) -> tuple[tuple[str, Verification, Tally], ...]:
    """Legal games of the conformance suite and of our own, and some that are simulated."""
    cases = part([case for case in CASES if case.parts[-2] == ruleset], one_of=9)
    there = (case.with_suffix(".kafu") for case in cases)
    texts = [path.read_text(encoding="utf-8") for path in there]
    texts += (write(simulate(ruleset, seed=seed)) for seed in range(3 if LONG else 1))
    judged = ((text_, verify(read(text_), facts=True)) for text_ in texts)
    return tuple(
        (text_, verification, tally(verification))
        for text_, verification in judged
        if verification.verdict.status in LEGAL
    )


@pytest.mark.parametrize("ruleset", list(RULES))
def test_every_sum_equals_the_second_computation_and_its_layout(ruleset: str) -> None:
    for game, verification, sums_by_place in games(ruleset):
        due = expected(game) if verification.verdict.deals else {}
        for place in sums_by_place.keys() | due.keys():
            for figure in sums_by_place.get(place, {}).keys() | due.get(place, {}).keys():
                actual = sums_by_place.get(place, {}).get(figure)
                assert actual == due.get(place, {}).get(figure), (place, figure, game[:300])
        assert sums_by_place == due
        for place, sums in sums_by_place.items():
            for figure, rows in sums.items():
                assert (LAYOUT[figure].place == "table") == (place == "0")
                assert rows
                for vector in rows.values():
                    assert any(vector)
                    assert all(type(number) is int for number in vector)


def test_canonical_text_adds_the_same_sums() -> None:
    for _, verification, sums in games("koikoi"):
        assert tally(verify(read(verification.text), facts=True)) == sums


@pytest.mark.parametrize("game", [MALFORMED, NOTHING_PLAYED, UNSUPPORTED, illegal(1)])
def test_game_that_cannot_count_adds_nothing(game: str) -> None:
    assert tally(verify(read(game), facts=True)) == {}


def test_unfinished_game_adds_the_deals_that_ended() -> None:
    head, *months = text(1).split("\nmonth ")
    months[2] = months[2].partition("\n2. ")[0]
    cut = "\nmonth ".join((f'{head.rstrip()}\n[Termination "unfinished"]\n', *months[:3]))
    verification = verify(read(cut), facts=True)
    assert verification.verdict.status == "unfinished"
    sums = tally(verification)
    assert sums["0"]["games"]["all"][:2] == [1, 2]
    assert sums["1"]["seat"]["all"] == [1, 0, 0, 0, 0, 0]
    assert "final" not in sums["1"]


def test_winner_by_four_and_three_is_first_in_spite_of_less_points() -> None:
    """Rule T5."""
    verification = verify(read(text(1)), facts=True)
    last = verification.verdict.deals[-1]
    verification.verdict.deals[-1] = last._replace(first=2)
    verification.verdict.final = (90, -90)
    seats = tally(verification)
    assert [seats[seat]["place"] for seat in ("1", "2")] == [{"2": [1]}, {"1": [1]}]
    assert [seats[seat]["seat"]["all"][2] for seat in ("1", "2")] == [0, 1]
