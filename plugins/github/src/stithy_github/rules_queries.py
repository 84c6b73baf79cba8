"""GraphQL documents for branch rules. Tests check each document against GitHub's published schema."""

CLASSIC = """
fragment Classic on Ref {
  refUpdateRule {
    requiredApprovingReviewCount
    requiredStatusCheckContexts
    requiresCodeOwnerReviews
    requiresConversationResolution
    requiresLinearHistory
    requiresSignatures
  }
  branchProtectionRule {
    requiresApprovingReviews
    requiredApprovingReviewCount
    requiresStatusChecks
    requiredStatusCheckContexts
    checks: requiredStatusChecks { context app { id: databaseId slug } }
    requiresStrictStatusChecks
    requiresCodeOwnerReviews
    requiresConversationResolution
    requiresLinearHistory
    requiresCommitSignatures
    requireLastPushApproval
    dismissesStaleReviews
    isAdminEnforced
    lockBranch
  }
}
"""

RULESETS = """
fragment Rulesets on Ref {
  rules(first: 100) {
    totalCount
    nodes {
      type
      repositoryRuleset {
        databaseId
        source {
          __typename
          ... on Organization { login }
          ... on Enterprise { slug }
        }
      }
      parameters {
        ... on PullRequestParameters {
          required_approving_review_count: requiredApprovingReviewCount
          require_code_owner_review: requireCodeOwnerReview
          require_last_push_approval: requireLastPushApproval
          dismiss_stale_reviews_on_push: dismissStaleReviewsOnPush
          required_review_thread_resolution: requiredReviewThreadResolution
        }
        ... on RequiredStatusChecksParameters {
          required_status_checks: requiredStatusChecks { context integration_id: integrationId }
          strict_required_status_checks_policy: strictRequiredStatusChecksPolicy
        }
        ... on WorkflowsParameters { workflows { path } }
      }
    }
  }
}
"""
"""The rules of rulesets, under REST's names."""

PROTECTION = (
    """
query Protection($owner: String!, $name: String!, $branch: String!, $ref: String!) {
  repository(owner: $owner, name: $name) {
    viewerPermission
    mergeQueue(branch: $branch) { id }
    ref(qualifiedName: $ref) { ...Classic }
  }
}
"""
    + CLASSIC
)
