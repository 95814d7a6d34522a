"""Games with the same situation (`kafu.comparing`): an index of public games, and its answers.

In: the changes of games in their order, as mirrors get them (`records.search.changes`); a step of a
game. Out: where else its situation occurred, what was chosen there, and what came of it.

From the top: asking > following (the job that keeps the index) > parts (how places are packed).
"""
