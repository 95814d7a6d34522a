"""Games with the verdicts expected of them, for any program that judges hanafuda: see README.md."""
