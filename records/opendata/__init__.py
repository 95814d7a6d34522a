"""Open data: all public games as files, once a month, with what is needed to use them."""
