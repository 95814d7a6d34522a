"""Fill an archive with the sample games, what is derived from them, and a club, in one process.

Run as `python -m tests.records.pages.sample_archive`, with the settings of the site.
"""

from datetime import date
from typing import Any

import django

#: The address of the club, and an evening with games and tables.
CLUB = "samples"
EVENING = date(2026, 1, 5)
#: The name of the staff member of the site.
STAFF = "staff"


def main() -> None:
    """Load the samples, do the queued work, make a dump, and add the staff member and a club."""
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.utils import timezone

    from records.opendata.schedule import month_of
    from tests.people.world import PASSWORD

    call_command("samples")
    # Indexes, ratings and facts; the second sweep finds what the first has queued.
    for _ in range(2):
        call_command("sweep", "--once")
    call_command("dump", "--month", month_of(timezone.now()))
    staff = get_user_model().objects.create_superuser(STAFF, "staff@example.org", PASSWORD)
    fill_club(staff)


def fill_club(account: Any) -> None:
    """Found a club of the players of the samples, with a season, a penalty and an evening."""
    from clubs import evenings, games, members, seasons
    from clubs.models import Entry
    from records.models import Record
    from tests.clubs import world

    club = world.found(account, CLUB, name="花見会")
    access = world.of(club, account)
    names = ("Ben", "Chiyo", "Daiki", "Emi", "Fumi", "Gen")
    members.add(access, names)
    games.add(access, Record.objects.filter(status="verified").values_list("key", flat=True))
    season = world.begin_season(club, account, name="2026")
    penalty = seasons.NewEntry(Entry.Kind.PENALTY, "Ben", EVENING, -5, reason="遅刻")
    seasons.add_entries(access, season, [penalty])
    evening = evenings.write(access, EVENING, {"place": "茶室", "line": "お茶つき"})
    evenings.draw(access, evening, "koikoi", ["Aya", *names], seed=1)


if __name__ == "__main__":
    django.setup()
    main()
