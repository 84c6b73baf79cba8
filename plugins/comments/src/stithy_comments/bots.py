"""Which accounts are bots: those the forge calls so, and names that no person bears.

A forge's word comes first (`UserKind.BOT`; on GitHub also a login that ends in `[bot]`, which no person can have). But
many bots run as ordinary accounts, and Gitea and Forgejo seldom say. So a list of names helps out. It holds only names
that say of themselves what they are; one that a person may bear (claude, cursor, stale, renovate, sweep) is not in it
and is a bot only by its type. Names are compared whole: `coderabbit-fan-123` is a person.
"""

from collections.abc import Collection

from stithy_core.spi import User, UserKind

SUFFIX = "[bot]"
REVIEWERS = """
    amazon-q-developer baz-reviewer bito-code-review chatgpt-codex-connector codeant-ai coderabbitai codiumai-pr-agent
    codiumai-pr-agent-free codiumai-pr-agent-pro copilot-pull-request-reviewer copilot-swe-agent cubic-dev-ai
    devin-ai-integration ellipsis-dev entelligence-ai-pr-reviews gemini-code-assist greptile-apps kilo-code-bot
    korbit-ai llamapreview qodo-code-review qodo-merge-pro qodo-merge-pro-for-open-source sourcery-ai
"""
CHECKERS = """
    azure-pipelines cla-assistant cla-bot cloudflare-workers-and-pages codacy-production codecov-commenter codecov-io
    coveralls-bot deepsource-autofix deepsource-io deepsourcebot forgejo-actions fossabot gitea-actions
    gitguardian-bot github-actions github-advanced-security google-cla houndci-bot lgtm-com linux-foundation-easycla
    pre-commit-ci rust-log-analyzer rust-timer semgrep-app snyk-bot snyk-io socket-security sonarcloud sonarqubecloud
    sonatype-lift whitesource-bolt-for-github
"""
KEEPERS = """
    changeset-bot dependabot dependabot-preview forgejo-backport-action giteabot github-merge-queue github-pages
    greenkeeperio-bot imgbot imgbotapp pkg-pr-new pyup-bot regro-cf-autotick-bot renovate-bot scala-steward
    semantic-release-bot
"""
ROBOTS_OF_PROJECTS = """
    angular-robot brewtestbot conda-forge-linter conda-forge-webservices-bot copybara-service elasticmachine
    electron-bot facebook-github-bot flinkbot google-oss-prow google-oss-robot googlebot istio-testing k8s-ci-robot
    k8s-github-robot k8s-infra-cherrypick-robot k8s-triage-robot kibanamachine knative-prow-robot kubevirt-bot
    meeseeksmachine metal3-io-bot microsoft-github-policy-service milvus-ci-robot msftbot nodejs-github-bot
    openshift-bot openshift-ci-robot openshift-merge-bot openshift-merge-robot pytorch-bot pytorchbot pytorchmergebot
    rust-highfive rustbot tekton-robot tensorflow-copybara ti-chi-bot vscodebot zephyrbot
"""
KNOWN = frozenset((REVIEWERS + CHECKERS + KEEPERS + ROBOTS_OF_PROJECTS).split())
"""The names, as `same_identity` compares them."""


def is_bot(user: User, more: Collection[str] = ()) -> bool:
    """Say whether an account is a bot: by its type, else by its name.

    Args:
        user: The account.
        more: Further names of bots, compared as `same_identity` does; the caller vouches for them.
    """
    if user.kind is UserKind.BOT or user.login.endswith(SUFFIX):
        return True
    name = _identity(user.login)
    return name in KNOWN or any(name == _identity(other) for other in more)


def same_identity(login: str, other: str) -> bool:
    """Say whether two logins name one account: case and one `[bot]` at the end make no difference.

    GitHub's REST API writes `dependabot[bot]`, its GraphQL API `dependabot` (docs/forge-behaviour/github.md#tokens).
    """
    return _identity(login) == _identity(other)


def _identity(login: str) -> str:
    # Only ASCII is folded: a Kelvin sign must not make `K8s-ci-robot` of a stranger's name.
    name = login.lower() if login.isascii() else login
    return name.removesuffix(SUFFIX)
