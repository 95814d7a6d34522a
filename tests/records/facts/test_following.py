"""Standings and facts follow whatever is stored, taken back and judged again."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, examples
from records.facts.rows import COUNTED
from records.models import Player, Record, Standing, Visibility
from records.operations import reverify, totals_check
from records.statistics.gather import gather
from records.statistics.questions import Question
from records.store.ownership import change_visibility, take_down
from tests.people.world import sent
from tests.records.idle import do_idle_jobs
from tests.records.makers import illegal, ingest, joined, text
from tests.records.statistics.naive.games import Seen

pytestmark = pytest.mark.long

TAGS = (
    "",
    '[Event "Kyoto Open"]\n[Date "2026-02-03"]\n',
    '[Event "kyoto  OPEN"]\n[Date "2026-02-??"]\n',
    '[Event "Nara"]\n[Date "2026-??-??"]\n',
)
LEVELS = (Visibility.WITHDRAWN, Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC)


@cache
def short(kind: str, tags: int) -> str:
    """Return a game of one month: ``kind`` is a seed and w (wrong claim) or i (wrong move)."""
    seed = int(kind[0])
    options = {"months": "1"}
    game = (
        simulate("ten-five-one", seed=seed, players=4, options=options)
        if seed == 3
        else simulate("koikoi", seed=seed, options=options)
    )
    if kind.endswith("w"):
        game.months[0].score = tuple(99 for _ in game.players)
    written = write(game)
    if kind.endswith("i"):
        written = written.replace("\nscore ", "\n=torikeshi 1\nscore ", 1)
    first, rules, players = written.split("\n", 2)
    return f"{first}\n{rules}\n{players.replace('[Player1', f'{TAGS[tags]}[Player1', 1)}"


def load_standings() -> dict[tuple[str, str], list[int]]:
    """Load the rows of standings that are not empty."""
    rows = Standing.objects.select_related("player")
    return {(row.player.name, row.ruleset): row.sums for row in rows if any(row.sums)}


def compute_standings() -> dict[tuple[str, str], list[int]]:
    """Compute the same rows from the texts of all public games."""
    standings: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 7)
    for record in Record.objects.filter(visibility=Visibility.PUBLIC, status__in=COUNTED):
        seen = Seen(record.text, verify(read(record.text)).verdict.to_json())
        for seat, name in enumerate(seen.game.players):
            row = standings[name, seen.rules]
            row[0] += 1
            if seen.final is None:
                continue
            final = seen.final[seat]
            place = 1 + sum(other > final for other in seen.final)
            shared = seen.final.count(final) > 1
            more = (1, place == 1 and not shared, place == 1 and shared, final, final**2, place)
            row[1:] = [old + int(new) for old, new in zip(row[1:], more, strict=True)]
    return dict(standings)


def count_facts() -> dict[str, tuple[int, int]]:
    """Return the games and deals that figures count, by ruleset."""
    counts = {}
    for ruleset in ("koikoi", "ten-five-one"):
        gathered = gather(Question(ruleset))
        if gathered.games:
            counts[ruleset] = gathered.games, gathered.deals
    return counts


def sound() -> None:
    """Check that standings and facts are those of the public games."""
    assert load_standings() == compute_standings()
    assert list(totals_check.differences()) == []
    do_idle_jobs("facts")
    expected: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for record in Record.objects.filter(visibility=Visibility.PUBLIC, status__in=COUNTED):
        games, deals = expected[record.ruleset]
        expected[record.ruleset] = games + 1, deals + (record.deals_played or 0)
    assert count_facts() == expected


kinds = st.sampled_from(("1", "1w", "2", "2w", "2i", "3", "3w"))
owners = st.sampled_from((None, "aya", "ben"))
steps = st.one_of(
    st.tuples(
        st.just("send"), st.tuples(kinds, st.integers(0, 3)), owners, st.sampled_from(LEVELS[1:])
    ),
    st.tuples(st.just("decide"), owners.filter(bool), st.sampled_from(LEVELS)),
    st.tuples(st.sampled_from(("take down", "reverify", "opt out"))),
)


def user(name: str) -> Any:
    """Return a user, who may exist already."""
    return get_user_model().objects.get_or_create(username=name)[0]


def do(step: Any) -> None:
    """Do one change of an archive."""
    match step:
        case ("send", (kind, tags), owner, level):
            owned = user(owner) if owner else None
            sent(short(kind, tags), owner=owned, visibility=level if owned else Visibility.PUBLIC)
        case ("decide", owner, level):
            games = Record.objects.order_by("identity").values_list("pk", flat=True)[:2]
            change_visibility(owner=user(owner).pk, records=list(games), visibility=level)
        case ("take down",):
            take_down(list(Record.objects.order_by("identity").values_list("pk", flat=True)[:1]))
        case ("reverify",):
            reverify.forget_all()
            list(reverify.reverify())
        case ("opt out",):
            Player.objects.update(statistics=False)


class AnyOrder(TestCase):
    """Properties of any history of changes."""

    @settings(max_examples=examples(6))
    @given(st.lists(steps, min_size=1, max_size=6))
    def test_standings_and_facts_are_those_of_the_public_games(self, history: list[Any]) -> None:
        for step in history:
            do(step)
        sound()

    @settings(max_examples=100 if LONG else 1)
    @example(games=["1w", "1", "2i", "2"])
    @given(st.lists(kinds, min_size=2, max_size=6))
    def test_standings_do_not_depend_on_the_order_of_uploads(self, games: list[str]) -> None:
        standings = []
        for order in (games, games[::-1]):
            with transaction.atomic():
                for kind in order:
                    sent(short(kind, 1))
                standings.append(load_standings())
                transaction.set_rollback(True)
        assert standings[0] == standings[1]


# One at a time ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_game_counts_while_it_is_public() -> None:
    owner = get_user_model().objects.create_user("owner")
    sent(short("1", 1), owner=owner)
    assert set(load_standings()) == {("Aya", "koikoi"), ("Ben", "koikoi")}
    assert count_facts() == {"koikoi": (1, 1)}
    pk = Record.objects.get().pk
    for level in (Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN):
        change_visibility(owner=owner.pk, records=[pk], visibility=level)
        assert load_standings() == {} and count_facts() == {}
    sent(short("1", 1), owner=owner)
    assert len(load_standings()) == 2
    sound()


def ask(*arguments: str) -> tuple[int, str]:
    """Return status and output of ``manage.py statistics``."""
    out = StringIO()
    try:
        call_command("statistics", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.django_db
def test_wrong_standings_are_reported_and_rebuilt() -> None:
    ingest(joined(text(1), text(2), illegal(3)), short("3", 1).encode())
    do_idle_jobs("ratings")
    assert ask("--check") == (0, "differences: 0\n")
    expected = load_standings()
    row = Standing.objects.filter(ruleset="koikoi").first()
    assert row is not None
    row.sums[0] += 1
    row.save()
    Standing.objects.filter(ruleset="ten-five-one").delete()
    status, output = ask("--check")
    assert status == 1
    assert f"standing {row}: " in output and "it is missing" in output
    assert ask("--rebuild")[0] == 0
    do_idle_jobs("ratings")
    assert ask("--check") == (0, "differences: 0\n")
    assert load_standings() == expected
