"""The notation Kafu: text, `Game` of statements with actions, JSON, identity. No rules."""
