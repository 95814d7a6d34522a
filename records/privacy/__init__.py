"""Who may see what, and whose name is redacted. In: a viewer, a text; out: yes or no, a text."""
