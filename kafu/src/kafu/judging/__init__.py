"""Replay of recorded games by their rules: verdict, steps, facts, and legal alternatives."""
