"""HTTP layers of the archive: log lines, probes, security headers, static files, refusals."""
