"""Replays a recorded game by its rules: verdict, steps, facts, and the legal alternatives."""
