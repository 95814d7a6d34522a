"""`python -m hana`."""

from hana.cli import run

if __name__ == "__main__":
    run()
