"""A second, naive computation of the statistics, without `records.statistics`."""
