"""`hana`: a command-line client that uploads and exports games over the API.

It needs Python and requests, but no code of the archive.
"""

__version__ = "0.5.0"
