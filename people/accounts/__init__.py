"""Accounts: logging in (django-allauth), forms, mails, rate limits, and closing an account."""
