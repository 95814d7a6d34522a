"""Daily problems, and the own costly choices of a user, as tables with actions to tap."""
