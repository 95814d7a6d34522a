"""A judged game as rows: the columns of a record, its listing, seats, deals, scores and yaku.

In: records with a `Verification` whose verdict is on its own canonical text. Out: their rows, and
what the totals of statistics gain or lose by them.
"""

from __future__ import annotations

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from django.utils import timezone

from kafu.judging.verify import Verification
from kafu.notation.game import Game, Turn
from kafu.notation.vocabulary import SHOWS
from kafu.rules import ENGINE_VERSION
from kafu.rules.play.ledger import OTHER, gains, maker
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import DealResult, Line, Verdict
from records.base.bulk import insert_rows
from records.base.keys import player_key
from records.models import (
    NO_SCORE,
    Deal,
    DealSeat,
    Listing,
    Record,
    Seat,
    Visibility,
    YakuMade,
)
from records.privacy import revisions
from records.privacy.redaction import of_archive
from records.store.players import pseudonyms
from records.totals.sums_of_games import Totals

BATCH: Final = 500
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_DATE = re.compile(r"(\d{4})(?:-(\d\d|\?\?))?(?:-(\d\d|\?\?))?")


def fill(record: Record, verification: Verification) -> None:
    """Set every column of a record that its game and verdict decide; key and identity are set."""
    game = verification.game
    assert game is not None
    tags = game.tags
    record.ruleset = game.rules
    record.profile = game.options.get("profile", game.rules)[:32]
    record.options = " ".join(f"{name}={value}" for name, value in sorted(game.options.items()))
    record.sheet = game.is_sheet
    record.event, record.site, record.round, record.source = (
        tags.get(name, "")[:200] for name in ("Event", "Site", "Round", "Source")
    )
    record.date = tags.get("Date", "")[:32]
    record.date_from, record.date_to = date_range(record.date)
    record.termination = game.termination[:12]
    record.tags = tags
    record.text = verification.text
    fill_verdict(record, verification.verdict)
    record.deals_played = len(verification.verdict.deals)
    record.turns_played = sum(turns_of(game, number) for number in range(record.deals_played))


def fill_verdict(record: Record, verdict: Verdict) -> None:
    """Set what a record says of the verdict on its text, by this version of the engine."""
    record.verdict = {**stored(verdict), "source": f"{record.key}.kafu", "game": 1, "line": 1}
    record.status = verdict.status
    record.error_code = verdict.error.code.id if verdict.error is not None else ""
    record.engine_version = ENGINE_VERSION


def stored(verdict: Verdict) -> dict[str, Any]:
    """A verdict in stored form, its quotations made fit for any database.

    What a faulty text is quoted with may hold what neither PostgreSQL nor UTF-8 can: NUL, and
    halves of surrogate pairs out of JSON escapes.
    """
    form = verdict.to_stored()
    return form | {name: clean(form[name]) for name in ("error", "mismatches", "warnings")}


def clean(value: Any) -> Any:
    """The same JSON value with U+FFFD for characters that cannot be stored."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {clean(name): clean(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


def turns_of(game: Game, number: int) -> int:
    """Turns played in a deal, ``number`` from 0."""
    if number >= len(game.months):
        return 0
    return sum(isinstance(turn, Turn) for turn in game.months[number].turns)


def date_range(written: str) -> tuple[date | None, date | None]:
    """First and last day that a Date tag can mean; None twice where it says no year or no such day.

    >>> date_range("2026-02-??")
    (datetime.date(2026, 2, 1), datetime.date(2026, 2, 28))
    """
    match = _DATE.fullmatch(written)
    if match is None:
        return None, None
    year, month, day = (int(part) if part and part != "??" else None for part in match.groups())
    try:
        if year is None or month is None:
            return date(year or 0, 1, 1), date(year or 0, 12, 31)
        if day is None:
            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:
        return None, None


def set_visibility(record: Record, level: int) -> None:
    """Set how visible a locked record is, unsaved. For those who can see it only now it is new."""
    if record.visibility < Visibility.UNLISTED <= level:
        record.created = timezone.now()
    record.visibility = level


def rewrite(
    games: Sequence[tuple[Record, Verification]], players: Mapping[str, int], totals: Totals
) -> None:
    """Replace what locked records say by other verifications of the same games."""
    pks = [record.pk for record, _ in games]
    totals.drop(pks)
    for record, verification in games:
        fill(record, verification)
        record.changed = timezone.now()
        record.save()
    for model in (Listing, Seat, Deal):
        model._default_manager.filter(record__in=pks).delete()
    write_parts(games, players, totals)
    revisions.advance()


def write_parts(
    games: Sequence[tuple[Record, Verification]], players: Mapping[str, int], totals: Totals
) -> None:
    """Insert listings, seats, deals, scores and yaku of records that have none yet, and add them to
    the totals of statistics.
    """
    totals.add(games, players)
    known = of_archive()
    Listing.objects.bulk_create(
        [
            listing(record, verification.verdict, known.event_key(record.event))
            for record, verification in games
        ],
        batch_size=BATCH,
    )
    seats: list[Seat] = []
    shown = pseudonyms(set(players.values()))
    deals: list[tuple[Deal, DealResult]] = []
    for record, verification in games:
        assert verification.game is not None
        seats += _seats(record, verification, players, shown)
        for index, result in enumerate(verification.verdict.deals):
            turns = turns_of(verification.game, index)
            deals.append((_deal(record, index + 1, result, turns), result))
    Seat.objects.bulk_create(seats, batch_size=BATCH)
    Deal.objects.bulk_create([deal for deal, _ in deals], batch_size=BATCH)
    insert_rows(
        DealSeat,
        ("deal_id", "seat", "score"),
        (
            (deal.pk, seat, score)
            for deal, result in deals
            for seat, score in enumerate(result.score, start=1)
        ),
    )
    insert_rows(
        YakuMade,
        ("deal_id", "line", "seat", "label", "kind", "amount", "parts", "void"),
        (
            (deal.pk, number, *made)
            for deal, result in deals
            for number, line in enumerate(result.ledger, start=1)
            for made in yaku_rows(line)
        ),
    )


def listing(record: Record, verdict: Verdict, event: str) -> Listing:
    """The row that lists ask: of a record that is filled, and the verdict it was filled from;
    ``event`` as `records.privacy.redaction.Redaction.event_key` says.
    """
    made = {label for labels in yaku_by_seat(verdict.deals).values() for label in labels}
    return Listing(
        record=record,
        visibility=record.visibility,
        ruleset=record.ruleset,
        profile=record.profile,
        status=record.status,
        sheet=record.sheet,
        event=event,
        day_from=record.date_from.toordinal() if record.date_from else 0,
        day_to=record.date_to.toordinal() if record.date_to else 0,
        deals=record.deals_played,
        turns=record.turns_played,
        best=best_final(record.ruleset, verdict.final or ()),
        yaku=spaced(made),
        grades=spaced({deal.grade for deal in verdict.deals if deal.grade}),
    )


def best_final(ruleset: str, final: Iterable[int]) -> int:
    """The highest of final sums in the small unit; `NO_SCORE` for none.

    A settlement may be in another unit, as that of hachihachi in whole kan (H20).
    """
    unit = RULESETS[ruleset].final_unit
    return max((sum_ * unit for sum_ in final), default=NO_SCORE)


def spaced(words: Iterable[str]) -> str:
    """Words in order, each between spaces, so that one can be found whole; empty for none.

    >>> spaced({"tane", "goko"})
    ' goko tane '
    """
    found = sorted(words)
    return f" {' '.join(found)} " if found else ""


def counted(labels: Mapping[str, int]) -> str:
    """Labels with how often: ``kasu tane*2``."""
    return " ".join(
        label if often == 1 else f"{label}*{often}" for label, often in sorted(labels.items())
    )


def yaku_by_seat(deals: Iterable[DealResult]) -> dict[int | None, Counter[str]]:
    """The yaku that each seat made in deals and how often, struck-out lines left out.

    Under None stand those that several had at once.
    """
    made: dict[int | None, Counter[str]] = defaultdict(Counter)
    for line in (line for deal in deals for line in deal.ledger if not line.void):
        labels = line.label.split("+")
        if kind_of(labels[0]) is not YakuMade.Kind.OTHER:
            made[maker(line)[0]].update(label[:64] for label in labels)
    return made


def _seats(
    record: Record,
    verification: Verification,
    players: Mapping[str, int],
    pseudonyms: Mapping[int, str],
) -> Iterable[Seat]:
    assert verification.game is not None
    final, places = verification.verdict.final, verification.verdict.places
    made = yaku_by_seat(verification.verdict.deals)
    for number, name in enumerate(verification.game.players, start=1):
        total = final[number - 1] if final is not None else None
        player = players[player_key(name)]
        yield Seat(
            record=record,
            number=number,
            player_id=player,
            name=pseudonyms.get(player, name),
            final=total,
            rank=places[number - 1] if places is not None else None,
            yaku=counted(made[number]),
        )


def _deal(record: Record, number: int, result: DealResult, turns: int) -> Deal:
    return Deal(
        record=record,
        number=number,
        month=result.month,
        dealer=result.dealer,
        grade=result.grade or "",
        bound=result.bound or "",
        end=result.end,
        winner=result.winner,
        next_dealer=result.next_dealer,
        turns=turns,
    )


def kind_of(label: str) -> YakuMade.Kind:
    """The family of a yaku id; ``other`` for what is no yaku (card points, fees, prizes)."""
    if label in SHOWS:
        return YakuMade.Kind.DEALT
    if any(label in rules.special for rules in RULESETS.values()):
        return YakuMade.Kind.SPECIAL
    return YakuMade.Kind.OTHER if label in OTHER else YakuMade.Kind.CAPTURED


def yaku_rows(line: Line) -> Iterable[tuple[int | None, str, str, int, int, bool]]:
    """Rows of one ledger line: a yaku is its maker's, who alone gets; others are everyone's.

    Each is seat, label, kind, amount, parts and void, as in `YakuMade`.
    """
    labels = line.label.split("+")
    for seat, amount in gains(line):
        for label in labels:
            yield seat, label[:64], kind_of(label).value, amount, len(labels), line.void
