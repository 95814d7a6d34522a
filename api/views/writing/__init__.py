"""Editors of games and score sheets, which store nothing."""
