"""The samples fail on purpose: they are run by the scripts beside them, never with our own tests."""

collect_ignore_glob = ["*"]
