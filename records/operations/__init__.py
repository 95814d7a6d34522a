"""What keeps an archive running: backup, rebuild, comparison, health, monitoring.

In: a database and its stored files. Out: a backup, an archive read again from its uploads, what
differs between two of them, measurements and warnings.
"""
