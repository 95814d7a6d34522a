"""Search: filters and queries of the lists of games and players, and exports of games."""
