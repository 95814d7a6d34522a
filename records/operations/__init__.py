"""Operations of an archive: backup, rebuild, comparison, health, monitoring.

In: a database and the stored files. Out: a backup, an archive rebuilt from uploads, the differences
between two archives, measurements and warnings.
"""
