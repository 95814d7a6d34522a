"""The intervals of every figure contain the truth about as often as stated.

The deals of simulated games are the population: its answer is the truth. Samples are drawn deal by
deal, so seats and choices of a deal depend on each other as in real games; for figures about who
wins a game they are drawn game by game. In `make test`
`test_coverage.py` checks intervals of means in this way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np
import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base.keys import player_key
from records.facts.tables import TABLES
from records.models import Player
from records.statistics.answer import Row
from records.statistics.registry import FIGURES
from tests.records.statistics.memory_facts import MemoryFacts, answer

pytestmark = [pytest.mark.django_db, pytest.mark.long_only]

GAMES: Final = 24
DEALS: Final = 150
SAMPLES: Final = 400
#: Rarer events are not tested: the exact and Wilson intervals of a few events are too wide.
RAREST: Final = 0.1
#: The coverage of all rows of a column. The coverage of the samples may miss these bounds by three
#: standard errors; the dependent rows of a sample count as a single case.
LOW, HIGH = 0.93, 0.97
TOLERANCE: Final = 3 * (0.05 * 0.95 / SAMPLES) ** 0.5
PLAYERS: Final = ("Aoi", "Botan", "Chidori", "Fuji", "Hagi", "Kiku", "Matsu")

#: Queries by figure; figures about players alone have games as independent cases.
QUERIES: Final = (
    ("ends", ""),
    ("seats", ""),
    ("grades", ""),
    ("scores", ""),
    ("yaku", ""),
    ("hands", ""),
    ("hatto", ""),
    ("openings", "of=card"),
    ("cards", ""),
    ("decisions", "by=none"),
    ("decisions", "by=yaku"),
    ("losses", ""),
    ("compare", "player=Aoi"),
    ("versus", "player=Aoi&opponent=Botan"),
    ("players", "games_min=1"),
    ("insights", "metric=win_rate"),
    ("insights", "metric=yaku_rate"),
    ("insights", "metric=yaku_rate&by=dealer"),
    ("insights", "metric=received&by=dealer"),
    ("insights", "metric=received"),
    ("insights", "metric=score&by=yaku"),
    ("insights", "metric=play_on_rate"),
    ("insights", "metric=gain"),
    ("insights", "metric=loss&by=kind"),
    ("insights", "metric=luck&by=dealer"),
    ("insights", "metric=yaku_turn"),
    ("insights", "metric=win_with_yaku"),
    ("insights", "metric=balance&by=place&by2=payer_place"),
)
#: Queries whose independent cases are games.
QUERIES_OF_GAMES: Final = (
    ("insights", "metric=game_rate&by=standing"),
    ("insights", "metric=game_rate&by=place&by2=standing"),
)


@cache
def make_population(ruleset: str) -> MemoryFacts:
    """Return the facts of simulated games, with losses and luck that depend on the deal."""
    games = [simulate(ruleset, seed=seed) for seed in range(GAMES)]
    facts = MemoryFacts(ruleset, [verify(read(write(game)), facts=True) for game in games])
    facts.insert(
        "losses",
        "SELECT seats.* EXCLUDE (turn_order, balances), kind,"
        " hash(game, deal, if(turn % 2 = 0, turn, 0)) % 10 < 4 AS costly,"
        " (hash(game, deal, turn) % 900 * (hash(game, deal) % 4))::BIGINT AS loss"
        " FROM seats, (VALUES (0, 'hand'), (1, 'hand'), (2, 'hand'), (3, 'stock'), (4, 'stock'))"
        " AS choices(turn, kind) WHERE hash(game, deal, turn, seat) % 3 > 0",
    )
    facts.insert(
        "luck",
        "SELECT * EXCLUDE (turn_order, balances),"
        " hash(game, deal, seat) % 900 * (hash(game, deal) % 4) AS deal_luck,"
        " hash(deal, seat, game) % 500 AS stock_luck FROM seats",
    )
    return facts


class Sample(MemoryFacts):
    """Facts of cases of a population: of deals, each as the only deal of a game, or of games."""

    def __init__(
        self, population: MemoryFacts, chance: np.random.Generator, *, games: bool = False
    ) -> None:
        self.database, self.key = population.database, f"sample {chance.integers(2**60)}"
        drawn_deal = "NULL" if games else "deal"
        rows = self.database.execute(
            f"SELECT DISTINCT game, coalesce({drawn_deal}, 0) FROM deals ORDER BY ALL"
        ).fetchall()
        deals = np.array(rows)
        drawn = deals[chance.integers(len(deals), size=DEALS)]
        columns = {"number": np.arange(DEALS), "of_game": drawn[:, 0], "of_deal": drawn[:, 1]}
        self.database.register("drawn", columns)
        for name, table in TABLES.items():
            is_of_deal = any(column.name == "deal" for column in table.columns)
            self.database.execute(
                f"CREATE OR REPLACE TABLE {self.source(name)} AS"
                f" SELECT {name}.* REPLACE (number AS game) FROM {name} JOIN drawn"
                f" ON game = of_game{' AND deal = of_deal' if is_of_deal and not games else ''}"
            )

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return the sampled table."""
        return f"sampled_{table}"


def list_rows(ruleset: str, query: tuple[str, str], facts: MemoryFacts) -> dict[object, Row]:
    """Return the rows of an answer by their ids."""
    figure, parameters = query
    rows = answer(figure, f"ruleset={ruleset}&{parameters}", facts).rows
    ids = (
        "yaku",
        "card",
        "play",
        "kind",
        "end",
        "bound",
        "grade",
        "place",
        "low",
        "what",
        "by",
        "by2",
        "player",
    )
    return {(*(row.get(id) for id in ids), row.get("player")): row for row in rows}


def check_rows(truths: dict[object, Row], rows: dict[object, Row]) -> Iterator[tuple[str, bool]]:
    """Yield the name of each tested interval of a sample, and whether it contains the truth."""
    # The most frequent yaku, the rows of `compare`, may differ in the population.
    for key, row in ((key, row) for key, row in rows.items() if key in truths):
        for name in [name.removesuffix("_low") for name in row if name.endswith("_low")]:
            low, high, truth = row[f"{name}_low"], row[f"{name}_high"], truths[key][name]
            if not (isinstance(low, float) and isinstance(high, float)):
                continue
            assert isinstance(truth, float)
            is_rate = low >= 0 and high <= 1
            if not is_rate or RAREST <= truth <= 1 - RAREST:
                yield name, low <= truth <= high


def measure_coverage(ruleset: str) -> dict[tuple[str, str, str], float]:
    """Return the coverage of the intervals by figure, query and column."""
    for pk, name in enumerate(PLAYERS):
        Player.objects.create(pk=pk, key=player_key(name), name=name, origin=name)
    population, chance = make_population(ruleset), np.random.default_rng(1)
    queries = [(figure, query) for figure, query in QUERIES if ruleset in FIGURES[figure].rulesets]
    truths = {
        query: list_rows(ruleset, query, population) for query in (*queries, *QUERIES_OF_GAMES)
    }
    correct = defaultdict[tuple[str, str, str], list[bool]](list)
    for _sample in range(SAMPLES):
        for of_games, drawn_queries in ((False, queries), (True, QUERIES_OF_GAMES)):
            sample = Sample(population, chance, games=of_games)
            for query in drawn_queries:
                rows = list_rows(ruleset, query, sample)
                for name, is_correct in check_rows(truths[query], rows):
                    correct[(*query, name)].append(is_correct)
    # A column with fewer rows than samples lacked an interval in several samples.
    return {key: float(np.mean(all)) for key, all in correct.items() if len(all) >= SAMPLES}


@pytest.mark.parametrize("ruleset", ["koikoi", "hachihachi"])
def test_intervals_of_figures_contain_the_truth(ruleset: str) -> None:
    coverage = measure_coverage(ruleset)
    figures = {figure for figure, _query, _column in coverage}
    assert figures >= {"decisions", "losses", "insights", "yaku", "compare", "versus", "cards"}
    wrong = {
        key: share
        for key, share in coverage.items()
        if not LOW - TOLERANCE <= share <= HIGH + TOLERANCE
    }
    assert not wrong
