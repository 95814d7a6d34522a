"""Serving of HTTP: cached responses, and limits on size, rate and duration of requests.

Input: a request, or a key and a function that computes the response. Output: the response, computed
once for all identical requests, or a refusal with the seconds until a retry.
"""
