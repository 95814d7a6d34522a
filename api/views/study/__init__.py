"""Studies, comments, analyses, and games with the same situation."""
