"""The demo: the real server on real inputs, without a network and without a token."""
