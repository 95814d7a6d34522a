"""Fill an archive with the sample games and what is derived from them, in one process.

Run as `python -m tests.records.pages.sample_archive`, with the settings of the site.
"""

import django

#: The name of the staff member of the site.
STAFF = "staff"


def main() -> None:
    """Load the samples, do the queued work, make this month's dump, and add the staff member."""
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
    get_user_model().objects.create_superuser(STAFF, "staff@example.org", PASSWORD)


if __name__ == "__main__":
    django.setup()
    main()
