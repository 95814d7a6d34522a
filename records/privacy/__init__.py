"""Access and redaction: which games, uploads and names a viewer may see."""
