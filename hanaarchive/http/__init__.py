"""The HTTP layers of the archive: bodies, requests, security headers, probes, costs, kept
answers, compression."""
