"""What people keep of steps of games: collections with notes and branches, and public comments.

In: what an account saves or says at a step of a game that it may see. Out: rows, bounded in size
and number, and what a viewer may see of them. All of it goes with the account.
"""
