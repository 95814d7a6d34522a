"""A recorded game is replayed by its rules: verdict, steps, facts, and what was legal."""
