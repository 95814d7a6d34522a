"""Studies and comments: what users save, and write publicly, at steps of games."""
