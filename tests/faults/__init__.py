"""Faults in real processes: whatever happens, each game is stored once and every count is right.

`site` runs the archive as in production, `books` computes what should be there and compares,
`poison` are games that harm their worker. `storm` does all of it in a random order for a given
time.
"""
