"""Simulated players and the games they play."""
