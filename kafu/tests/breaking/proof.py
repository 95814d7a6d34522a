"""Judge right sheets of simulated games, and each sheet broken in every way.

    python -m breaking.proof koikoi 0 5000    # a ruleset, and the seeds from 0 to 4,999

A right sheet is judged unchanged, with months as sums, without its end, in another order, and with
joined lines. The program prints each right sheet that is refused, each impossible sheet that
passes, each refusal at a wrong place, and the counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import kafu
from breaking import any_ruleset, at_end, hachihachi, koikoi
from breaking.case import PRIZES, Case, Change, Way
from golden import text_of
from kafu.judging.verify import verify
from kafu.notation.game import Game, Month, Payment
from kafu.notation.reading.reader import read
from kafu.rules.koikoi.profiles import find_profile
from kafu.rules.payments import PaymentKind
from kafu.rules.rulesets import find_ruleset
from kafu.rules.verdict import Verdict

WAYS: Final[Mapping[str, tuple[Way, ...]]] = {
    "hachihachi": (*any_ruleset.WAYS, *hachihachi.WAYS),
    "hachihachi-bga": (*any_ruleset.WAYS, *hachihachi.WAYS),
    "hanaawase": (*any_ruleset.WAYS, *at_end.WAYS),
    "ten-five-one": (*any_ruleset.WAYS, *at_end.WAYS),
    "koikoi": (*any_ruleset.WAYS, *koikoi.WAYS),
}
#: Examples that are printed of each way.
_SHOWN: Final = 5


class Broken(NamedTuple):
    """A sheet broken in month ``number``."""

    way: str
    number: int
    change: Change
    sheet: Game


def sheet_of_seed(rules: str, seed: int) -> Game | None:
    """Return the sheet of a simulated game, None for a game without a right sheet."""
    reading = read(text_of(rules, seed))
    if verify(reading).verdict.status != "verified" or reading.game is None:
        return None
    sheet = kafu.sheet_of(reading.game)
    # The table of compounds has 複合せず for this pair, so a sheet never has both (H24).
    labels = [line.label for month in sheet.months for line in month.payments]
    return None if any("aka+shiso" in label for label in labels) else sheet


def judge(sheet: Game) -> Verdict:
    """Return the verdict on the text of a sheet."""
    return verify(read(kafu.write(sheet))).verdict


def right_forms(sheet: Game, random: Random) -> Iterator[tuple[str, Game]]:
    """Yield the right forms of a sheet.

    Forms: unchanged, all or some months as sums, without an end, the lines of a month reordered,
    and joined.
    """
    yield "whole", sheet
    house = find_profile(sheet.options) if sheet.rules == "koikoi" else None
    counts_months = house is not None and house.prize is not None and not house.exhausted_wins
    sums = [
        # Ginmi counts months won, and a sum does not show oyaken, a month without a winner (S2).
        month if counts_months and _has(month, "oyaken") else _summed(month)
        for month in sheet.months
    ]
    yield "sums", replace(sheet, months=sums)
    mixed = [random.choice(pair) for pair in zip(sheet.months, sums, strict=True)]
    yield "mixed", replace(sheet, months=mixed)
    yield "part", _begin(sheet, random.randint(1, len(sheet.months)))
    yield "shuffled", replace(sheet, months=[_shuffled(month, random) for month in sheet.months])
    yield "joined", replace(sheet, months=[_joined(sheet, month) for month in sheet.months])


def _has(month: Month, label: str) -> bool:
    return any(line.label == label for line in month.payments)


def _summed(month: Month) -> Month:
    """Return a month as its sum, unless the sum hides its end."""
    lines = [line for line in month.payments if line.label not in PRIZES]
    if not lines or any("shiso" in line.label for line in lines):
        return month
    paid = [line.amounts for line in lines if not line.void]
    sums = tuple(map(sum, zip(*paid, strict=True))) or (0,) * len(lines[0].amounts)
    prizes = [line for line in month.payments if line.label in PRIZES]
    return replace(month, payments=[Payment("month", sums), *prizes])


def _shuffled(month: Month, random: Random) -> Month:
    """Return a month with its lines in random order."""
    return replace(month, payments=random.sample(month.payments, len(month.payments)))


def _joined(sheet: Game, month: Month) -> Month:
    """Return a month with the captured yaku, the 飛込み and the fees of a player in a line each."""
    form = find_ruleset(sheet.rules).sheet(sheet.options, len(sheet.players))
    form.number = month.month
    lines: dict[object, Payment] = {}
    for line in month.payments:
        seat = line.amounts.index(max(line.amounts))
        key: object = (seat, line.label, line.void)
        if form.payments.find_kind(line.label.split("+")) is PaymentKind.CAPTURED:
            key = (seat, PaymentKind.CAPTURED, line.void)
        earlier = lines.get(key)
        if earlier is None:
            lines[key] = line
            continue
        sums = tuple(map(sum, zip(earlier.amounts, line.amounts, strict=True)))
        label = line.label if earlier.label == line.label else f"{earlier.label}+{line.label}"
        lines[key] = Payment(label, sums, line.void)
    return replace(month, payments=list(lines.values()))


def _begin(sheet: Game, count: int) -> Game:
    """Return the first months of a sheet as an unfinished record."""
    if count >= len(sheet.months):
        return sheet
    tags = {**sheet.tags, "Termination": "unfinished"}
    return replace(sheet, months=sheet.months[:count], final=None, tags=tags)


def broken_sheets(
    sheet: Game, random: Random, ways: Sequence[Way] | None = None
) -> Iterator[Broken]:
    """Yield broken sheets, one per way that applies to a month, up to the month after the change.

    ``ways`` are by default all ways of the ruleset.
    """
    for way in WAYS[sheet.rules] if ways is None else ways:
        for index in random.sample(range(len(sheet.months)), len(sheet.months)):
            change = way(Case(sheet, index, random))
            if change is None:
                continue
            months = [*sheet.months]
            months[index] = change.month
            if change.next_dealer is not None:
                months[index + 1] = replace(months[index + 1], dealer=change.next_dealer)
            is_last = change.warning == "sheet-stone-doubtful" and not change.in_next
            length = index + 1 if is_last else index + 2
            broken = _begin(replace(sheet, months=months, final=None), length)
            yield Broken(way.__name__, index + 1, change, broken)
            break


def find_fault(broken: Broken) -> str:
    """Return the fault of the verdict on a broken sheet, ``""`` for a right verdict."""
    verdict, change = judge(broken.sheet), broken.change
    error = verdict.error
    if error is None:
        codes = {warning.code.id for warning in verdict.warnings}
        return "" if change.warning in codes else f"passes: {verdict.status}"
    where = error.where[0] if error.where else ""
    if error.deal == broken.number and where in change.refused:
        return ""
    if error.deal == broken.number + 1 and change.in_next:
        return ""
    return f"refused in month {error.deal}, {where}: {error.code.id}"


def main(rules: str, first: int, last: int) -> None:
    """Judge the sheets of a range of seeds; print wrong verdicts and counts."""
    counts: Counter[str] = Counter()
    for seed in range(first, last):
        sheet = sheet_of_seed(rules, seed)
        if sheet is None:
            counts["no right sheet"] += 1
            continue
        random = Random(seed)
        for name, form in right_forms(sheet, random):
            counts[f"right: {name}"] += 1
            verdict = judge(form)
            is_verified = verdict.status == "verified" or name != "whole"
            if verdict.error or verdict.mismatches or not is_verified:
                counts["RIGHT, REFUSED"] += 1
                print("right, refused:", seed, name, verdict.status, verdict.error, flush=True)
        for broken in broken_sheets(sheet, random):
            counts[f"broken: {broken.way}"] += 1
            counts["broken"] += 1
            if fault := find_fault(broken):
                counts[f"FAULTY: {broken.way}"] += 1
                if counts[f"FAULTY: {broken.way}"] <= _SHOWN:
                    print(seed, broken.way, f"month {broken.number}", fault)
                    month = broken.change.month
                    print(f"    dealer {month.dealer}, {month.ba}, stone {month.stone}")
                    for line in month.payments:
                        print("   ", "void" if line.void else "pay", line.label, *line.amounts)
                    sys.stdout.flush()
    for name, count in sorted(counts.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
