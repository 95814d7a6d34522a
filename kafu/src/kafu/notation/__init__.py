"""The notation Kafu: text, `Game` of statements and actions, JSON, identity. No rules, no Django."""
