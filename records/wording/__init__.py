"""Wording: games, faults and score sheets in words, in the language of the request.

Pages and the API show the same words.
"""
