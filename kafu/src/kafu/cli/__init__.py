"""The command line: `kafu`, also `python -m kafu`. See `kafu.cli.main`."""
