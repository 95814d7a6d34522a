"""Template tags of clubs."""
