"""Reading of Kafu text: lines, tags, statements, movetext and sums."""
