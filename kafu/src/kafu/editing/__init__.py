"""Editing of game records: each change returns a new record.

Input: a game (`kafu.notation.game.Game`), a step and an action as Kafu. Output: the changed record,
the table after the change and the actions that may be written next. The ruleset's machine checks
the rules; this package only finds the position of each action in the record.
"""
