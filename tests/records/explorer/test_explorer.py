"""The index of situations: against a naive search, and whatever becomes of games."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Hashable
from functools import cache

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction

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
from tests.records.makers import (
    NOTHING_PLAYED,
    UNSUPPORTED,
    do_idle,
    hurry,
    ingest,
    joined,
    text,
    upload,
    with_wrong_score,
    work_all,
)

pytestmark = pytest.mark.django_db

GAMES = 2_000 if LONG else 36


@cache
def texts() -> list[str]:
    """Games of all rulesets, and of two houses of koi-koi; short ones where a house has them."""
    houses: list[tuple[str, dict[str, str]]] = [
        (rules, {"months": "6"} if "months" in one.options else {})
        for rules, one in RULESETS.items()
    ]
    houses.append(("koikoi", {"profile": "koikoi-ai"}))
    of = (houses[seed % len(houses)] for seed in range(GAMES))
    return [write(simulate(rules, seed=n, options=one)) for n, (rules, one) in enumerate(of)]


def places(key: bytes) -> list[tuple[str, int, int]]:
    """Where the index has a situation: keys of games, deals, steps."""
    keys = dict(Record.objects.values_list("pk", "key"))
    return sorted((keys[one.game], one.deal, one.step) for one in occurrences(key)[0])


def known(record: Record) -> list[bytes]:
    """The keys of all situations of a game."""
    return [one.situation.key for one in compared_of(record.text)]


def found_in(record: Record) -> int:
    """How many situations of a game the index has there, each in its place and only once."""
    count = 0
    for one in compared_of(record.text):
        at = one.situation
        there = places(at.key).count((record.key, at.deal, at.step))
        assert there <= 1
        count += there
    return count


@pytest.mark.long
def test_it_equals_a_naive_search() -> None:
    """Where each situation occurred, what was chosen, what came of it."""
    ingest(*(joined(*texts()[start : start + 100]) for start in range(0, GAMES, 100)))
    do_idle()
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
    asked: set[Hashable] = set()
    for text_, rows in all_seen:
        for one, plain in zip(compared_of(text_), rows, strict=True):
            there = expected[plain.what]
            # One in many is alone: of those a part is asked.
            if plain.what in asked or (len(there) == 1 and not LONG and one.situation.key[1] % 8):
                continue
            asked.add(plain.what)
            answer = ask(one)
            assert sorted((p.game, p.deal, p.step, p.score) for p in answer.places) == sorted(
                (pk, row.deal, row.step, row.score) for pk, row in there
            )
            assert answer.games == len({pk for pk, _row in there})
            chosen = Counter(row.choice for _pk, row in there)
            assert [c.cases for c in answer.choices] == sorted(chosen.values(), reverse=True)
            own = next(c for c in answer.choices if c.number == answer.chosen)
            assert own.cases == chosen[plain.choice]
            scores = [row.score for _pk, row in there if row.choice == plain.choice]
            assert own.score.value == pytest.approx(sum(scores) / len(scores))
    assert max(map(len, expected.values())) > GAMES // 10
    assert not SituationPart.objects.filter(size__gt=PART).exists()


def test_of_a_common_situation_the_newest_places_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that no answer grows with the archive; it says so."""
    ingest(joined(*(text(seed) for seed in range(1, 7))))
    monkeypatch.setattr(following, "PART", 2)
    do_idle()
    found = [ask(one) for one in compared_of(Record.objects.latest("pk").text)]
    common = max(found, key=lambda answer: len(answer.places))
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
    work_all()
    do_idle()
    shown, secret = Record.objects.order_by("pk")
    assert found_in(shown) == len(known(shown)) > 20
    assert found_in(secret) == 0

    visibility.request_change(hidden, Visibility.PUBLIC)
    work_all()
    do_idle()
    assert found_in(secret) == len(known(secret))

    visibility.request_change(hidden, Visibility.WITHDRAWN)
    work_all()
    assert found_in(secret) == 0, "at once, whatever the index has done meanwhile"
    do_idle()
    assert found_in(secret) == 0
    assert found_in(shown) == len(known(shown))

    visibility.restore(Upload.objects.get(pk=hidden.pk))
    work_all()
    do_idle()
    assert found_in(secret) == len(known(secret))


def test_a_better_text_of_a_game_counts_once() -> None:
    """What changes of a game without its moves changes nothing here."""
    ingest(with_wrong_score(1).encode())
    do_idle()
    parts = list(SituationPart.objects.values_list("shelf", "size"))
    ingest(text(1).encode(), text(1).encode())
    assert Record.objects.get().status == "verified"
    do_idle()
    assert list(SituationPart.objects.values_list("shelf", "size")) == parts
    assert following.is_complete()


def test_another_engine_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its situations may be others; those of the former are dropped."""
    ingest(joined(text(1), text(2)))
    do_idle()
    before = sum(SituationPart.objects.values_list("size", flat=True))
    monkeypatch.setattr(following, "VERSION", "another")
    assert not following.is_complete()
    do_idle()
    assert following.is_complete()
    assert sum(SituationPart.objects.values_list("size", flat=True)) == before
    assert all(found_in(record) == len(known(record)) for record in Record.objects.all())


def test_a_rebuilt_archive_has_the_same_index() -> None:
    """Games keep their places while they are read again from the uploads."""
    sent = ingest(joined(text(1), text(2)))
    do_idle()
    before = {key: places(key) for record in Record.objects.all() for key in known(record)}
    begin()
    work_off(sent, lambda progress: None)
    do_idle()
    assert {key: places(key) for key in before} == before


def test_a_worker_that_is_killed_loses_and_doubles_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was found and how far the index is are written together, or not at all."""
    ingest(joined(*(text(seed) for seed in range(1, 5))))
    monkeypatch.setattr(following, "BATCH", 3)
    with monkeypatch.context() as patched:
        patched.setattr(following, "_mark", _killed)
        with contextlib.suppress(ZeroDivisionError):
            do_idle()
    assert not SituationPart.objects.exists()
    hurry()
    do_idle()
    assert following.is_complete()
    assert all(found_in(record) == len(known(record)) for record in Record.objects.all())
    job = Job.objects.get(kind=following.SITUATIONS)
    assert (job.state, job.progress) == (Job.State.DONE, 4)


def _killed(games: object) -> None:
    raise ZeroDivisionError


def test_who_comes_late_writes_nothing() -> None:
    """Of two who read the same games the second finds the index elsewhere."""
    ingest(text(1).encode())
    record = Record.objects.get()
    place = (1, record.pk)
    at = following.point()
    found: following.Shelves = defaultdict(list)
    for shelf, row in following.places_of(record.pk, record.text):
        found[shelf].append(row)
    after = following.Reached(at.version, *place)
    for _ in range(2):
        with transaction.atomic():
            following._write(at, after, found, [record.pk])
    assert found_in(record) == len(known(record))
    assert sum(SituationPart.objects.values_list("size", flat=True)) == len(known(record))


def test_a_score_sheet_and_a_faulty_game_do_not_stop_it() -> None:
    """They have no situations, or those of the deals before the fault."""
    ingest(NOTHING_PLAYED.encode(), UNSUPPORTED.encode(), text(3).encode())
    do_idle()
    assert following.is_complete()
    assert found_in(Record.objects.get(ruleset="koikoi", status="verified")) > 20
