"""GraphQL documents for merges and checks. Tests check each document against GitHub's published schema.

All connections of one document together have at most 100 x (1 + 100) nodes of threads or 100 x 20 of annotations, and
less than 4,000 others, far below GitHub's limit of 500,000. Fields have REST's names where REST has them, so that the
same mappers apply.
"""

from stithy_github.rules_queries import CLASSIC, RULESETS
from stithy_github.threads_queries import ACTOR, TALK

SUBJECT = """
fragment Subject on PullRequest {
  number
  title
  body
  state
  locked
  created_at: createdAt
  updated_at: updatedAt
  closed_at: closedAt
  html_url: url
  author_association: authorAssociation
  draft: isDraft
  merged
  merged_at: mergedAt
  additions
  deletions
  changed_files: changedFiles
  author { ...Account }
  mergedBy { ...Account }
  mergeCommit { oid }
  mergeable
  mergeStateStatus
  headRefName
  headRefOid
  headRepository { nameWithOwner }
  baseRefName
  baseRefOid
  baseRepository { nameWithOwner isArchived }
  labels(first: 100) { nodes { name color description } }
  assignees(first: 100) { nodes { ...Account } }
  milestone { title }
  comments(first: 1) { totalCount }
  reviewRequests(first: 100) {
    nodes { asCodeOwner requestedReviewer { __typename ...Account ... on Team { name combinedSlug } } }
  }
}
"""

VERDICT = """
fragment Verdict on PullRequestReview {
  fullDatabaseId
  databaseId
  author { ...Account }
  state
  body
  authorCanPushToRepository
  html_url: url
  commit { oid }
  submitted_at: submittedAt
  author_association: authorAssociation
}
"""

CHECKED = """
fragment Checked on StatusCheckRollupContext {
  __typename
  ... on CheckRun {
    databaseId
    name
    status
    conclusion
    started_at: startedAt
    completed_at: completedAt
    details_url: detailsUrl
    html_url: permalink
    title
    summary
    annotations(first: 1) { totalCount }
    checkSuite {
      databaseId
      app { id: databaseId slug }
      workflowRun { databaseId event workflow { databaseId } }
    }
    isRequired(pullRequestNumber: $number)
  }
  ... on StatusContext {
    context
    state
    description
    target_url: targetUrl
    created_at: createdAt
    creator { login }
    isRequired(pullRequestNumber: $number)
  }
}
"""

NOTED = """
fragment Noted on StatusCheckRollupContext {
  ... on CheckRun {
    notes: annotations(first: 20) {
      totalCount
      nodes {
        path
        location { start { line } end { line } }
        annotation_level: annotationLevel
        message
        title
        raw_details: rawDetails
      }
    }
  }
}
"""
"""The annotations of a check run; more than 20 are rare, and are then read by REST."""

COMMITTED = """
fragment Committed on Commit {
  sha: oid
  message
  html_url: url
  author { name email date user { ...Account } }
  committer { name email date user { ...Account } }
  parents(first: 10) { nodes { sha: oid } }
  signature { isValid }
}
"""

READINESS = (
    """
query Readiness($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    viewerPermission
    pullRequest(number: $number) {
      ...Subject
      reviewDecision
      isMergeQueueEnabled
      mergeQueueEntry { position state }
      autoMergeRequest { enabledAt }
      reviews(first: 100) { totalCount nodes { ...Verdict } }
      reviewThreads(first: 100) { totalCount nodes { ...Talk } pageInfo { hasNextPage endCursor } }
      statusCheckRollup { contexts(first: 100) { totalCount nodes { ...Checked } } }
      commits(first: 100) { totalCount nodes { commit { ...Committed } } }
      baseRef { refUpdateRule { viewerCanPush } ...Classic ...Rulesets }
    }
  }
}
"""
    + SUBJECT
    + VERDICT
    + CHECKED
    + COMMITTED
    + CLASSIC
    + RULESETS
    + TALK
)

CHECKS = (
    """
query Checks($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    viewerPermission
    pullRequest(number: $number) {
      ...Subject
      isMergeQueueEnabled
      statusCheckRollup { contexts(first: 100) { totalCount nodes { ...Checked ...Noted } } }
      baseRef { ...Classic ...Rulesets }
    }
  }
}
"""
    + SUBJECT
    + CHECKED
    + NOTED
    + CLASSIC
    + RULESETS
    + ACTOR
)

BEHIND = """
query Behind($owner: String!, $name: String!, $base: String!, $head: String!) {
  repository(owner: $owner, name: $name) { ref(qualifiedName: $base) { compare(headRef: $head) { behindBy } } }
}
"""
