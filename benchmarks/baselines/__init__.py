"""Programs to measure against: the same job as the guides write it, without this toolkit."""
