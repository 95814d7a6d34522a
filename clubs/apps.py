"""The Django application of clubs."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs of users. The archive does not depend on the application."""

    name = "clubs"
    default = True

    def ready(self) -> None:
        """Register the clubs as circles, and connect the signals of stored games."""
        from clubs import circles as clubs
        from clubs import games
        from records.privacy import circles

        circles.register(games.shares_for, clubs.find)
        circles.games_stored.connect(games.take_in, dispatch_uid="clubs")
        circles.game_replaced.connect(games.follow, dispatch_uid="clubs")
