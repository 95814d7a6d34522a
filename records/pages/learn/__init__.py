"""The learn pages: a lesson of six screens by ruleset, with a first month against the archive."""
