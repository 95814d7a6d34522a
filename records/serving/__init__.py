"""Serving HTTP: cached answers, and limits on how much, how often and how long.

In: a request, or a key and a function that computes. Out: the answer, made once for all who ask for
the same; or a refusal that says when to come again.
"""
