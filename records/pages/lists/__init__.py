"""The home page and the lists: games (/games/), events, players (/players/)."""
