"""Kafu's JSON form: Game <-> JSON, its shape, and the JSON Schema of it."""
