"""Tests with engines of other people, outside of `make test` (`make test-scale`)."""
