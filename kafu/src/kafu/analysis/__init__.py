"""What each choice of a recorded game was worth, from what its seat knew.

In comes a `kafu.notation.game.Game`; out go the choices of its seats (`game`), also to say what
need not be said (`saying`), each action with a mean and a standard error (`search`) and a chance to
win the game (`winning`), and which may be called costly (`marking`). `counting` counts what needs
no sampling.
"""
