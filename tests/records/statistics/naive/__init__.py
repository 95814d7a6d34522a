"""The statistics computed a second time, naively: nothing of `records.statistics` is used."""
