"""Score sheets of simulated games, each with one change to a month that its house excludes."""
