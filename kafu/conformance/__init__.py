"""Games with their expected verdicts, for any program that judges hanafuda: see README.md."""
