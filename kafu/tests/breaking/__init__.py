"""Score sheets of simulated games, each changed into one that no month of its house can have."""
