"""GitLab on the loopback interface: REST v4 and one GraphQL query, over projects whose git is real.

`gitlab_world` holds the records, `gitlab_routes` and `gitlab_ci_routes` derive the answers, `gitlab_server` sends them.
`gitlab_contract` checks each answer against the JSON schemas that GitLab's own tests use, where they are at hand.
"""
