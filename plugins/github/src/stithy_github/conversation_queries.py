"""GraphQL documents for what people wrote on a pull request. Tests check each against GitHub's published schema.

A field that not every Enterprise Server has is on a line of its own, so that `graphql_client` can remove it.
"""

from stithy_github.readiness_queries import VERDICT
from stithy_github.threads_queries import ACTOR, MARKED, TALK

SAID = """
fragment Said on IssueComment {
  fullDatabaseId
  databaseId
  body
  author { ...Account }
  createdAt
  updatedAt
  url
  authorAssociation
  isMinimized
  minimizedReason
  reactionGroups {
    content
    reactors(first: 1) { totalCount }
  }
}
"""

BLOCK = (
    """
fragment Block on IssueCommentConnection {
  totalCount
  nodes { ...Said }
  pageInfo { hasPreviousPage startCursor }
}
"""
    + SAID
)
"""A block of comments, oldest first."""

NOTED = (
    """
fragment Noted on PullRequestReview {
  ...Verdict
  isMinimized
  minimizedReason
}
"""
    + VERDICT
)


def _build_conversation(name: str, thread: str) -> str:
    """Return the document of one name, with a fragment for each thread, which contains the fragments that it needs."""
    fragment = thread.split("fragment ", 1)[1].split(" ", 1)[0]
    return f"""
query {name}($owner: String!, $name: String!, $number: Int!, $first: Int!, $comments: Boolean!,
  $threads: Boolean!, $afterThreads: String, $reviews: Boolean!, $afterReviews: String) {{
  viewer {{ ...Account }}
  repository(owner: $owner, name: $name) {{
    nameWithOwner
    pullRequest(number: $number) {{
      comments(last: 100) @include(if: $comments) {{ ...Block }}
      reviewThreads(first: $first, after: $afterThreads) @include(if: $threads) {{
        totalCount
        nodes {{ ...{fragment} }}
        pageInfo {{ hasNextPage endCursor }}
      }}
      reviews(first: 100, after: $afterReviews) @include(if: $reviews) {{
        totalCount
        nodes {{ ...Noted }}
        pageInfo {{ hasNextPage endCursor }}
      }}
    }}
  }}
}}
{BLOCK}{NOTED}{thread}"""


CONVERSATION = _build_conversation("Conversation", TALK)
CONVERSATION_AGAIN = _build_conversation("ConversationAgain", MARKED)

EARLIER = (
    """
query Earlier($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(last: 100, before: $before) { ...Block } }
      ... on PullRequest { comments(last: 100, before: $before) { ...Block } }
    }
  }
}
"""
    + BLOCK
    + ACTOR
)
