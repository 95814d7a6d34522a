"""Analyses of stored games: made in turns, stored, and repeated by another engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from math import inf

import pytest
from django.conf import LazySettings
from django.utils import timezone

from kafu.analysis import partial, report
from kafu.analysis.search import Effort
from kafu.notation.game import Game
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.jobs import executor
from records.jobs.executor import Worker
from records.jobs.ledger import claim
from records.models import Analysis, Job, Record
from records.services import analyses
from tests.people.world import sent, user
from tests.records.makers import UNSUPPORTED as SHEET
from tests.records.makers import hurry, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture(autouse=True)
def little(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyse only a few deals, with a turn for each part."""
    settings.ANALYSIS_DEALS = 2
    monkeypatch.setattr(analyses, "TURN_SECONDS", 0.0)


def _game() -> Game:
    """Return the first turns of a month."""
    game = simulate("koikoi", seed=4, options={"months": "1"})
    game.months[0].turns = game.months[0].turns[:6]
    game.months[0].score = game.result = game.final = None
    game.tags["Termination"] = "unfinished"
    return game


def _stored() -> Record:
    sent(write(_game()))
    return Record.objects.get()


def _request(record: Record) -> analyses.Stage:
    return analyses.request(record, account=1, origin="user:1")


@pytest.mark.long_only  # tests/api/test_analysis.py follows one
@pytest.mark.long
def test_workers_make_the_parts_of_an_analysis_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part takes a turn; the result equals an analysis in one run.

    A waiting or finished analysis is not begun again, but the analysis of another engine is.
    """
    record = _stored()
    assert analyses.progress_of(record).state == "none"
    begun = _request(record)
    assert (begun.state, begun.analysis) == ("waiting", None)
    assert _request(record).state == "waiting"
    job = Job.objects.get(kind=analyses.ANALYSIS)
    Worker().step()
    half = analyses.progress_of(record)
    assert (half.state, half.progress) == ("running", 1)
    work_all()
    progress = analyses.progress_of(record)
    assert progress.state == "done" and progress.analysis is not None
    assert progress.progress == progress.total == report.count_choices(_game()) + 1
    job.refresh_from_db()
    assert job.state == Job.State.DONE and job.progress == job.total == progress.total
    assert _request(record).state == "done"
    assert Job.objects.filter(kind=analyses.ANALYSIS).count() == 1
    monkeypatch.setattr(analyses, "ENGINE", "5.1")
    assert analyses.progress_of(record).state == "none"
    assert _request(record).state == "waiting"
    assert analyses.make(record) == progress.analysis.found
    assert Analysis.objects.get().engine == "5.1"


def test_killed_turn_starts_again_and_keeps_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    record = _stored()
    _request(record)
    Worker().step()

    hurry()
    # A killed process neither stores its part nor frees the job.
    assert claim(Job.objects.get(kind=analyses.ANALYSIS).pk) is not None
    running = analyses.progress_of(record)
    assert (running.state, running.progress) == ("running", 1)
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    begun: list[int] = []
    analyse = report.analyse_choices

    def count(game: Game, *, effort: Effort, after: int) -> Iterator[report.Choice]:
        begun.append(after)
        return analyse(game, effort=effort, after=after)

    monkeypatch.setattr(partial, "analyse_choices", count)
    work_all()
    stage = analyses.progress_of(record)
    assert stage.state == "done" and stage.analysis is not None
    assert begun[0] == 1 and sorted(set(begun)) == begun, "no part is computed twice"
    Analysis.objects.all().delete()
    assert analyses.make(record) == stage.analysis.found


def test_sheet_cannot_be_analysed() -> None:
    sent(SHEET)
    with pytest.raises(analyses.NoCards):
        _request(Record.objects.get())


def test_newest_verified_game_of_an_account_is_analysed_by_itself(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game waits at a time, up to a number on a day; games without an account never do."""
    monkeypatch.setattr(analyses, "_PAUSE_SECONDS", 0)
    monkeypatch.setattr(executor, "TEND_SECONDS", inf)  # the worker would schedule the next game
    monkeypatch.setattr(analyses, "_ACCOUNT_UPLOADS", 1)
    settings.ANALYSES_DAILY = 2
    years = [write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(4)]
    sent(*years[1:], write(_game()), owner=user("aya"))
    sent(years[0])
    verified = Record.objects.filter(ownerships__owner__isnull=False, status="verified")
    newest = list(verified.order_by("-pk").values_list("key", flat=True))
    made = Analysis.objects.filter(made__isnull=False)
    for count in (1, 2, 2):
        analyses.schedule()
        analyses.schedule()
        work_all()
        keys = set(made.values_list("record__key", flat=True))
        assert keys == set(newest[:count])
    settings.ANALYSES_DAILY = 0
    analyses.schedule()
    assert not Job.objects.filter(kind=analyses.ANALYSIS, state__in=Job.OPEN).exists()
