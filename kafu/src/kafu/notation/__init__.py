"""The notation Kafu: text, `Game` and JSON, and a game's identity. No rules, no Django."""
