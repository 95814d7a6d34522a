"""Accounts: who gets in and how (django-allauth), their forms, mails and limits, and closing."""
