"""Copies of a game: one of the games with the same first deal counts."""

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from kafu.comparing.copies import fingerprint, read_first_deal
from kafu.notation.game import Game
from kafu.notation.writer import write
from lengths import part
from records.base.keys import player_key
from records.facts.current import current_snapshot
from records.ingest import copies
from records.ingest.ownership import change_visibility, take_down, tidy
from records.ingest.receiving import Part, receive
from records.models import Record, Visibility
from records.operations import consistency, facts_check
from records.privacy.access import ANONYMOUS, Viewer
from tests.records.makers import UNSUPPORTED as SHEET
from tests.records.makers import do_idle, finish, ingest, simulate_months, text
from turns import put_card

pytestmark = pytest.mark.django_db


def change(edit: Callable[[Game], None], seed: int = 1) -> str:
    """Return the text of a simulated game after an edit."""
    game = simulate_months(seed)
    edit(game)
    return write(game)


def hide_hand(game: Game) -> None:
    """Hide the dealer's hand of the first month."""
    month = game.months[0]
    month.hands = month.hands | {1: "?" * len(month.hands[1])}


def cut_stock(game: Game) -> None:
    """Leave out the draw pile of the first month."""
    game.months[0].stock = None


def pause(game: Game) -> None:
    """End the record after the first month."""
    del game.months[1:]
    game.result = game.final = None
    game.tags["Termination"] = "unfinished"


def exchange_seats(game: Game) -> None:
    """Write the other player as the first."""
    game.players = game.players[::-1]
    game.result = game.final = None
    for month in game.months:
        month.dealer = 3 - month.dealer
        month.hands = {3 - seat: hand for seat, hand in month.hands.items()}
        month.score = None


def set_date(date: str) -> Callable[[Game], None]:
    """Return an edit that dates the game."""
    return lambda game: game.tags.update(Date=date)


def rename(*players: str) -> Callable[[Game], None]:
    """Return an edit that renames the players."""
    return lambda game: setattr(game, "players", players)


def store(game: str, visibility: int = Visibility.PUBLIC, owner: int | None = None) -> Record:
    """Store a game and return its record."""
    upload = receive(
        parts=[Part("1.kafu", (game.encode(),))],
        via="api",
        sender="",
        owner=owner,
        visibility=visibility,
    )
    finish(upload)
    record = upload.submissions.get().record
    assert record is not None
    return record


def counted() -> list[int]:
    """Return the primary keys of the games in statistics."""
    snapshot = current_snapshot()
    with snapshot.open_cursor() as cursor:
        rows = cursor.execute(f"SELECT game FROM {snapshot.source('games')} ORDER BY game")
        return [pk for (pk,) in rows.fetchall()]


@pytest.mark.usefixtures("without_facts")
@pytest.mark.parametrize(
    "edit",
    # `test_five_copies_count_once_in_any_order` has the edits that `make test` leaves out.
    part(
        [
            rename("Player 1", "Player 2"),
            set_date("2026-02-03"),
            hide_hand,
            cut_stock,
            exchange_seats,
            set_date("3 Feb 2026"),
            pause,
        ],
        one_of=4,
    ),
)
def test_copy_of_a_game_is_not_counted_again(edit: Callable[[Game], None]) -> None:
    first, second = store(text(1)), store(change(edit))
    assert first.pk != second.pk
    first.refresh_from_db()
    assert (first.copy_of_id, second.copy_of_id) in ((None, first.pk), (second.pk, None))


def test_five_copies_count_once_in_any_order() -> None:
    edits = [pause, hide_hand, set_date("2026-02-03"), cut_stock]
    for edit in edits:
        store(change(edit))
    whole = store(text(1))
    dated = Record.objects.get(date="2026-02-03")
    assert counted() == [dated.pk]
    whole.refresh_from_db()
    assert whole.copy_of_id == dated.pk
    assert not facts_check.check(lambda games: None).differences


def test_copies_in_one_upload_count_once() -> None:
    ingest("\n".join([change(pause), text(1), change(hide_hand), text(2)]).encode())
    assert len(counted()) == 2


def test_whole_verified_game_counts_instead_of_a_stored_part() -> None:
    beginning = store(change(pause))
    assert counted() == [beginning.pk]
    whole = store(text(1))
    assert counted() == [whole.pk]


def play_differently(game: Game) -> None:
    """Play another card first."""
    turn = game.months[0].turns[0]
    hand = game.months[0].hands[game.months[0].dealer]
    put_card(turn, next(card for card in hand if card != turn.value[0].card))


def play_as_others(game: Game) -> None:
    """Let other players play another card first."""
    play_differently(game)
    game.players = ("Chie", "Dan")


def exchange_cards(game: Game) -> None:
    """Exchange a card of the two hands."""
    first, second = game.months[0].hands[1], game.months[0].hands[2]
    game.months[0].hands = {1: first[:-1] + second[-1], 2: second[:-1] + first[-1]}


def show_only_the_field(game: Game) -> None:
    """Show nothing but the field of an unplayed deal."""
    month = game.months[0]
    month.hands = dict.fromkeys(month.hands, "????????")
    month.stock, month.turns = None, []


@pytest.mark.parametrize(
    ("edit", "is_same"),
    [
        (play_differently, True),
        (play_as_others, False),
        (exchange_cards, False),
        (show_only_the_field, False),
    ],
)
def test_deal_is_the_same_if_enough_known_cards_agree(
    edit: Callable[[Game], None], is_same: bool
) -> None:
    game, edited = simulate_months(1), simulate_months(1)
    edit(edited)
    assert fingerprint(game) == fingerprint(edited)
    first, other = (read_first_deal(form, player_key) for form in (game, edited))
    assert first.agrees(other) is is_same
    assert other.agrees(first) is is_same


def test_score_sheets_are_not_grouped() -> None:
    ingest(SHEET.encode())
    ingest(SHEET.replace("[Player1", '[Date "2026-02-03"]\n[Player1').encode())
    assert list(Record.objects.values_list("first_deal", "copy_of")) == [(None, None)] * 2


@pytest.fixture
def owner() -> int:
    """Return the primary key of an account."""
    return int(get_user_model().objects.create_user("aya").pk)


@pytest.mark.long_only  # the next test takes the counted game down
@pytest.mark.parametrize("level", part([Visibility.PRIVATE, Visibility.UNLISTED]))
def test_next_copy_counts_after_the_counted_game_is_hidden(owner: int, level: int) -> None:
    best = store(change(set_date("2026-02-03")), owner=owner)
    other = store(text(1))
    assert counted() == [best.pk]
    change_visibility(owner=owner, records=[best.pk], visibility=level)
    do_idle()
    assert counted() == [other.pk]
    change_visibility(owner=owner, records=[best.pk], visibility=Visibility.PUBLIC)
    do_idle()
    assert counted() == [best.pk]


def test_next_copy_counts_after_the_counted_game_is_taken_down() -> None:
    best, other = store(change(set_date("2026-02-03"))), store(text(1))
    take_down([best.pk])
    assert counted() == [other.pk]


def test_private_game_does_not_replace_a_public_copy(owner: int) -> None:
    public = store(change(pause))
    store(text(1), Visibility.PRIVATE, owner)
    assert counted() == [public.pk]


@pytest.mark.usefixtures("without_facts")
def test_only_findable_copies_are_named(owner: int) -> None:
    public = store(text(1))
    private = store(change(set_date("2026-02-03")), Visibility.PRIVATE, owner)
    unlisted = store(change(set_date("2026-02-04")), Visibility.UNLISTED)
    pks = [public.pk, private.pk, unlisted.pk]
    assert copies.find_copies(pks, ANONYMOUS) == {
        private.pk: [public.key],
        unlisted.pk: [public.key],
    }
    assert copies.find_copies([public.pk], Viewer(owner)) == {public.pk: [private.key]}
    assert len(copies.find_copies([public.pk], Viewer(staff=True))[public.pk]) == 2


@pytest.mark.long_only  # the sweep groups stored games below
def test_reverify_groups_games_stored_by_an_earlier_version() -> None:
    first, second = store(text(1)), store(change(set_date("2026-02-03")))
    Record.objects.update(first_deal=None, copy_of=None, engine_version="")
    assert len(counted()) == 2
    call_command("reverify", verbosity=0)
    do_idle()
    assert counted() == [second.pk]
    first.refresh_from_db()
    assert first.copy_of_id == second.pk
    assert not facts_check.check(lambda games: None).differences


def test_copies_stored_simultaneously_are_grouped_by_the_sweep() -> None:
    store(text(1))
    store(change(set_date("2026-02-03")))
    Record.objects.update(copy_of=None)
    assert len(counted()) == 2
    assert tidy() == 2
    assert len(counted()) == 1
    assert not tidy()


@pytest.mark.usefixtures("without_facts")
def test_wrong_groups_are_found_and_mended() -> None:
    first, second = store(text(1)), store(change(set_date("2026-02-03")))
    store(text(2))
    assert not list(consistency.find_faults())
    Record.objects.filter(pk=first.pk).update(copy_of=None)
    assert list(consistency.find_faults()) == [
        f"game {first.key}: it is in a wrong group of copies"
    ]
    assert consistency.mend() == 1
    Record.objects.filter(pk=second.pk).update(first_deal=1)
    assert f"game {second.key}: its first deal is another in its text" in set(
        consistency.find_faults()
    )
