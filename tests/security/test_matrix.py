"""Every address × what became of a game × who looks: whose words and names an answer has in it.

A game of each state is sent by two. The sender does so in public, and then hides it; its other
holder has it in private. Each writes comments and an event of their own, which only the text of
that one has. All games are looked at while they are public, and again once they are hidden: first
by those who may see them, then by those who may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from records.models import Player, Record, Upload, Visibility
from records.store import deferred, visibility
from records.store.ownership import change_visibility, take_down
from records.store.pseudonyms import give
from tests.people.world import sent, session, user
from tests.security.addresses import Address, Known, addresses, body_of

pytestmark = pytest.mark.django_db

SENDER, HOLDER, OTHER, STAFF, STRANGER = "sender", "holder", "other", "staff", "stranger"
PUBLIC, UNLISTED, PRIVATE = "Public", "Unlisted", "Private"
WITHDRAWN, TAKEN, RENAMED = "Withdrawn", "Taken", "Renamed"
STATES: Final = (PUBLIC, UNLISTED, PRIVATE, WITHDRAWN, TAKEN, RENAMED)
HIDDEN: Final = (PRIVATE, WITHDRAWN, TAKEN)
#: Those who may see come first: what is kept for them is then asked for by the others.
VIEWERS: Final = (SENDER, STAFF, HOLDER, OTHER, STRANGER)
#: Addresses on which a game is told with its words, and those that tell of its players.
WORDY: Final = ("game", "kafu", "api:record", "api:record-kafu", "check")
NAMING: Final = (*WORDY, "replay", "frame", "embed", "moves", "sheet", "sheet-csv", "oembed")
NAMING_API: Final = ("api:record-replay", "api:record-sheet")
#: Of an upload's games, those that quote one.
QUOTING: Final = ("report", "check")
#: How often anybody may ask is no matter here.
OFTEN: Final = (10**9, 60)


@dataclass
class Sent:
    """One state's games: a good one and an illegal one, as two people sent them."""

    state: str
    record: str = ""
    player: str = ""
    upload: str = ""
    private: str = ""

    @property
    def name(self) -> str:
        """Who sat at seat 1 of this state's games alone."""
        return f"Markname {self.state}"

    @property
    def words(self) -> str:
        """In the sender's comments and event."""
        return f"markword{self.state.lower()}"

    @property
    def holders(self) -> str:
        """In those of the other holder."""
        return f"marknote{self.state.lower()}"

    def text(self, seed: int, word: str, *, legal: bool) -> str:
        """A short game with this word in its comments and as its event."""
        game = simulate("koikoi", seed=seed, options={"months": "2"})
        game.players = (self.name, "Ben")
        game.tags["Event"] = f"Mark {word} event"
        game.notes["head"] = [f"{word} head"]
        month = next(month for month in game.months if month.turns)
        turn: Any = month.turns[0]
        turn.comments = [f"{word} turn"]
        if not legal:
            turn.play, turn.take = month.hands[3 - month.dealer][0], ""
        return write(game)

    def texts(self, word: str) -> list[str]:
        """Both games."""
        seed = 2 * STATES.index(self.state) + 1
        return [self.text(seed, word, legal=True), self.text(seed + 1, word, legal=False)]


@dataclass
class Archive:
    """The games of all states, and everybody who looks, each in a browser."""

    games: dict[str, Sent] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    users: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for who in VIEWERS:
            self.users[who] = user(who, staff=who == STAFF) if who != STRANGER else None
            self.clients[who] = session(self.users[who])
        for state in STATES:
            one = self.games[state] = Sent(state)
            upload = sent(*one.texts(one.words), owner=self.users[SENDER])
            private = sent(
                *one.texts(one.holders), owner=self.users[HOLDER], visibility=Visibility.PRIVATE
            )
            one.upload, one.private = upload.key, private.key
            one.record = Record.objects.get(submissions__upload=upload, status="verified").key
            one.player = Player.objects.get(name=one.name).key

    def hide(self) -> None:
        """Make every game what its state says; the uploads stay public."""
        for state, one in self.games.items():
            found = Record.objects.filter(submissions__upload__key=one.upload)
            records = list(found.values_list("pk", flat=True))
            if state == TAKEN:
                take_down(records)
            elif state == RENAMED:
                give(Player.objects.get(name=one.name), "Wisteria")
            elif state != PUBLIC:
                level = Visibility[state.upper()]
                change_visibility(owner=self.users[SENDER].pk, records=records, visibility=level)
        assert set(Upload.objects.values_list("visibility", flat=True)) == {
            Visibility.PUBLIC,
            Visibility.PRIVATE,
        }


@dataclass(frozen=True)
class Place:
    """An address, and the state and the upload that it is about (none, for a list of all)."""

    name: str
    path: str
    state: str = ""
    upload: str = ""


def places(archive: Archive) -> list[Place]:
    """Every address, for every state."""
    found: dict[str, Place] = {}
    for one in archive.games.values():
        renamed = Player.objects.filter(real_name=one.name).values_list("key", flat=True)
        known = Known([one.record], [one.upload, one.private], [one.player, *renamed])
        for address in addresses(known):
            if not _is_elsewhere(address):
                found[address.path] = _about(one, address.name, address.path)
        for path in _more(one):
            name = "check" if path.startswith(("/check/", "/records/new")) else "more"
            found[path] = _about(one, name, path)
    for path in _LISTS:
        found[path] = Place("list", path)
    return list(found.values())


def _is_elsewhere(address: Address) -> bool:
    """Whether it is about another ruleset than these games', or another test asks it.

    Months as pictures take long and hold no text; who may see them is asked in
    tests/records/pages/test_permissions.py, and in `make test-long` here too.
    """
    if address.name in ("animation", "strip") and not LONG:
        return True
    if any(f"/{rules}/" in f"{address.path}/" for rules in RULES if rules != "koikoi"):
        return True
    return "evil" in address.path or ("?" in address.path and address.name in QUOTING)


def _about(one: Sent, name: str, path: str) -> Place:
    upload = next((key for key in (one.upload, one.private) if key in path), "")
    is_here = upload or one.record in path
    return Place(name, path, one.state if is_here else "", upload)


def _more(one: Sent) -> Iterator[str]:
    for upload in (one.upload, one.private):
        yield from (f"/check/?upload={upload}&file=1&game={game}" for game in (1, 2))
    yield f"/uploads/{one.upload}/?status=illegal"
    yield from (f"{page}?record={one.record}" for page in ("/check/", "/records/new"))
    yield f"/sheets/new?record={one.record}"
    for form in ("kafu", "ndjson", "csv"):
        yield f"/api/v1/records/export?keys={one.record}&format={form}"


_LISTS: Final = (
    *(
        "/games/?event=mark",
        "/players/?q=mark",
        "/players/suggest?q=mark",
        "/events/suggest?q=mark",
    ),
    *("/games/?sort=longest", "/games/?sort=score", "/me/games/export?format=ndjson"),
    *(f"/api/v1/records?page_size=200&event=mark&format={form}" for form in ("ndjson", "csv")),
    *(f"/api/v1/me/games/export?format={form}" for form in ("kafu", "ndjson", "csv")),
    "/api/v1/me/games/export?format=ndjson&event=mark",
)


def may(one: Sent, who: str, place: Place, *, hidden: bool) -> dict[str, bool]:
    """Whether somebody may see each of a state's marks at an address: what the test is about."""
    state = one.state if hidden else PUBLIC
    here = place.state == one.state
    own = who in (SENDER, STAFF)
    words = own or state in (PUBLIC, RENAMED) or (state == UNLISTED and (here or who == HOLDER))
    # Both holders know the players; of an upload one must be the sender to be told a real name.
    name = words or who == HOLDER
    if state == RENAMED:
        sender = SENDER if place.upload == one.upload else HOLDER
        name = bool(place.upload) and here and who in (STAFF, sender)
    return {one.words: words, one.name: name, one.holders: who in (HOLDER, STAFF)}


def must(one: Sent, who: str, place: Place, *, hidden: bool) -> list[str]:
    """The marks that somebody must see at an address."""
    state = one.state if hidden else PUBLIC
    if place.state != one.state:
        return []
    if place.upload:
        mine = place.upload == one.upload
        if place.name not in QUOTING:
            return []
        if who == STAFF or who == (SENDER if mine else HOLDER):
            return [one.words if mine else one.holders]
        return [one.words] if mine and state in (PUBLIC, UNLISTED) else []
    if place.name not in (*NAMING, *NAMING_API):
        return []
    word = one.words
    if state in (PRIVATE, WITHDRAWN) and who == HOLDER:
        word = one.holders
    elif state in HIDDEN and not (who == STAFF or (who == SENDER and state == PRIVATE)):
        return []
    found = [word] if place.name in WORDY else []
    return found if state == RENAMED or place.name in NAMING_API else [*found, one.name]


@pytest.fixture
def archive(settings: LazySettings, db: None) -> Archive:
    """All games public still."""
    settings.RATES = dict.fromkeys(settings.RATES, OFTEN)
    return Archive()


def look(archive: Archive, who: str, *, hidden: bool) -> list[str]:
    """Walk the addresses as somebody, every seventh one, the next viewer others; in
    `make test-long` all. What is told to them that must not be, and what is not.
    """
    wrong = []
    read: Callable[[str], Any] = archive.clients[who].get
    for place in part(places(archive)[VIEWERS.index(who) :], one_of=7):
        answer = read(place.path)
        told = body_of(answer).decode(errors="replace")
        assert answer.status_code not in (429, 500, 503), (place.path, answer.status_code)
        for one in archive.games.values():
            allowed = may(one, who, place, hidden=hidden)
            wrong += [
                f"{who} is told {mark!r} at {place.path}"
                for mark, is_allowed in allowed.items()
                if mark in told and not is_allowed
            ]
            wrong += [
                f"{who} is not told {mark!r} at {place.path} ({answer.status_code})"
                for mark in must(one, who, place, hidden=hidden)
                if mark not in told
            ]
    return wrong


def test_everybody_sees_what_the_rule_says_and_nothing_else(archive: Archive) -> None:
    assert look(archive, STRANGER, hidden=False) == []  # what is shown to them is kept
    archive.hide()
    wrong = [one for who in VIEWERS for one in look(archive, who, hidden=True)]
    assert wrong == []


#: What became of the former text of a corrected game.
WITHDRAWN_UPLOAD, TAKEN_UPLOAD = "WithdrawnUpload", "TakenUpload"
FORMER_STATES: Final = (PUBLIC, PRIVATE, WITHDRAWN_UPLOAD, TAKEN, TAKEN_UPLOAD, RENAMED)


@dataclass
class Correction:
    """A game with a word and a name in its comments, corrected by a public one without them."""

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
        return Sent(self.state).name

    def correct(self) -> None:
        """Correct the game; in the state `PRIVATE` its owner hides it first."""
        if self.state == PRIVATE:
            change_visibility(
                owner=self.owner.pk, records=[self.former.pk], visibility=Visibility.PRIVATE
            )
        self.fresh = self._sent("corrected", legal=True, replaces=self.former.key)

    def hide(self) -> None:
        """Do to the former game what its state says; only the work of removing is waited for."""
        upload = Upload.objects.get(submissions__record=self.former)
        if self.state == WITHDRAWN_UPLOAD:
            visibility.request_change(upload, Visibility.WITHDRAWN)
        elif self.state == TAKEN:
            take_down([self.former.pk])
        elif self.state == TAKEN_UPLOAD:
            deferred.for_upload(upload)
        elif self.state == RENAMED:
            give(Player.objects.get(name=self.name), "Wisteria")

    def may_be_told(self, who: str, mark: str) -> bool:
        """Whether somebody may see the word or the name in the former text."""
        if mark == self.name and self.state == RENAMED:
            return False
        return self.state in (PUBLIC, RENAMED) or who in (SENDER, STAFF)

    def paths(self) -> list[str]:
        """Where the text is quoted."""
        names = ("game", "api:record-history")
        return [reverse(name, args=[self.fresh.key]) for name in names]

    def _sent(self, word: str, *, legal: bool, replaces: str = "") -> Record:
        seed = 101 + FORMER_STATES.index(self.state)
        text = Sent(self.state).text(seed, word, legal=legal)
        upload = sent(text, owner=self.owner, replaces=replaces)
        record = upload.submissions.get().record
        assert record is not None
        return record


@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "fresh"])
def test_former_text_is_quoted_only_to_those_who_may_see_it(
    settings: LazySettings, is_warm: bool
) -> None:
    settings.RATES = dict.fromkeys(settings.RATES, OFTEN)
    settings.COST_MS = 10**9
    users = {who: user(who, staff=who == STAFF) for who in (SENDER, STAFF, OTHER)}
    corrections = [Correction(state, users[SENDER]) for state in FORMER_STATES]
    for correction in corrections:
        correction.correct()
        if is_warm:
            for path in correction.paths():
                assert Client().get(path).status_code == 200
        correction.hide()
    # Pages are cached for visitors without a session alone.
    viewers = {STRANGER: session(None)}
    if is_warm:
        viewers |= {who: session(account) for who, account in users.items()}
    wrong = []
    for who, browser in viewers.items():
        for correction in corrections:
            for path in correction.paths():
                body = body_of(browser.get(path)).decode()
                wrong += [
                    f"{who}: {mark!r} at {path}"
                    for mark in (correction.word, f"{correction.word} {correction.name}")
                    if (mark in body) != correction.may_be_told(who, mark.split(" ", 1)[-1])
                ]
    assert wrong == []
