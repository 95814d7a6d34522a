"""What games add to the figures. In: judged games; out: exact sums, standings, ratings."""
