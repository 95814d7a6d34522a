"""The rulebook: a page for each ruleset and house, written from the engine's tables."""
