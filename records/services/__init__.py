"""Services: what users and programs do with the archive. Pages and the API call the same functions.

Send, replace and claim games (`submit`, `claims`), change their visibility or remove them
(`visibility`, `removals`), watch and analyse them (`replays`, `analyses`), and say something about
them (`comments`, `studies`).
"""
