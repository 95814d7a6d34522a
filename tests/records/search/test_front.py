"""The contents of the first page: figures, and the choice of games."""

import pytest
from pytest_django import DjangoAssertNumQueries

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.models import Record
from records.models.facts import family_of
from records.operations.samples import year
from records.search import games
from tests import conformance
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_empty_archive_has_no_games_to_show() -> None:
    assert games.choose_games() == []
    assert games.figures() == {"games": 0, "verified": 0, "players": 0}


def test_figures_are_counted_once_for_the_newest_game(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    makers.ingest(makers.joined(makers.text(1), makers.with_wrong_score(2), makers.illegal(4)))
    with django_assert_num_queries(5):
        # The list leaves out the illegal game.
        assert games.figures() == {"games": 2, "verified": 1, "players": 2}
    with django_assert_num_queries(1):
        games.figures()
    makers.ingest(makers.text(3).encode())
    assert games.figures()["games"] == 3


def test_games_with_the_most_yaku_and_winners_are_shown() -> None:
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 7))))

    def worth(record: Record) -> int:
        deals = verify(read(record.text)).verdict.deals
        paid = {line.label for deal in deals for line in deal.ledger if not line.void}
        yaku = {label for label in paid if family_of(label) != "other"}
        return len(yaku) - sum(deal.winner is None for deal in deals)

    shown = games.choose_games()
    best = sorted(map(worth, Record.objects.all()), reverse=True)
    assert [worth(record) for record in shown] == best[:3]


def test_one_game_of_each_ruleset_is_shown_before_second_ones() -> None:
    hanaawase = write(year(1, ("Aya", "Ben", "Chiyo"), "hanaawase"))
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 4)), hanaawase))
    first, second, third = (record.ruleset for record in games.choose_games())
    assert {first, second} == {"hanaawase", "koikoi"}
    assert third == "koikoi"


def test_score_sheet_is_not_shown() -> None:
    sheet = (conformance.OWN / "hachihachi" / "sheet-document.kafu").read_text(encoding="utf-8")
    makers.ingest(makers.joined(makers.text(1), sheet))
    assert [record.ruleset for record in games.choose_games()] == ["koikoi"]


def test_only_the_newest_games_are_considered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "CANDIDATES", 1)
    makers.ingest(makers.text(1).encode())
    makers.ingest(makers.text(2).encode())
    assert games.choose_games() == [Record.objects.order_by("-pk")[0]]
