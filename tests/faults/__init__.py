"""Real processes, hurt on purpose: whatever happens, each game is stored once and every count is
right.

`site` runs the archive as in production, `books` says what should be there and looks, `poison` are
games that hurt their worker. `storm` does all of it in a random order for as long as is asked.
"""
