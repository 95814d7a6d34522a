"""The notation Kafu: text <-> Game <-> JSON, identity of a game. No rules, no Django."""
