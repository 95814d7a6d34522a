"""The ledger of jobs, the kinds of jobs, and the executor.

Other packages register kinds of jobs (`records.jobs.kinds`, from `records.apps`) and enqueue jobs
(`records.jobs.enqueue`). The executor calls the function of the kind until the job is done or given
up.
"""
