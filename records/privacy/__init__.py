"""Who may see what, and whose name is redacted.

In: a viewer and a game or a text. Out: yes or no, a query of what they may see, the text as they
may see it. `revisions` counts the changes of what everybody may see.
"""
