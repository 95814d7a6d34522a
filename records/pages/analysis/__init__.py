"""Views of game analyses, for the page of an analysis and the page of a game."""
