"""The pages that teach Kafu: the notation, a printable crib, an example of each ruleset."""
