"""The analysis of a game, as its page and the section below its replay show it."""
