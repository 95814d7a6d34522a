"""The pages for people, a package for each part of the site.

Input: a request. Output: HTML, JSON for the player on the page, or a picture. Views are thin: they
query the layers below and pass the results to a template.
"""
