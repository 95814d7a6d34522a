"""Simulated players and complete simulated games."""
