"""The sums over many games: whatever is stored, taken back and judged again, they are exact."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import EXAMPLES
from records.base.keys import fold
from records.base.sums import Tally, add_tally, only
from records.models import GameTally, Player, Record, Rollup, Standing, Visibility
from records.models.statistics import TOTAL
from records.operations import reverify, totals_check
from records.store.ownership import change_visibility, take_down
from records.totals.tally import COUNTED, tally
from tests.conftest import Environment, Hana
from tests.people.test_at_once import run_at_once
from tests.people.world import sent
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score
from tests.records.statistics.naive.games import Seen
from tests.records.work.ledger import Ledger

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
    """A game of one month: ``kind`` has a seed, and w for a wrong claim or i for a wrong move."""
    seed = int(kind[0])
    options = {"months": "1"}
    game = (
        simulate("ten-five-one", seed=seed, players=4, options=options)
        if seed == 3
        else simulate("koikoi", seed=seed, options=options)
    )
    if kind.endswith("w"):
        game.months[0].score = tuple(99 for _ in game.players)
    found = write(game)
    if kind.endswith("i"):
        found = found.replace("\nscore ", "\n=torikeshi 1\nscore ", 1)
    first, rules, rest = found.split("\n", 2)
    return f"{first}\n{rules}\n{rest.replace('[Player1', f'{TAGS[tags]}[Player1', 1)}"


def kept() -> dict[Scope, Tally]:
    """The rows of sums that are not empty."""
    return {
        (
            row.player.name if row.player else "",
            *(row.event, row.ruleset, row.profile, row.options, row.month),
        ): row.sums
        for row in Rollup.objects.select_related("player")
        if row.sums
    }


def added_up() -> dict[Scope, Tally]:
    """The same from the texts of all public games."""
    found: dict[Scope, Tally] = defaultdict(dict)
    for record in Record.objects.filter(visibility=Visibility.PUBLIC, status__in=COUNTED):
        verification = verify(read(record.text), facts=True)
        seen, sums = Seen(record.text, verification.verdict.to_json()), tally(verification)
        options = " ".join(f"{name}={one}" for name, one in sorted(seen.game.options.items()))
        house = seen.rules, seen.profile, options
        for month in (seen.month, TOTAL):
            add_tally(found["", "", *house, month], sums)
        if seen.month:
            add_tally(found["", "", *house, -(seen.month // 100) * 100], sums)
        for name in set(seen.game.players):
            add_tally(found[name, "", *house, seen.month], only(sums, seen.seats(name)))
        if seen.event:
            add_tally(found["", fold(seen.event), *house, seen.month], sums)
    return {scope: sums for scope, sums in found.items() if sums}


def sound() -> None:
    """Every row of sums is right, and the archive's own check finds it so."""
    assert kept() == added_up()
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
    """A user, who may be there already."""
    return get_user_model().objects.get_or_create(username=name)[0]


def do(step: Any) -> None:
    """One thing that may happen to an archive."""
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
    """On SQLite, in this process."""

    @settings(max_examples=EXAMPLES // 2)
    @given(st.lists(steps, min_size=1, max_size=8))
    def test_the_sums_are_those_of_the_public_games(self, history: list[Any]) -> None:
        for step in history:
            do(step)
        sound()

    @settings(max_examples=EXAMPLES // 4)
    @given(st.lists(kinds, min_size=2, max_size=6), st.randoms())
    def test_the_order_of_what_comes_in_does_not_matter(
        self, games: list[str], chance: random.Random
    ) -> None:
        shuffled = list(games)
        chance.shuffle(shuffled)
        found = []
        for order in (games, shuffled, games[::-1] + shuffled):
            with transaction.atomic():
                for kind in order:
                    sent(short(kind, 1))
                found.append(kept())
                transaction.set_rollback(True)
        assert found[0] == found[1] == found[2]


# One at a time ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_game_counts_while_it_is_public() -> None:
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
    assert sorted((s[0], s[1], s[5]) for s in kept()) == sorted(scopes)
    pk = Record.objects.get().pk
    for level in (Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN):
        change_visibility(owner=owner.pk, records=[pk], visibility=level)
        assert kept() == {}
        assert GameTally.objects.filter(counted=False).count() == 1
    versions = Rollup.objects.order_by("key").values_list("version", flat=True)
    before = list(versions.all())
    sent(short("1", 1), owner=owner)
    assert len(kept()) == 6
    assert all(now > then for now, then in zip(versions, before, strict=True))
    sound()


@pytest.mark.django_db
def test_a_player_has_the_sums_of_their_seats_only() -> None:
    sent(short("1", 0))
    aya = kept()["Aya", "", "koikoi", "koikoi", "months=1", 0]
    assert sorted(aya) == ["0", "1"]


@pytest.mark.django_db
def test_nothing_is_written_where_nothing_changes() -> None:
    ingest(joined(text(1), illegal(2)))
    before = list(Rollup.objects.values_list("key", "version", "changed").order_by("key"))
    ingest(joined(text(1), with_wrong_score(1), illegal(2)))
    reverify.forget_all()
    list(reverify.reverify())
    assert list(Rollup.objects.values_list("key", "version", "changed").order_by("key")) == before


def ask(*arguments: str) -> tuple[int, str]:
    """Status and output of ``manage.py statistics``."""
    out = StringIO()
    try:
        call_command("statistics", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("replay", [(), ("--replay",)])
def test_differences_are_reported_and_corrected(replay: tuple[str, ...]) -> None:
    ingest(joined(text(1), text(2), illegal(3)), short("3", 1).encode())
    assert ask("--check", "--replay") == (0, "games: 3\ndifferences: 0\n")
    right = kept()
    row = Rollup.objects.get(month=TOTAL, ruleset="koikoi")
    row.sums["0"]["games"]["all"][1] += 1
    row.save()
    Rollup.objects.filter(event="kyoto open").delete()
    status, said = ask("--check")
    assert status == 1
    deals = right["", "", "koikoi", "koikoi", "", TOTAL]["0"]["games"]["all"][1]
    assert f"place 0, games all: [2, {deals + 1}, " in said
    assert "kyoto open" in said
    assert ask("--rebuild", *replay)[0] == 0
    assert ask("--check", "--replay")[0] == 0
    assert kept() == right


@pytest.mark.django_db
def test_what_a_game_adds_is_compared_with_its_text() -> None:
    ingest(text(1).encode())
    row = GameTally.objects.get()
    row.sums["1"]["seat"]["all"][0] = 7
    row.month = 202601
    row.counted = False
    row.save()
    told = list(totals_check.differences(replay=True))
    assert any("place 1, seat all: [7, " in one for one in told)
    assert any("of 202601 '', is 0 ''" in one for one in told)
    assert any("counted: False" in one for one in told)
    assert ask("--rebuild", "--replay")[0] == 0
    sound()


@pytest.mark.django_db
def test_an_archive_of_before_gets_its_statistics() -> None:
    ingest(joined(*map(text, range(1, 4)), illegal(4)))
    right = kept()
    GameTally.objects.all().delete()
    Rollup.objects.all().delete()
    Standing.objects.all().delete()
    assert "games whose sums are missing: 3" in next(totals_check.differences())
    assert list(totals_check.fill()) == [3]
    assert list(totals_check.fill()) == []
    assert kept() == right
    sound()


#: Both send the same games of the same players at once, publicly and not, and change their minds.
SENDER = """
    import random
    from django.contrib.auth.models import User
    from records.store.ownership import change_visibility
    from records.models import Record
    from tests.people.world import sent
    from tests.records.totals.test_books import TAGS, short
    chance = random.Random({seed})
    owner = User.objects.get_or_create(username="user{seed}")[0]
    games = [(kind, tags) for kind in ("1", "1w", "2", "3") for tags in range(len(TAGS))]
    for turn in range(10):
        chosen = [short(*one) for one in chance.sample(games, 6)]
        sent(*chosen, owner=owner, visibility=chance.choice([1, 2, 3, 3]))
        pks = list(Record.objects.values_list("pk", flat=True))
        level = chance.choice([0, 1, 3])
        change_visibility(owner=owner.pk, records=chance.sample(pks, 1), visibility=level)
"""
CHECK = """
    from tests.records.totals.test_books import kept, sound
    sound()
    from records.models import GameTally
    print("games", GameTally.objects.count())
"""


def test_two_at_once(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    assert run_at_once(hana, env, SENDER, CHECK).split() == ["games", "12"]


def test_the_sweep_fills_an_archive_of_before(
    hana: Hana, hana_env: Callable[..., Environment], tmp_path: Path
) -> None:
    env, file = hana_env(), tmp_path / "games.kafu"
    file.write_bytes(joined(text(1), text(2)))
    hana("ingest", str(file), env=env)
    ledger = Ledger(env)
    for table in ("gametally", "rollup", "standing"):
        ledger.do(f"DELETE FROM records_{table}")
    hana.start("sweep", "--every=1", env=env)
    ledger.wait(lambda: ledger.number("SELECT count(*) FROM records_gametally") == 2)
    assert "differences: 0" in hana("statistics", "--check", "--replay", env=env).stdout
