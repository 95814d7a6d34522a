"""Kafu, taught: the page of the notation, its crib for the wallet, an example of each ruleset."""
