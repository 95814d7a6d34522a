"""Faults in real processes: in any case, each game is stored once and every count is right.

`site` runs the archive as in production, `books` computes the expected contents and compares,
`poison` are games that harm their worker. `storm` combines all faults in a random order for a given
time.
"""
