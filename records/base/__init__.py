"""Small utilities for every room: clock, keys, spelling, stored bytes, labels. Knows no table."""
