"""こいこい, with its house rules as data."""
