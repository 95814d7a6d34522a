"""The cells of a question: from the sums that are kept, else by counting the facts.

In: a metric, dimensions, filters. Out: what each cell comes to, of public games alone: a game that
was hidden since the copy was made is left out by counting without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from kafu.rules.rulesets import RULESETS
from kafu.rules.rulesets import ruleset as rules_of
from records.insights import names, sums
from records.insights.blocks import OF_SETS, PART, Array, Block, joined, taken
from records.insights.counting import Cells, Counting, MetricCount, by_each_yaku, merged, read_for
from records.insights.dimensions import DIMENSIONS, OF_TABLE, RULESET
from records.insights.facts import date_code
from records.insights.following import changed_since, fresh_analyses, point
from records.insights.metrics import Metric
from records.insights.remembered import COLUMNS
from records.models import InsightName, Visibility
from records.privacy.redaction import of_archive

#: The last month of a `date_code` of a year.
_LAST: Final = 12


@dataclass(frozen=True, slots=True)
class InsightQuery:
    """A question: a metric by dimensions, of a ruleset, or of all of them.

    Of ``games`` (primary keys) only, if they are given; of the seats of a ``player`` (primary key),
    of one ``seat``, of months YYYYMM, a house, options of it, and events that begin so (folded).
    ``yaku`` is that of a metric of yaku.
    """

    metric: Metric
    by: tuple[str, ...] = ()
    ruleset: str = ""
    games: Sequence[int] | None = None
    player: int = 0
    seat: int = 0
    month_from: int = 0
    month_to: int = 0
    profile: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    event: str = ""
    yaku: str = ""


@dataclass(frozen=True, slots=True)
class Tabulated:
    """What was found: cells by the dimensions, in no order, and how many cases there are in all.

    A case with several values counts in several cells, one of which a dimension is not known in
    none. Of ``house`` and ``event`` a code is the number of one of the names that are alike.
    """

    cells: Cells
    cases: int


Allowed = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class CopyState:
    """How the copy stands: its ``stamp`` changes with it; ``is_current`` if nothing changed since
    that is not counted.
    """

    stamp: str
    is_current: bool


def state() -> CopyState:
    """How the copy stands now."""
    at = point()
    is_current = not (changed_since(at).exists() or fresh_analyses().exists())
    return CopyState(f"{at.version} {at.stamp} {is_current}", is_current)


def ask(query: InsightQuery, copy: CopyState) -> Tabulated:
    """The answer, of a copy that stood so a moment ago."""
    hidden: list[int] = []
    if not copy.is_current:
        behind = changed_since(point())
        hidden = list(behind.exclude(visibility=Visibility.PUBLIC).values_list("pk", flat=True))
    rulesets = [query.ruleset] if query.ruleset else list(RULESETS)
    answering = _Answering(query, hidden)
    parts: list[Cells] = []
    all_cases = 0
    for ruleset in rulesets:
        cells, some = answering.of(ruleset)
        parts.append(answering.folded(cells, list(RULESETS).index(ruleset) + 1))
        all_cases += some
    return Tabulated(merged(parts, len(query.by)), all_cases)


class _Answering:
    """A question while it is answered."""

    def __init__(self, query: InsightQuery, hidden: Sequence[int]) -> None:
        self.query = query
        self.games = None if query.games is None else _among(query.games)
        self.hidden = _among(hidden) if hidden else None
        self.by = [DIMENSIONS[id] for id in query.by if id != RULESET]
        #: Each column once: two dimensions may be of one.
        self.columns = list(dict.fromkeys(one.column for one in self.by))
        self.alike = {one.id: _alike(one.id) for one in self.by if one.id in _ALIKE}

    def of(self, ruleset: str) -> tuple[Cells, int]:
        """Cells of a ruleset by the columns, with the number of their cases."""
        allowed = self._filters(ruleset)
        columns = {*self.columns, *allowed}
        once = self.query.metric.once and columns <= OF_TABLE
        measure = MetricCount(self.query.metric, once, _number(self.query.yaku))
        found = self._kept(ruleset, measure, allowed)
        if found is not None:
            return found
        counted = read_for(self.columns) | measure.columns
        games = {"game"} if self.games or self.hidden else set()
        of_player = allowed.pop("player", None) is not None
        wanted = counted | games | {"place", *allowed}
        if of_player:
            blocks = COLUMNS.of_player(ruleset, wanted, self.query.player)
        else:
            blocks = COLUMNS.blocks(ruleset, wanted)
        # After them: sets that they have are known.
        of_sets = measure.yaku or {*self.columns} & {*OF_SETS}
        members = COLUMNS.members() if of_sets else names.NO_MEMBERS
        counting = Counting(self.columns, measure, members)
        for facts in self._chosen(blocks, allowed, counted):
            counting.add(facts)
        return by_each_yaku(counting.cells(), self.columns, members), counting.cases

    def folded(self, cells: Cells, ruleset: int) -> Cells:
        """The cells by the dimensions; those in which one is not known are left out."""
        codes = dict(zip(self.columns, cells.codes, strict=True))
        rows = []
        for id in self.query.by:
            if id == RULESET:
                rows.append(np.full(len(cells), ruleset))
                continue
            one = DIMENSIONS[id]
            found = codes[one.column].astype(np.int64)
            if one.derive is not None:
                found = one.derive(found)
            if id in self.alike:
                found = self.alike[id][found]
            rows.append(found)
        by = np.array(rows, np.int64).reshape(len(rows), len(cells))
        known = (by > 0).all(axis=0)
        return Cells(by[:, known], cells.n[known], cells.total[known], cells.squares[known])

    def _kept(
        self, ruleset: str, measure: MetricCount, allowed: Mapping[str, Allowed]
    ) -> tuple[Cells, int] | None:
        """From the sums that are kept; None where they do not say it."""
        if self.games or self.hidden:
            return None
        pairs = [sums.pair_of({*self.columns, *allowed}), sums.pair_of(allowed)]
        if measure.yaku:
            pairs.append(sums.pair_of({*self.columns, *allowed, "yaku"}))
        known = [pair for pair in pairs if pair is not None]
        found = sums.read(ruleset, known, measure) if len(known) == len(pairs) else None
        if found is None:
            return None
        cells = _narrowed(found[0], known[0], allowed, self.columns)
        of_all = _narrowed(found[1], known[1], allowed, ())
        if measure.yaku:
            # The cases of a deal with the yaku are those in which it was made.
            of_yaku = {**allowed, "yaku": lambda codes: codes == measure.yaku}
            made = _narrowed(found[2], known[2], of_yaku, self.columns)
            parts = [_with(cells, cells.n, 0), _with(made, 0, made.n)]
            cells = merged(parts, len(self.columns))
        return cells, int(of_all.n.sum())

    def _chosen(
        self, blocks: Iterable[Block], allowed: Mapping[str, Allowed], columns: Collection[str]
    ) -> Iterator[Block]:
        """The facts that count, with some columns, in blocks of about a part: what is small stays
        in the processor's cache, and of many parts those that have few are counted together.
        """
        few: list[Block] = []
        facts = 0
        for block in blocks:
            which = self._which(block, allowed)
            places = None if which is None else np.flatnonzero(which)
            whole = len(block["place"])
            fitting = whole if places is None else len(places)
            if fitting:
                wanted = {name: block[name] for name in columns}
                few.append(wanted if places is None or fitting == whole else taken(wanted, places))
                facts += fitting
            if facts >= PART:
                yield joined(few)
                few, facts = [], 0
        if few:
            yield joined(few)

    def _which(self, facts: Block, allowed: Mapping[str, Allowed]) -> Array | None:
        """The facts that count; None for all."""
        which: Array | None = None
        for column, fits in allowed.items():
            found = fits(facts[column])
            which = found if which is None else which & found
        if self.games:
            found = self.games(facts["game"])
            which = found if which is None else which & found
        if self.hidden:
            found = ~self.hidden(facts["game"])
            which = found if which is None else which & found
        return which

    def _filters(self, ruleset: str) -> dict[str, Allowed]:
        """What the question asks of facts, by column."""
        query = self.query
        found: dict[str, Allowed] = {}
        if query.player:
            found["player"] = lambda codes: codes == query.player
        if query.seat:
            found["seat"] = lambda codes: codes == query.seat
        if query.month_from or query.month_to:
            found["date"] = self._dates
        if query.profile or query.options:
            houses = [
                number
                for number, text in names.texts(names.HOUSE).items()
                if _is_house(text, ruleset, query.profile, query.options)
            ]
            found["house"] = _among(houses)
        if query.event:
            known = of_archive()
            events = [
                number
                for number, text in names.texts(names.EVENT).items()
                if known.event_key(text).startswith(query.event)
            ]
            found["event"] = _among(events)
        return found

    def _dates(self, codes: Array) -> Array:
        """Games that may have been played in the months: one of which only the year is known, if
        one of its months is among them.
        """
        first = date_code(self.query.month_from or 101)
        last = date_code(self.query.month_to or 999_912)
        within = (codes >= first) & (codes <= last)
        return within | (codes == first // (_LAST + 1) * (_LAST + 1))


def _is_house(text: str, ruleset: str, profile: str, options: Mapping[str, str]) -> bool:
    """Whether a house (`records.insights.facts.house_of`) has a profile and plays by options,
    written or left at their defaults.
    """
    own, *written = text.split()
    if profile and own != profile:
        return False
    chosen = dict(word.split("=", 1) for word in written)
    return all(
        chosen.get(name, rules_of(ruleset).defaults(own).get(name)) == value
        for name, value in options.items()
    )


#: Dimensions whose names may be alike, and what makes them so.
_ALIKE: Final[Mapping[str, str]] = {"house": names.HOUSE, "event": names.EVENT}


def shown(id: str, text: str) -> str:
    """What tells names of a dimension apart: the profile of a house, an event as lists know it."""
    return text.split()[0] if id == "house" else of_archive().event_key(text)


def _alike(id: str) -> Array:
    """By the number of a name the first number of those that are alike."""
    known = names.texts(_ALIKE[id])
    first: dict[str, int] = {}
    found = np.zeros(max(known, default=0) + 1, np.int64)
    for number, text in sorted(known.items()):
        found[number] = first.setdefault(shown(id, text), number)
    return found


def _number(yaku: str) -> int:
    """The number of a yaku, 0 for ""."""
    rows = InsightName.objects.order_by().filter(kind=names.YAKU, text=yaku)
    return (rows.values_list("number", flat=True).first() or names.NOBODYS) if yaku else 0


def _with(cells: Cells, n: Array | int, total: Array | int) -> Cells:
    """Cells with other numbers, of values that are 0 or 1."""
    numbers = (np.full(len(cells), one) for one in (n, total, total))
    return Cells(cells.codes, *numbers)


def _among(numbers: Collection[int]) -> Allowed:
    """Whether codes are among some numbers."""
    table = np.zeros(max(numbers, default=0) + 2, bool)
    table[list(numbers)] = True
    return lambda codes: table.take(codes, mode="clip")  # what is beyond is not there


def _narrowed(
    cells: Cells, pair: tuple[str, str], allowed: Mapping[str, Allowed], columns: Sequence[str]
) -> Cells:
    """Of cells by house and the columns of a pair those that are allowed, by some of these."""
    codes = dict(zip(["house", *filter(None, pair)], cells.codes, strict=True))
    which = np.ones(len(cells), bool)
    for column, fits in allowed.items():
        which &= fits(codes[column])
    left = np.array([codes[column][which] for column in columns], np.int64)
    left = left.reshape(len(columns), int(which.sum()))
    return Cells(left, cells.n[which], cells.total[which], cells.squares[which])
