"""Search: what may be asked of the list of games, and the queries.

In: a query string (`filters`), or what another room wants (`selection`). Out: rows of games and
players, places in their lists, exports of them in each form.
"""
