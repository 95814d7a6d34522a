"""Simulate players and complete games."""
