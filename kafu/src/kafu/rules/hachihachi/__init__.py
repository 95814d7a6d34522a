"""三人はちはち (hachihachi for three)."""
