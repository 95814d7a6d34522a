"""The index of situations: against a naive search, and whatever becomes of games."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Hashable
from functools import cache

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction

from kafu.comparing.situations import Compared
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG
from naive_situations import Seen, seen
from records.explorer import asking, following
from records.explorer.asking import ask, compared_of, occurrences
from records.explorer.parts import PART
from records.models import Job, Record, SituationPart, Upload, Visibility
from records.operations.rebuild import begin
from records.store import visibility
from records.work.worker import work_off
from tests.people.world import do_jobs
from tests.records.idle import do_idle_jobs
from tests.records.makers import (
    NOTHING_PLAYED,
    UNSUPPORTED,
    hurry,
    ingest,
    joined,
    text,
    upload,
    with_wrong_score,
)

pytestmark = pytest.mark.django_db

GAMES = 2_000 if LONG else 24


@cache
def texts() -> list[str]:
    """Games of all rulesets, and of two houses of koi-koi; short ones where a house has them."""
    houses: list[tuple[str, dict[str, str]]] = [
        (rules, {"months": "6"} if "months" in ruleset.options else {})
        for rules, ruleset in RULESETS.items()
    ]
    houses.append(("koikoi", {"profile": "koikoi-ai"}))
    of = (houses[seed % len(houses)] for seed in range(GAMES))
    return [
        write(simulate(rules, seed=n, options=options)) for n, (rules, options) in enumerate(of)
    ]


@cache
def compare(text: str) -> list[Compared]:
    """Return the compared situations of a game."""
    return list(compared_of(text))


def situations_of(record: Record) -> list[bytes]:
    """Return the keys of all situations of a game."""
    return [compared.situation.key for compared in compare(record.text)]


def load_places(key: bytes) -> list[tuple[int, int, int]]:
    """Return the places of a situation in the index: games, deals, steps."""
    return sorted((place.game, place.deal, place.step) for place in occurrences(key)[0])


def count_indexed(record: Record) -> int:
    """Count the situations of a game that the index has in their place, each at most once."""
    count = 0
    for compared in compare(record.text):
        situation = compared.situation
        place = (record.pk, situation.deal, situation.step)
        copies = load_places(situation.key).count(place)
        assert copies <= 1
        count += copies
    return count


@pytest.mark.long
def test_responses_equal_a_naive_search() -> None:
    """Where each situation occurred, what was chosen, what came of it."""
    ingest(*(joined(*texts()[start : start + 100]) for start in range(0, GAMES, 100)))
    do_idle_jobs("situations")
    assert following.is_complete()
    expected: dict[Hashable, list[tuple[int, Seen]]] = defaultdict(list)
    all_seen: list[tuple[str, list[Seen]]] = []
    for record in Record.objects.order_by("pk"):
        game = read(record.text).game
        assert game is not None
        rows = list(seen(game))
        all_seen.append((record.text, rows))
        for row in rows:
            expected[row.what].append((record.pk, row))
    asked_about: set[Hashable] = set()
    for text_, rows in all_seen:
        for compared, plain in zip(compare(text_), rows, strict=True):
            due = expected[plain.what]
            # One in many is alone: of those a part is asked_about.
            if plain.what in asked_about or (
                len(due) == 1 and not LONG and compared.situation.key[1] % 8
            ):
                continue
            asked_about.add(plain.what)
            answer = ask(compared)
            assert sorted((p.game, p.deal, p.step, p.score) for p in answer.places) == sorted(
                (pk, row.deal, row.step, row.score) for pk, row in due
            )
            assert answer.games == len({pk for pk, _row in due})
            chosen = Counter(row.choice for _pk, row in due)
            assert [c.cases for c in answer.choices] == sorted(chosen.values(), reverse=True)
            choice = next(c for c in answer.choices if c.number == answer.chosen)
            assert choice.cases == chosen[plain.choice]
            scores = [row.score for _pk, row in due if row.choice == plain.choice]
            assert choice.score.value == pytest.approx(sum(scores) / len(scores))
    assert max(map(len, expected.values())) > GAMES // 10
    assert not SituationPart.objects.filter(size__gt=PART).exists()


def test_only_newest_places_of_a_common_situation_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ingest(joined(*(text(seed) for seed in range(1, 7))))
    monkeypatch.setattr(following, "PART", 2)
    do_idle_jobs("situations")
    answers = [ask(compared) for compared in compare(Record.objects.latest("pk").text)]
    common = max(answers, key=lambda answer: len(answer.places))
    assert common.is_all and len(common.places) >= 4
    monkeypatch.setattr(asking, "MOST", 2)
    answer = ask(common.compared)
    assert not answer.is_all and 2 <= len(answer.places) <= 3
    assert answer.places == common.places[: len(answer.places)]
    assert sum(choice.cases for choice in answer.choices) == len(answer.places)


@pytest.mark.long
def test_only_public_games_are_counted() -> None:
    """A game is counted from the moment at which everybody may see it, and while they may."""
    ingest(text(1).encode())
    hidden = upload(text(2).encode())
    owner = get_user_model().objects.create_user("aya")
    Upload.objects.filter(pk=hidden.pk).update(visibility=Visibility.UNLISTED, owner=owner)
    do_jobs()
    do_idle_jobs("situations")
    shown, secret = Record.objects.order_by("pk")
    assert count_indexed(shown) == len(situations_of(shown)) > 20
    assert count_indexed(secret) == 0

    visibility.request_change(hidden, Visibility.PUBLIC)
    do_jobs()
    do_idle_jobs("situations")
    assert count_indexed(secret) == len(situations_of(secret))

    visibility.request_change(hidden, Visibility.WITHDRAWN)
    do_jobs()
    assert count_indexed(secret) == 0, "at once, whatever the index has done meanwhile"
    do_idle_jobs("situations")
    assert count_indexed(secret) == 0
    assert count_indexed(shown) == len(situations_of(shown))

    visibility.restore(Upload.objects.get(pk=hidden.pk))
    do_jobs()
    do_idle_jobs("situations")
    assert count_indexed(secret) == len(situations_of(secret))


def test_better_text_of_a_game_counts_once() -> None:
    """What changes of a game without its moves changes nothing here."""
    ingest(with_wrong_score(1).encode())
    do_idle_jobs("situations")
    parts = list(SituationPart.objects.values_list("shelf", "size"))
    ingest(text(1).encode(), text(1).encode())
    assert Record.objects.get().status == "verified"
    do_idle_jobs("situations")
    assert list(SituationPart.objects.values_list("shelf", "size")) == parts
    assert following.is_complete()


def test_index_of_another_version_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its situations may be others; those of the former are dropped."""
    ingest(joined(text(1), text(2)))
    do_idle_jobs("situations")
    before = sum(SituationPart.objects.values_list("size", flat=True))
    monkeypatch.setattr(following, "VERSION", "another")
    assert not following.is_complete()
    do_idle_jobs("situations")
    assert following.is_complete()
    assert sum(SituationPart.objects.values_list("size", flat=True)) == before
    assert all(
        count_indexed(record) == len(situations_of(record)) for record in Record.objects.all()
    )


def test_rebuilt_archive_has_the_same_index() -> None:
    """Games keep their places while they are read again from the uploads."""
    sent = ingest(joined(text(1), text(2)))
    do_idle_jobs("situations")
    before = {
        key: load_places(key) for record in Record.objects.all() for key in situations_of(record)
    }
    begin()
    work_off(sent, lambda progress: None)
    do_idle_jobs("situations")
    assert {key: load_places(key) for key in before} == before


def test_worker_that_fails_loses_and_doubles_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was found and how far the index is are written together, or not at all."""
    ingest(joined(*(text(seed) for seed in range(1, 5))))
    monkeypatch.setattr(following, "BATCH", 3)
    with monkeypatch.context() as patched:
        patched.setattr(following, "_mark", fail)
        with contextlib.suppress(ZeroDivisionError):
            do_idle_jobs("situations")
    assert not SituationPart.objects.exists()
    hurry()
    do_idle_jobs("situations")
    assert following.is_complete()
    assert all(
        count_indexed(record) == len(situations_of(record)) for record in Record.objects.all()
    )
    job = Job.objects.get(kind=following.SITUATIONS)
    assert (job.state, job.progress) == (Job.State.DONE, 4)


def fail(games: object) -> None:
    raise ZeroDivisionError


def test_slower_of_two_workers_writes_nothing() -> None:
    """Of two who read the same games the second finds the index elsewhere."""
    ingest(text(1).encode())
    record = Record.objects.get()
    place = (1, record.pk)
    at = following.point()
    shelves: following.Shelves = defaultdict(list)
    for shelf, row in following.places_of(record.pk, record.text):
        shelves[shelf].append(row)
    after = following.Reached(at.version, *place)
    for _ in range(2):
        with transaction.atomic():
            following._write(at, after, shelves, [record.pk])
    assert count_indexed(record) == len(situations_of(record))
    assert sum(SituationPart.objects.values_list("size", flat=True)) == len(situations_of(record))


def test_index_continues_after_a_score_sheet_and_a_faulty_game() -> None:
    """They have no situations, or those of the deals before the fault."""
    ingest(NOTHING_PLAYED.encode(), UNSUPPORTED.encode(), text(3).encode())
    do_idle_jobs("situations")
    assert following.is_complete()
    assert count_indexed(Record.objects.get(ruleset="koikoi", status="verified")) > 20
