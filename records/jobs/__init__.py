"""The ledger of jobs, their kinds, and the executor that runs them.

Jobs are enqueued (`records.jobs.enqueue`) of kinds that the packages above register
(`records.jobs.kinds`, from `records.apps`). The executor calls the function of the kind, again
until the job is done or given up.
"""
