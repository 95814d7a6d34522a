"""Writing a game down: a record goes in as it stands, and comes out with one thing more.

In: a game (`kafu.notation.game.Game`), a step of it, an action as Kafu. Out: the changed record,
and where it stands: the table, and what may be written next. The machine of the ruleset decides all
of it; here it is only known where in a record each action is written.
"""
