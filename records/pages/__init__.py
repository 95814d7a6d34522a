"""The pages for people.

In: a request. Out: HTML, JSON for the player on it, a picture. Views are thin: they ask the rooms
below and hand what they get to a template. A package for each part of the site.
"""
