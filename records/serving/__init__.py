"""Serving HTTP: cached answers, and limits on how much, how often and how long."""
