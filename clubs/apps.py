"""The Django application of clubs."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs of users. The archive does not depend on the application."""

    name = "clubs"
    default = True

    def ready(self) -> None:
        """Register circles and open data, and connect the signals of games and accounts."""
        from clubs import circles as clubs
        from clubs import games, members, opendata
        from records.opendata import additions
        from records.privacy import circles

        circles.register(
            circles.Circles(games.shares_for, clubs.find, clubs.list_addresses, clubs.link_of_game)
        )
        circles.games_stored.connect(games.take_in, dispatch_uid="clubs")
        circles.game_replaced.connect(games.follow, dispatch_uid="clubs")
        circles.account_closed.connect(members.end_memberships, dispatch_uid="clubs")
        additions.register(opendata.CLUBS)
