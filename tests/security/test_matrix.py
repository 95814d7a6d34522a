"""Marks (words and names) permitted in responses, by address, state of a game and viewer.

Two accounts send a game of each state. The sender publishes and then hides it; the other holder
sends it in private. Each writes separate comments and a separate event, found only in the own text.
All addresses are requested while the games are public, and again after hiding: first by viewers who
may see the games, then by the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.conf import LazySettings
from django.core.cache import cache, caches
from django.test import Client
from django.urls import reverse

from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from records.ingest.ownership import change_visibility, take_down
from records.models import Player, Record, Upload, Visibility
from records.services import removals, visibility
from records.services.pseudonyms import set_pseudonym
from records.serving.limits import GROUPS
from tests.people.world import sent, session, user
from tests.security.addresses import Address, ArchiveKeys, addresses, body_of
from turns import put_card

pytestmark = pytest.mark.django_db

SENDER, HOLDER, OTHER, STAFF, STRANGER = "sender", "holder", "other", "staff", "stranger"
PUBLIC, UNLISTED, PRIVATE = "Public", "Unlisted", "Private"
WITHDRAWN, TAKEN, RENAMED = "Withdrawn", "Taken", "Renamed"
STATES: Final = (PUBLIC, UNLISTED, PRIVATE, WITHDRAWN, TAKEN, RENAMED)
HIDDEN: Final = (PRIVATE, WITHDRAWN, TAKEN)
#: Permitted viewers come first, so that their cached responses exist when forbidden viewers request
#: them.
VIEWERS: Final = (SENDER, STAFF, HOLDER, OTHER, STRANGER)
#: Addresses whose responses have a game's words, and addresses with its players.
WORDY: Final = ("game", "kafu", "api:record", "api:record-kafu", "check")
NAMING: Final = (*WORDY, "replay", "frame", "embed", "moves", "sheet", "sheet-csv", "oembed")
NAMING_API: Final = ("api:record-replay", "api:record-sheet")
#: Addresses of an upload with quotations of its games.
QUOTING: Final = ("report", "check")
#: A rate limit that no test reaches.
UNLIMITED: Final = (10**9, 60)


@dataclass
class StateGames:
    """A legal and an illegal game of one state, sent by two accounts."""

    state: str
    record: str = ""
    player: str = ""
    upload: str = ""
    private: str = ""

    @property
    def name(self) -> str:
        """The player at seat 1, who has no games of other states."""
        return f"Markname {self.state}"

    @property
    def words(self) -> str:
        """The word in the sender's comments and event."""
        return f"markword{self.state.lower()}"

    @property
    def holders(self) -> str:
        """The word in the comments and event of the other holder."""
        return f"marknote{self.state.lower()}"

    def text(self, seed: int, word: str, *, legal: bool) -> str:
        """Return a short game with a word in its comments and event."""
        game = simulate("koikoi", seed=seed, options={"months": "1"})
        game.players = (self.name, "Ben")
        game.tags["Event"] = f"Mark {word} event"
        game.notes["head"] = [f"{word} head"]
        month = next(month for month in game.months if month.turns)
        turn = month.turns[0]
        turn.comments = [f"{word} turn"]
        if not legal:
            put_card(turn, month.hands[3 - month.dealer][0])
        return write(game)

    def texts(self, word: str) -> list[str]:
        """Return both games."""
        seed = 2 * STATES.index(self.state) + 1
        return [self.text(seed, word, legal=True), self.text(seed + 1, word, legal=False)]


@dataclass
class Archive:
    """The games of all states, and a browser of each viewer."""

    games: dict[str, StateGames] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    users: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for viewer in VIEWERS:
            self.users[viewer] = user(viewer, staff=viewer == STAFF) if viewer != STRANGER else None
            self.clients[viewer] = session(self.users[viewer])
        for state in STATES:
            games = self.games[state] = StateGames(state)
            upload = sent(*games.texts(games.words), owner=self.users[SENDER])
            private = sent(
                *games.texts(games.holders), owner=self.users[HOLDER], visibility=Visibility.PRIVATE
            )
            games.upload, games.private = upload.key, private.key
            games.record = Record.objects.get(submissions__upload=upload, status="verified").key
            games.player = Player.objects.get(name=games.name).key

    def hide(self) -> None:
        """Give every game its state; the uploads stay public."""
        for state, games in self.games.items():
            rows = Record.objects.filter(submissions__upload__key=games.upload)
            records = list(rows.values_list("pk", flat=True))
            if state == TAKEN:
                take_down(records)
            elif state == RENAMED:
                set_pseudonym(Player.objects.get(name=games.name), "Wisteria")
            elif state != PUBLIC:
                level = Visibility[state.upper()]
                change_visibility(owner=self.users[SENDER].pk, records=records, visibility=level)
        assert set(Upload.objects.values_list("visibility", flat=True)) == {
            Visibility.PUBLIC,
            Visibility.PRIVATE,
        }


@dataclass(frozen=True)
class Place:
    """An address, with the state and the upload of its subject, None for lists."""

    name: str
    path: str
    state: str = ""
    upload: str = ""


def places(archive: Archive) -> list[Place]:
    """Return every address, for every state."""
    by_path: dict[str, Place] = {}
    for games in archive.games.values():
        renamed = Player.objects.filter(real_name=games.name).values_list("key", flat=True)
        keys = ArchiveKeys([games.record], [games.upload, games.private], [games.player, *renamed])
        for address in addresses(keys):
            if not _is_left_out(address):
                by_path[address.path] = _place(games, address.name, address.path)
        for path in _additional_paths(games):
            name = "check" if path.startswith(("/check/", "/records/new")) else "additional"
            by_path[path] = _place(games, name, path)
    for path in _LISTS:
        by_path[path] = Place("list", path)
    return list(by_path.values())


#: Addresses with the same responses for every archive, and pictures, which have no text.
#: Permissions for pictures are tested in tests/records/pages/test_permissions.py.
_WITHOUT_TEXT: Final = (
    *("animation", "strip", "picture", "favicon", "api:schema", "api:cards", "manifest"),
    *("game-preview", "sheet-preview", "player-preview", "study-preview", "statistics-preview"),
    *("page-preview", "statistics-home-preview"),
)


def _is_left_out(address: Address) -> bool:
    """Return whether an address is of another ruleset, belongs to another test, or has no text.

    In `make test-long` addresses without text are requested too.
    """
    if address.name in _WITHOUT_TEXT and not LONG:
        return True
    if any(f"/{rules}/" in f"{address.path}/" for rules in RULES if rules != "koikoi"):
        return True
    return "evil" in address.path or ("?" in address.path and address.name in QUOTING)


def _place(games: StateGames, name: str, path: str) -> Place:
    upload = next((key for key in (games.upload, games.private) if key in path), "")
    is_about_games = upload or games.record in path
    return Place(name, path, games.state if is_about_games else "", upload)


def _additional_paths(games: StateGames) -> Iterator[str]:
    for upload in (games.upload, games.private):
        yield from (f"/check/?upload={upload}&file=1&game={number}" for number in (1, 2))
    yield f"/uploads/{games.upload}/?status=illegal"
    yield from (f"{page}?record={games.record}" for page in ("/check/", "/records/new"))
    yield f"/sheets/new?record={games.record}"
    for form in ("kafu", "ndjson", "csv"):
        yield f"/api/v1/records/export.{form}?keys={games.record}"


_LISTS: Final = (
    *(
        "/games/?event=mark",
        "/players/?q=mark",
        "/players/suggest?q=mark",
        "/events/suggest?q=mark",
    ),
    *("/games/?sort=longest", "/games/?sort=score"),
    *(f"/api/v1/records.{form}?page_size=200&event=mark" for form in ("ndjson", "csv")),
    *(f"/api/v1/me/games.{form}" for form in ("kafu", "ndjson", "csv")),
    "/api/v1/me/games.ndjson?event=mark",
)


def may_see(games: StateGames, viewer: str, place: Place, *, hidden: bool) -> dict[str, bool]:
    """Return whether a viewer may see each mark of a state at an address, by the mark."""
    state = games.state if hidden else PUBLIC
    is_here = place.state == games.state
    words = viewer in (SENDER, STAFF) or state in (PUBLIC, RENAMED)
    words = words or (state == UNLISTED and (is_here or viewer == HOLDER))
    # Both holders know the players; in an upload only the sender sees real names.
    name = words or viewer == HOLDER
    if state == RENAMED:
        sender = SENDER if place.upload == games.upload else HOLDER
        name = bool(place.upload) and is_here and viewer in (STAFF, sender)
    return {games.words: words, games.name: name, games.holders: viewer in (HOLDER, STAFF)}


def must_see(games: StateGames, viewer: str, place: Place, *, hidden: bool) -> list[str]:
    """Return the marks of a state that a viewer must see at an address."""
    state = games.state if hidden else PUBLIC
    if place.state != games.state:
        return []
    if place.upload:
        is_senders = place.upload == games.upload
        if place.name not in QUOTING:
            return []
        if viewer == STAFF or viewer == (SENDER if is_senders else HOLDER):
            return [games.words if is_senders else games.holders]
        return [games.words] if is_senders and state in (PUBLIC, UNLISTED) else []
    if place.name not in (*NAMING, *NAMING_API):
        return []
    word = games.words
    if state in (PRIVATE, WITHDRAWN) and viewer == HOLDER:
        word = games.holders
    elif state in HIDDEN and not (viewer == STAFF or (viewer == SENDER and state == PRIVATE)):
        return []
    marks = [word] if place.name in WORDY else []
    return marks if state == RENAMED or place.name in NAMING_API else [*marks, games.name]


@pytest.fixture
def archive(settings: LazySettings, db: None) -> Archive:
    """Return the archive while all games are public."""
    settings.RATES = dict.fromkeys(GROUPS, UNLIMITED)
    return Archive()


def find_faults(
    archive: Archive, viewer: str, addressed: list[Place], *, hidden: bool
) -> list[str]:
    """Request addresses as a viewer. Return forbidden marks found, and missing marks.

    Every 48th address is requested, different ones by each viewer; in `make test-long` all.
    """
    faults = []
    request: Callable[[str], Any] = archive.clients[viewer].get
    for place in part(addressed[VIEWERS.index(viewer) :], one_of=48):
        response = request(place.path)
        body = body_of(response).decode(errors="replace")
        assert response.status_code not in (429, 500, 503), (place.path, response.status_code)
        for games in archive.games.values():
            allowed = may_see(games, viewer, place, hidden=hidden)
            faults += [
                f"{viewer} sees {mark!r} at {place.path}"
                for mark, is_allowed in allowed.items()
                if mark in body and not is_allowed
            ]
            faults += [
                f"{viewer} does not see {mark!r} at {place.path} ({response.status_code})"
                for mark in must_see(games, viewer, place, hidden=hidden)
                if mark not in body
            ]
    return faults


def test_each_viewer_sees_what_the_state_of_a_game_permits(archive: Archive) -> None:
    # Responses for these requests are cached.
    assert find_faults(archive, STRANGER, places(archive), hidden=False) == []
    archive.hide()
    addressed = places(archive)
    faults = [
        fault
        for viewer in VIEWERS
        for fault in find_faults(archive, viewer, addressed, hidden=True)
    ]
    assert faults == []


#: States of the former text of a corrected game.
WITHDRAWN_UPLOAD, TAKEN_UPLOAD = "WithdrawnUpload", "TakenUpload"
FORMER_STATES: Final = (PUBLIC, PRIVATE, WITHDRAWN_UPLOAD, TAKEN, TAKEN_UPLOAD, RENAMED)


@dataclass
class Correction:
    """A game with a word and a name in its comments, and a public correction without them."""

    state: str
    owner: Any
    former: Record = field(init=False)
    fresh: Record = field(init=False)

    def __post_init__(self) -> None:
        self.former = self._sent(f"{self.word} {self.name}", legal=False)

    @property
    def word(self) -> str:
        return f"markformer{self.state.lower()}"

    @property
    def name(self) -> str:
        return StateGames(self.state).name

    def correct(self) -> None:
        """Correct the game; in the state `PRIVATE` the owner hides it first."""
        if self.state == PRIVATE:
            change_visibility(
                owner=self.owner.pk, records=[self.former.pk], visibility=Visibility.PRIVATE
            )
        self.fresh = self._sent("corrected", legal=True, replaces=self.former.key)

    def hide(self) -> None:
        """Give the former game its state; jobs that remove an upload are not done yet."""
        upload = Upload.objects.get(submissions__record=self.former)
        if self.state == WITHDRAWN_UPLOAD:
            visibility.request_change(upload, Visibility.WITHDRAWN)
        elif self.state == TAKEN:
            take_down([self.former.pk])
        elif self.state == TAKEN_UPLOAD:
            removals.for_upload(upload)
        elif self.state == RENAMED:
            set_pseudonym(Player.objects.get(name=self.name), "Wisteria")

    def may_be_seen(self, viewer: str, mark: str) -> bool:
        """Return whether a viewer may see the word or the name in the former text."""
        if mark == self.name and self.state == RENAMED:
            return False
        return self.state in (PUBLIC, RENAMED) or viewer in (SENDER, STAFF)

    def paths(self, viewer: str) -> list[str]:
        """Return the addresses that quote the text; pages for the sender and visitors alone."""
        pages = ("game",) if viewer in (SENDER, STRANGER) else ()
        names = (*pages, "api:record-history")
        return [reverse(name, args=[self.fresh.key]) for name in names]

    def _sent(self, word: str, *, legal: bool, replaces: str = "") -> Record:
        seed = 101 + FORMER_STATES.index(self.state)
        text = StateGames(self.state).text(seed, word, legal=legal)
        upload = sent(text, owner=self.owner, replaces=replaces)
        record = upload.submissions.get().record
        assert record is not None
        return record


@pytest.mark.long_only  # tests/security/test_former_texts.py has each kind of hidden text
def test_former_text_is_quoted_only_to_those_who_may_see_it(settings: LazySettings) -> None:
    """Check responses cached before the text was hidden, and uncached responses."""
    settings.RATES = dict.fromkeys(GROUPS, UNLIMITED)
    settings.COST_MS = 10**9
    users = {viewer: user(viewer, staff=viewer == STAFF) for viewer in (SENDER, STAFF, OTHER)}
    corrections = [Correction(state, users[SENDER]) for state in FORMER_STATES]
    for correction in corrections:
        correction.correct()
        for path in correction.paths(STRANGER):
            assert Client().get(path).status_code == 200
        correction.hide()
    # Pages are cached for visitors without a session alone.
    faults = find_quotes(corrections, STRANGER, session(None))
    for viewer, account in users.items():
        faults += find_quotes(corrections, viewer, session(account))
    cache.clear()
    caches["responses"].clear()
    faults += find_quotes(corrections, STRANGER, session(None))
    assert faults == []


def find_quotes(corrections: list[Correction], viewer: str, browser: Client) -> list[str]:
    """Return marks of former texts that a viewer sees wrongly, or misses."""
    faults = []
    for correction in corrections:
        for path in correction.paths(viewer):
            body = body_of(browser.get(path)).decode()
            faults += [
                f"{viewer}: {mark!r} at {path}"
                for mark in (correction.word, f"{correction.word} {correction.name}")
                if (mark in body) != correction.may_be_seen(viewer, mark.split(" ", 1)[-1])
            ]
    return faults
