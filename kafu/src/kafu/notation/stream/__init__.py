"""Cutting of byte streams into pieces, a game per piece, in any form and encoding."""
