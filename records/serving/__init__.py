"""What it takes to answer over HTTP: kept answers, limits on how much, how often and how long."""
