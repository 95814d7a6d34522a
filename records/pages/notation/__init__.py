"""The pages on Kafu: the notation, a printable crib, an example of each ruleset."""
