"""Small utilities for every room: clock, keys, spelling, stored bytes, labels.

In: plain values; out: plain values. Nothing here knows a table or a request.
"""
