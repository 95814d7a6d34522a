"""What a player's page shows, and the best of all players: each a figure like the others."""
