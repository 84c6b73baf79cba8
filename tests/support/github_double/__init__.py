"""A double of GitHub on loopback, for what no real one can be asked for.

It answers like a GitHub Enterprise Server at `URL/api/v3` and `URL/api/graphql` about a small world in memory. Each of
its REST answers is held to GitHub's published description, and GraphQL is executed on GitHub's published schema:
`make contract` installs both. Beyond what these say, it behaves as the documentation says, not as GitHub was seen to.
"""
