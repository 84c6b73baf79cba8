"""Exchanges that real Gitea and Forgejo servers had with another client, each tried on the plugin by itself.

The answers are the servers' own, the questions are ours (cassettes/README.md). `uses.USES` says what each is used for.
"""
