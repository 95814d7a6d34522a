"""Simulated games with rare events, for tests: arranged cards, and seats that follow a plan."""
