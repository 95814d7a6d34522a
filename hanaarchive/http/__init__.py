"""The layers of HTTP around the archive: bodies, requests, security headers, probes, costs."""
