"""Small utilities for all packages: clock, keys, spelling, stored bytes, labels.

In: plain values; out: plain values. The modules know no business table and no request.
"""
