"""Clubs, as sent to the API and as shown."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Final

from msgspec import Meta

from clubs.games import MOST_ADDED as MOST_GAMES
from clubs.models import LINE, MEMBER_NAME, Entry, Measure, Role
from clubs.seasons import MOST_ADDED as MOST_ENTRIES
from clubs.seasons import MOST_AMOUNT
from kafu.notation.json_types import OneOf
from records.base.json_types import Url
from records.shapes.shape import NULLABLE, Shape
from records.shapes.visibilities import OwnVisibility

#: Roles, scorings and kinds of entries by name.
ROLES: Final = {role.id: role for role in Role}
RoleId = Annotated[str, OneOf("ClubRole", ROLES)]
ScoringId = Annotated[str, OneOf("Scoring", Measure.values)]
EntryKind = Annotated[str, OneOf("EntryKind", Entry.Kind.values)]


class ClubJson(Shape):
    """A club as the caller may see it."""

    key: Annotated[str, "The last part of the address of its page."]
    name: str
    words: Annotated[str, "The description."]
    visibility: OwnVisibility
    houses: Annotated[dict[str, str], "House rules by ruleset, as the options of Kafu."]
    members: Annotated[int, "The number of members, guests excepted."]
    role: Annotated[RoleId | None, "The caller's role; null if the caller is no member."]
    created: datetime
    page: Url


class MemberJson(Shape):
    """A member or guest of a club."""

    key: str
    name: Annotated[
        str,
        "With a pseudonym in place of a name. A player who is left out of statistics by name is "
        "named to members only.",
    ]
    role: RoleId
    joined: datetime
    player: Annotated[Url | None, "The page of the player in the archive."]


class SeasonJson(Shape):
    """The games of a ruleset from the first to the last day, and their scoring."""

    key: str
    name: str
    ruleset: str
    first: date
    last: Annotated[date, "The last day, which belongs to the season."]
    scoring: ScoringId
    least: Annotated[int, "Players with fewer games have no rank."]
    points: Annotated[dict[str, list[int]], "Points by rank, by the number of players."]
    drop: Annotated[int, "The number of worst games of a player that do not count."]
    ties: Annotated[list[str], "Figures that decide equal scores, in this order."]
    titles: list[str]
    page: Url


class StandingJson(Shape):
    """A player's row in the table of a season."""

    rank: Annotated[int | None, "Null for guests and for players with too few games."]
    change: Annotated[int | None, "The number of ranks gained by the last evening."]
    name: Annotated[str, "As in the list of members."]
    member: Annotated[str | None, "The key of the member; null for a guest without an entry."]
    guest: bool
    score: Annotated[float | None, "In points; null without a game that counts."]
    games: int
    dropped: Annotated[int, "The number of games that do not count."]
    evenings: int
    wins: Annotated[float, "A shared win is a half."]
    total: Annotated[int, "The sum of final scores, in the small unit."]
    mean: Annotated[float | None, "The mean final score, in the small unit."]
    best_game: int | None
    best_month: int | None
    months_won: int
    months: int
    penalties: int
    corrections: int


class Standings(Shape):
    """The table of a season, the best first, players without a rank last."""

    season: SeasonJson
    rows: list[StandingJson]


class EveningJson(Shape):
    """A day on which a club plays."""

    day: date
    time: Annotated[str | None, "As `19:30`."]
    place: str
    line: Annotated[str, "A line of text."]
    tables: Annotated[list[list[str]], "Names at each drawn table, in the order of seats."]
    byes: Annotated[list[str], "Names of players without a table."]
    page: Url


class SeasonEntryJson(Shape):
    """A penalty, a correction, or a total without games."""

    key: str
    kind: EntryKind
    name: Annotated[str, "As in the list of members."]
    day: date
    amount: Annotated[int, "In points; of a total in the small unit."]
    games: Annotated[int, "The number of games of a total, 0 if it is unknown."]
    reason: str


class SentGames(Shape):
    """Games of the archive to be added to a club."""

    records: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=44)]],
        Meta(min_length=1, max_length=MOST_GAMES),
        "Keys of games.",
    ]
    day: Annotated[
        date | None, NULLABLE, "The evening; by default the day on which each game was played."
    ] = None


class AddedGames(Shape):
    """The number of added games, of games that the club had before, and the refused keys."""

    added: int
    known: int
    refused: Annotated[
        list[str], "Keys of no game, of games that the caller may not see, or of another club."
    ]


class SentSeasonEntry(Shape):
    """A new entry of a season."""

    kind: EntryKind
    name: Annotated[str, Meta(min_length=1, max_length=MEMBER_NAME), "As in games."]
    day: date
    amount: Annotated[
        int,
        Meta(ge=-MOST_AMOUNT, le=MOST_AMOUNT),
        "In points; of a total in the small unit. A penalty is negative.",
    ]
    games: Annotated[int, Meta(ge=0, le=MOST_ENTRIES), "The number of games of a total."] = 0
    reason: Annotated[
        str, Meta(max_length=LINE), "Required for a penalty and a correction; everybody sees it."
    ] = ""


class SentSeasonEntries(Shape):
    """New entries of a season: all are added, or none."""

    entries: Annotated[list[SentSeasonEntry], Meta(min_length=1, max_length=MOST_ENTRIES)]


class SeasonEntries(Shape):
    """The added entries."""

    entries: list[SeasonEntryJson]
