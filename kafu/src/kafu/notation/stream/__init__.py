"""A stream of bytes -> pieces, one a game, in any form and encoding."""
