"""A stream of bytes -> pieces, one a game, whatever form and encoding they are in."""
