"""The analysis of a game on its own page and below the replay."""
