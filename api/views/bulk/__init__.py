"""Many games at once: changes for mirrors, verdicts on many."""
