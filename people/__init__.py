"""People: accounts, tokens, what each owns, and requests about names."""
