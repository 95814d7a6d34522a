"""`hana`: uploads games to a HanaArchive, verifies them there, and fetches them, over its API.

A program of its own: it needs Python and requests, and none of the archive's code.
"""

__version__ = "0.1.0"
