"""What is asked in GraphQL. Each document is checked against GitHub's published schema by tests.

A field that not every Enterprise Server has stands on a line of its own, so that it can be left out: see `asking`.
Ids of comments are numbers in REST; `databaseId` is deprecated, and `fullDatabaseId`, a number sent as text, is new
(field notes on GitHub's API, section 3).
"""

ACTOR = """
fragment Account on Actor {
  __typename
  login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
}
"""

REMARK = """
fragment Remark on PullRequestReviewComment {
  fullDatabaseId
  databaseId
  body
  author { ...Account }
  authorAssociation
  createdAt
  updatedAt
  url
  state
  originalCommit { oid }
  pullRequestReview {
    fullDatabaseId
    databaseId
  }
}
"""

TALK = (
    """
fragment Talk on PullRequestReviewThread {
  id
  isResolved
  isOutdated
  resolvedBy { ...Account }
  path
  line
  startLine
  originalLine
  originalStartLine
  diffSide
  subjectType
  opening: comments(first: 1) { nodes { diffHunk } }
  comments(first: 100) {
    nodes { ...Remark }
    pageInfo { hasNextPage endCursor }
  }
}
"""
    + REMARK
    + ACTOR
)
"""A whole thread, but for comments beyond the hundredth; needs no other fragment."""

THREADS = (
    """
query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        totalCount
        nodes { ...Talk }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
    + TALK
)

MORE_REMARKS = (
    """
query MoreRemarks($thread: ID!, $after: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {
        nodes { ...Remark }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
    + REMARK
    + ACTOR
)

ONE_THREAD = (
    """
query OneThread($owner: String!, $name: String!, $number: Int!, $thread: ID!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { id } }
  node(id: $thread) {
    ... on PullRequestReviewThread {
      pullRequest { id }
      ...Talk
    }
  }
}
"""
    + TALK
)

ROOTS = """
query Roots($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        nodes {
          id
          comments(first: 1) {
            nodes {
              fullDatabaseId
              databaseId
            }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""

RESOLVE = """
mutation Resolve($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } } }
"""

UNRESOLVE = """
mutation Unresolve($thread: ID!) { unresolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } } }
"""
