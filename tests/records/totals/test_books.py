"""The sums over many games: whatever is stored, taken back and judged again, they are exact."""

from __future__ import annotations

import signal
from collections import defaultdict
from functools import cache
from io import StringIO
from threading import Event
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from hanaarchive.management.commands import sweep
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, examples
from records.base.keys import fold
from records.base.sums import Tally, add_tally, only
from records.models import GameTally, Player, Record, Rollup, Standing, Visibility
from records.models.statistics import TOTAL
from records.operations import reverify, totals_check
from records.store.ownership import change_visibility, take_down
from records.totals.tally import COUNTED, tally
from tests.people.world import sent
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score
from tests.records.statistics.naive.games import Seen

pytestmark = pytest.mark.long

Scope = tuple[str, str, str, str, str, int]
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


def load_sums() -> dict[Scope, Tally]:
    """Load the rows of sums that are not empty."""
    return {
        (
            row.player.name if row.player else "",
            *(row.event, row.ruleset, row.profile, row.options, row.month),
        ): row.sums
        for row in Rollup.objects.select_related("player")
        if row.sums
    }


def compute_sums() -> dict[Scope, Tally]:
    """Compute the same sums from the texts of all public games."""
    sums_by_scope: dict[Scope, Tally] = defaultdict(dict)
    for record in Record.objects.filter(visibility=Visibility.PUBLIC, status__in=COUNTED):
        verification = verify(read(record.text), facts=True)
        seen, sums = Seen(record.text, verification.verdict.to_json()), tally(verification)
        options = " ".join(f"{name}={value}" for name, value in sorted(seen.game.options.items()))
        house = seen.rules, seen.profile, options
        for month in (seen.month, TOTAL):
            add_tally(sums_by_scope["", "", *house, month], sums)
        if seen.month:
            add_tally(sums_by_scope["", "", *house, -(seen.month // 100) * 100], sums)
        for name in set(seen.game.players):
            add_tally(sums_by_scope[name, "", *house, seen.month], only(sums, seen.seats(name)))
        if seen.event:
            add_tally(sums_by_scope["", fold(seen.event), *house, seen.month], sums)
    return {scope: sums for scope, sums in sums_by_scope.items() if sums}


def sound() -> None:
    """Check that every row of sums is right, and that the archive's own check reports nothing."""
    assert load_sums() == compute_sums()
    assert list(totals_check.differences(replay=True)) == []


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
    def test_sums_are_those_of_the_public_games(self, history: list[Any]) -> None:
        for step in history:
            do(step)
        sound()

    @settings(max_examples=100 if LONG else 1)
    @example(games=["1w", "1", "2i", "2"])
    @given(st.lists(kinds, min_size=2, max_size=6))
    def test_sums_do_not_depend_on_the_order_of_uploads(self, games: list[str]) -> None:
        sums = []
        for order in (games, games[::-1]):
            with transaction.atomic():
                for kind in order:
                    sent(short(kind, 1))
                sums.append(load_sums())
                transaction.set_rollback(True)
        assert sums[0] == sums[1]


# One at a time ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_game_counts_while_it_is_public() -> None:
    owner = get_user_model().objects.create_user("owner")
    sent(short("1", 1), owner=owner)
    scopes = [
        ("", "", TOTAL),
        ("", "", -202600),
        ("", "", 202602),
        ("", "kyoto open", 202602),
        ("Aya", "", 202602),
        ("Ben", "", 202602),
    ]
    assert sorted((s[0], s[1], s[5]) for s in load_sums()) == sorted(scopes)
    pk = Record.objects.get().pk
    for level in (Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN):
        change_visibility(owner=owner.pk, records=[pk], visibility=level)
        assert load_sums() == {}
        assert GameTally.objects.filter(counted=False).count() == 1
    versions = Rollup.objects.order_by("key").values_list("version", flat=True)
    before = list(versions.all())
    sent(short("1", 1), owner=owner)
    assert len(load_sums()) == 6
    assert all(now > then for now, then in zip(versions, before, strict=True))
    sound()


@pytest.mark.django_db
def test_player_has_the_sums_of_their_seats_only() -> None:
    sent(short("1", 0))
    aya = load_sums()["Aya", "", "koikoi", "koikoi", "months=1", 0]
    assert sorted(aya) == ["0", "1"]


@pytest.mark.django_db
def test_unchanged_sums_are_not_written() -> None:
    ingest(joined(text(1), illegal(2)))
    before = list(Rollup.objects.values_list("key", "version", "changed").order_by("key"))
    ingest(joined(text(1), with_wrong_score(1), illegal(2)))
    reverify.forget_all()
    list(reverify.reverify())
    assert list(Rollup.objects.values_list("key", "version", "changed").order_by("key")) == before


def ask(*arguments: str) -> tuple[int, str]:
    """Return status and output of ``manage.py statistics``."""
    out = StringIO()
    try:
        call_command("statistics", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("replay", [(), ("--replay",)])
def test_wrong_rows_are_reported_and_rebuilt(replay: tuple[str, ...]) -> None:
    ingest(joined(text(1), text(2), illegal(3)), short("3", 1).encode())
    assert ask("--check", "--replay") == (0, "games: 3\ndifferences: 0\n")
    expected = load_sums()
    row = Rollup.objects.get(month=TOTAL, ruleset="koikoi")
    row.sums["0"]["games"]["all"][1] += 1
    row.save()
    Rollup.objects.filter(event="kyoto open").delete()
    status, output = ask("--check")
    assert status == 1
    deals = expected["", "", "koikoi", "koikoi", "", TOTAL]["0"]["games"]["all"][1]
    assert f"place 0, games all: [2, {deals + 1}, " in output
    assert "kyoto open" in output
    assert ask("--rebuild", *replay)[0] == 0
    assert ask("--check", "--replay")[0] == 0
    assert load_sums() == expected


@pytest.mark.django_db
def test_tally_that_differs_from_its_game_is_reported_and_rebuilt() -> None:
    ingest(text(1).encode())
    row = GameTally.objects.get()
    row.sums["1"]["seat"]["all"][0] = 7
    row.month = 202601
    row.counted = False
    row.save()
    differences = list(totals_check.differences(replay=True))
    assert any("place 1, seat all: [7, " in difference for difference in differences)
    assert any("of 202601 '', is 0 ''" in difference for difference in differences)
    assert any("counted: False" in difference for difference in differences)
    assert ask("--rebuild", "--replay")[0] == 0
    sound()


class OneRound(Event):
    """An event that is set by the first wait for it."""

    def wait(self, timeout: float | None = None) -> bool:
        """Set the event."""
        self.set()
        return True


@pytest.mark.django_db
def test_missing_sums_are_reported_and_added_by_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(joined(*map(text, range(1, 4)), illegal(4)))
    before = load_sums()
    for model in (GameTally, Rollup, Standing):
        model._default_manager.all().delete()
    assert "games whose sums are missing: 3" in next(totals_check.differences())
    monkeypatch.setattr(sweep, "Event", OneRound)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    call_command("sweep")
    assert list(totals_check.fill()) == []
    assert load_sums() == before
    sound()
