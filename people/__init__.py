"""People: accounts, tokens, what each holds, and requests about names."""
