"""Facts follow every sequence of uploads, withdrawals and new verdicts."""

from __future__ import annotations

from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import examples
from records.ingest.ownership import change_visibility, take_down
from records.models import Player, Rating, Record, Visibility
from records.operations import reverify
from tests.people.world import sent
from tests.records.facts.naive import assert_right, count
from tests.records.idle import do_idle_jobs
from tests.records.makers import illegal, ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.long]

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
    """Return a new or existing user."""
    return get_user_model().objects.get_or_create(username=name)[0]


def do(step: Any) -> None:
    """Make one change of an archive."""
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


@pytest.mark.long_only  # the tests below and test_facts.py have each change
class AnyOrder(TestCase):
    """Properties of any history of changes."""

    @settings(max_examples=examples(6))
    @given(st.lists(steps, min_size=1, max_size=6))
    def test_facts_are_those_of_the_public_games(self, history: list[Any]) -> None:
        for step in history:
            do(step)
        assert_right()


# Single changes -----------------------------------------------------------------------------------


def test_game_counts_while_it_is_public() -> None:
    owner = get_user_model().objects.create_user("owner")
    sent(short("1", 1), owner=owner)
    assert count("games") == 1
    pk = Record.objects.get().pk
    for level in (Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN):
        change_visibility(owner=owner.pk, records=[pk], visibility=level)
        assert count("games") == 0
    sent(short("1", 1), owner=owner)
    assert_right()
    assert count("games") == 1


def ask(*arguments: str) -> tuple[int, str]:
    """Return status and output of ``manage.py statistics``."""
    out = StringIO()
    try:
        call_command("statistics", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.long_only  # statistics/test_ratings.py reports wrong rows
def test_wrong_ratings_are_reported_and_rebuilt() -> None:
    ingest(joined(text(1), text(2), illegal(3)), short("3", 1).encode())
    do_idle_jobs("ratings")
    assert ask("--check") == (0, "differences: 0\n")
    assert Rating.objects.update(rating=1.0)
    status, output = ask("--check")
    assert status == 1 and "should be" in output
    assert ask("--rebuild")[0] == 0
    do_idle_jobs("ratings")
    assert ask("--check") == (0, "differences: 0\n")
