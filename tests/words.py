"""Words that the code does not use, with the standard ones (docs/glossary.md)."""

from typing import Final

#: Parts of names in code (``told`` of ``told_again``), with the plain ones.
IN_NAMES: Final = {
    "anew": "again, re-",
    "aside": "dead letter",
    "asked": "query, params, requested",
    "asking": "query, filters",
    "beat": "heartbeat",
    "beside": "comparison, baseline",
    "booked": "registered",
    "errand": "job",
    "errands": "jobs",
    "heeded": "processed_at, decided_at",
    "his": "their",
    "insist": "retry",
    "mended": "corrected",
    "pace": "rate limit",
    "patience": "timeout, grace, retries",
    "pulse": "heartbeat",
    "reckon": "compute",
    "reckoned": "computed, estimated",
    "said": "declared, message, data: what it holds",
    "settled": "resolved, decided_at",
    "span": "window, range, width",
    "spans": "windows, ranges",
    "spent": "used, elapsed",
    "telling": "description",
    "told": "described, data, text: what it holds",
    "untold": "unshared, undecided",
    "veil": "redaction",
    "wake": "enqueue, notify",
    "whose": "owner",
}

#: Patterns of words that stand nowhere: not in docstrings and comments, nor in texts people see.
NOWHERE: Final = {
    r"anew": "again, re-",
    r"errands?": "job",
    r"(?:he|his|him|himself)": "they, their, them, themselves; or name the player",
    r"heeded": "processed, decided",
    r"mend(?:s|ed|ing)?": "correct, fix",
    r"reckon(?:s|ed|ing)?": "compute, estimate",
    r"slip of the pen": "typing error",
    r"(?:not )?(?:to )?be had": "available, unavailable",
    r"tellings?": "description",
    r"veil(?:s|ed|ing)?": "redact",
}

#: Patterns of words in docstrings and comments, with the plain ones.
IN_PROSE: Final = NOWHERE | {
    r"beside": "next to, compared with, in addition to",
    r"insists?": "retry; must",
    r"set aside": "dead letter",
    r"told": "described, reported, given; tell apart: distinguish",
}

#: (word, part of a path): why it stays.
ALLOWED: Final = {
    ("beat", "records/totals/glicko.py"): "a method of Elote's",
    ("said", "records/pages/correction.py"): "a group of a pattern of the notation",
    ("span", "kafu/notation/reading/tags.py"): "re.Match.span",
    ("span", "records/base/spelling.py"): "re.Match.span",
}
