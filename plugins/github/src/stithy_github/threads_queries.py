"""GraphQL documents for threads. Tests check each document against GitHub's published schema.

A field that not every Enterprise Server has is on a line of its own, so that `graphql_client` can remove it.
Ids of comments are numbers in REST; `databaseId` is deprecated, and `fullDatabaseId`, a number sent as text, is new
(docs/forge-behaviour/github.md#comments-and-threads).
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

NUMBER = """
fragment Number on PullRequestReviewComment {
  fullDatabaseId
  databaseId
}
"""

MARK = """
fragment Mark on PullRequestReviewComment {
  id
  updatedAt
  state
  isMinimized
  minimizedReason
  authorAssociation
  author { login }
}
"""
"""Every field of a comment that can change; the text does not change without `updatedAt`."""

REMARK = (
    """
fragment Remark on PullRequestReviewComment {
  ...Mark
  ...Number
  body
  author { ...Account }
  createdAt
  url
  originalCommit { oid }
  pullRequestReview {
    fullDatabaseId
    databaseId
  }
}
"""
    + MARK
    + NUMBER
    + ACTOR
)

STANDING = """
fragment Standing on PullRequestReviewThread {
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
  opening: comments(first: 1) {
    nodes {
      ...Number
      reactionGroups {
        content
        reactors(first: 1) { totalCount }
      }
    }
  }
}
"""
"""A thread without its comments. A reaction does not change a comment's marks, so those to the first are read here."""

TALK = (
    """
fragment Talk on PullRequestReviewThread {
  ...Standing
  opening: comments(first: 1) { nodes { diffHunk } }
  comments(first: 100) {
    nodes { ...Remark }
    pageInfo { hasNextPage endCursor }
  }
}
"""
    + STANDING
    + REMARK
)
"""A whole thread with its first 100 comments; includes every fragment that it needs."""

MARKED = (
    """
fragment Marked on PullRequestReviewThread {
  ...Standing
  comments(first: 100) {
    nodes { ...Mark }
    pageInfo { hasNextPage endCursor }
  }
}
"""
    + STANDING
    + MARK
    + NUMBER
    + ACTOR
)
"""A thread with the marks of its first 100 comments, which show whether it has changed."""

THREADS = (
    """
query Threads($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    pullRequest(number: $number) {
      reviewThreads(first: $first, after: $after) {
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

THREADS_AGAIN = (
    """
query ThreadsAgain($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    pullRequest(number: $number) {
      reviewThreads(first: $first, after: $after) {
        totalCount
        nodes { ...Marked }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
    + MARKED
)

SOME_THREADS = (
    """
query SomeThreads($threads: [ID!]!) {
  nodes(ids: $threads) { ...Talk }
}
"""
    + TALK
)

MORE_MARKS = (
    """
query MoreMarks($thread: ID!, $after: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {
        nodes { ...Mark }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
    + MARK
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
)

ONE_THREAD = (
    """
query OneThread($owner: String!, $name: String!, $number: Int!, $thread: ID!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { id } }
  node(id: $thread) {
    ... on PullRequestReviewThread {
      pullRequest { id number repository { nameWithOwner } }
      ...Talk
    }
  }
}
"""
    + TALK
)

ROOT = (
    """
query Root($owner: String!, $name: String!, $number: Int!, $thread: ID!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { id } }
  node(id: $thread) {
    ... on PullRequestReviewThread {
      pullRequest { id number repository { nameWithOwner } }
      comments(first: 1) { nodes { ...Number } }
    }
  }
}
"""
    + NUMBER
)

ROOTS = (
    """
query Roots($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        nodes {
          id
          comments(first: 1) { nodes { ...Number } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
    + NUMBER
)

RESOLVE = """
mutation Resolve($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } } }
"""

UNRESOLVE = """
mutation Unresolve($thread: ID!) { unresolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } } }
"""
