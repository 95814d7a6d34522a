"""Small things every room uses: clock, keys, spelling, stored bytes, labels. Knows no table."""
