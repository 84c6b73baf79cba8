"""Detection of bot accounts: by the forge's account type, else by a list of well-known logins.

The forge's type comes first (`UserKind.BOT`; on GitHub also a login that ends in `[bot]`, which a person cannot have).
But many bots run as ordinary accounts, and Gitea and Forgejo seldom report the type. The list holds only logins that
are unmistakably a bot's. A login that a person may have (claude, cursor, stale, renovate, sweep) is not in the list and
counts as a bot only by its type. Logins are compared whole: `coderabbit-fan-123` is a person.
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
MAINTENANCE = """
    changeset-bot dependabot dependabot-preview forgejo-backport-action giteabot github-merge-queue github-pages
    greenkeeperio-bot imgbot imgbotapp pkg-pr-new pyup-bot regro-cf-autotick-bot renovate-bot scala-steward
    semantic-release-bot
"""
PROJECT_BOTS = """
    angular-robot brewtestbot conda-forge-linter conda-forge-webservices-bot copybara-service elasticmachine
    electron-bot facebook-github-bot flinkbot google-oss-prow google-oss-robot googlebot istio-testing k8s-ci-robot
    k8s-github-robot k8s-infra-cherrypick-robot k8s-triage-robot kibanamachine knative-prow-robot kubevirt-bot
    meeseeksmachine metal3-io-bot microsoft-github-policy-service milvus-ci-robot msftbot nodejs-github-bot
    openshift-bot openshift-ci-robot openshift-merge-bot openshift-merge-robot pytorch-bot pytorchbot pytorchmergebot
    rust-highfive rustbot tekton-robot tensorflow-copybara ti-chi-bot vscodebot zephyrbot
"""
KNOWN = frozenset((REVIEWERS + CHECKERS + MAINTENANCE + PROJECT_BOTS).split())
"""Logins of bots in the form that `same_identity` compares."""


def is_bot(user: User, more: Collection[str] = ()) -> bool:
    """Return whether an account is a bot, by its type or by its login.

    Args:
        user: The account.
        more: Further logins of bots, such as those in the settings; compared as `same_identity` does.
    """
    if user.kind is UserKind.BOT or user.login.endswith(SUFFIX):
        return True
    name = _normalize_login(user.login)
    return name in KNOWN or any(name == _normalize_login(other) for other in more)


def same_identity(login: str, other: str) -> bool:
    """Return whether two logins name one account: case and one `[bot]` at the end are ignored.

    GitHub's REST API writes `dependabot[bot]`, its GraphQL API `dependabot` (docs/forge-behaviour/github.md#tokens).
    """
    return _normalize_login(login) == _normalize_login(other)


def _normalize_login(login: str) -> str:
    # Only ASCII is folded: a login with a Kelvin sign (U+212A lowers to 'k') must not pass for `k8s-ci-robot`.
    name = login.lower() if login.isascii() else login
    return name.removesuffix(SUFFIX)
