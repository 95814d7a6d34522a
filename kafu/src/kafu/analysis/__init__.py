"""Value the choices in a recorded game from the knowledge of their seats.

The input is a `kafu.notation.game.Game`. `choices` lists its choices, including optional
declarations; `search` gives each action a mean result, a standard error and a chance to win the
game. `luck` splits the result of a deal into chance and choices. `report` combines both as JSON
and marks costly choices.
"""
