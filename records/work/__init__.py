"""The ledger of work: jobs, the processes that do them, and the sweep.

In come jobs (`records.work.enqueue`) of kinds that the rooms above register (`records.work.kinds`,
from `records.apps`); out goes a call of the kind's function, again until it is done or given up.
"""
