"""What plugin authors import: this module and `stithy_core.testing`, nothing else of the core.

What a plugin implements is a base class whose methods have defaults; what it receives is a protocol. A plugin module
declares `STITHY_API = 0`, the version of this interface it was written for.

Each name is loaded when it is first asked for: a plugin's entry module pays for what it uses, and a start for no more.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stithy_core.errors import (
        Archived,
        ConfigError,
        Conflict,
        Forbidden,
        ForgeError,
        InternalError,
        InvalidArguments,
        Locked,
        LogicalError,
        Moved,
        NotFound,
        NotTheApi,
        RateLimited,
        Refused,
        Rejected,
        StithyError,
        TooLarge,
        ToolTimeout,
        Unauthorized,
        Unavailable,
        Unclear,
        Unsupported,
        UserError,
    )
    from stithy_core.hygiene import clean
    from stithy_core.model import UNSAID, IssueRef, Maybe, PullRequestRef, RepositoryRef, Unknown
    from stithy_core.model.code import Commit, Comparison, FileChange, GitRemote, Repository
    from stithy_core.model.conversations import (
        Comment,
        Event,
        Issue,
        Label,
        PullRequest,
        Reaction,
        Reply,
        Review,
        ReviewComment,
        Thread,
        Tip,
        User,
        UserKind,
    )
    from stithy_core.model.listing import Listing
    from stithy_core.model.verdicts import (
        Access,
        Annotation,
        Artifact,
        BranchRules,
        CommitCheck,
        PinnedCheck,
        Queued,
        Quota,
        Readiness,
        Step,
        Verdict,
        WorkflowJob,
        WorkflowRun,
    )
    from stithy_core.redaction import redact
    from stithy_core.spi.abilities import (
        ABILITIES,
        Ability,
        Changes,
        Checks,
        Comments,
        Identity,
        Issues,
        Operation,
        PullRequests,
        Reviews,
        Rules,
        Threads,
        operations,
    )
    from stithy_core.spi.answers import UNREADABLE
    from stithy_core.spi.concurrency import each
    from stithy_core.spi.credentials import AppKey, Credentials, Token
    from stithy_core.spi.dialect import Dialect, Pace, Paging, Refusal
    from stithy_core.spi.fields import CursorArg, Meta, PullRequestArg, RepositoryArg, WorkflowArg
    from stithy_core.spi.forge import Answer, Forge, ForgeKind, Http, Link, declared
    from stithy_core.spi.markers import hookimpl, hookspec
    from stithy_core.spi.offers import Check, Command, Finding, Route, Service, Settings
    from stithy_core.spi.owners import OwnersFile
    from stithy_core.spi.providers import (
        Content,
        Prompt,
        PromptArgument,
        PromptMessage,
        PromptProvider,
        Prompts,
        Resource,
        ResourceProvider,
        Resources,
        ResourceTemplate,
        is_host_placeholder,
    )
    from stithy_core.spi.readiness import composed_readiness
    from stithy_core.spi.refusals import described, refused
    from stithy_core.spi.results import Hint, Page, Result
    from stithy_core.spi.routes import Request, Response
    from stithy_core.spi.runtime import Changed, Context, Contribution, Job, Scope, ToolCard, Worker, Workflow
    from stithy_core.spi.support import Support, Version, known, probed, since
    from stithy_core.spi.texts import Abridged, border, excerpt, whole_length
    from stithy_core.spi.tools import Effects, Handler, Ref, ToolSpec

API = 0
"""The version of this interface. While it is 0 it may still change with every release."""

__all__ = [
    "ABILITIES",
    "API",
    "UNREADABLE",
    "UNSAID",
    "Ability",
    "Abridged",
    "Access",
    "Annotation",
    "Answer",
    "AppKey",
    "Archived",
    "Artifact",
    "BranchRules",
    "Changed",
    "Changes",
    "Check",
    "Checks",
    "Command",
    "Comment",
    "Comments",
    "Commit",
    "CommitCheck",
    "Comparison",
    "ConfigError",
    "Conflict",
    "Content",
    "Context",
    "Contribution",
    "Credentials",
    "CursorArg",
    "Dialect",
    "Effects",
    "Event",
    "FileChange",
    "Finding",
    "Forbidden",
    "Forge",
    "ForgeError",
    "ForgeKind",
    "GitRemote",
    "Handler",
    "Hint",
    "Http",
    "Identity",
    "InternalError",
    "InvalidArguments",
    "Issue",
    "IssueRef",
    "Issues",
    "Job",
    "Label",
    "Link",
    "Listing",
    "Locked",
    "LogicalError",
    "Maybe",
    "Meta",
    "Moved",
    "NotFound",
    "NotTheApi",
    "Operation",
    "OwnersFile",
    "Pace",
    "Page",
    "Paging",
    "PinnedCheck",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "PromptProvider",
    "Prompts",
    "PullRequest",
    "PullRequestArg",
    "PullRequestRef",
    "PullRequests",
    "Queued",
    "Quota",
    "RateLimited",
    "Reaction",
    "Readiness",
    "Ref",
    "Refusal",
    "Refused",
    "Rejected",
    "Reply",
    "Repository",
    "RepositoryArg",
    "RepositoryRef",
    "Request",
    "Resource",
    "ResourceProvider",
    "ResourceTemplate",
    "Resources",
    "Response",
    "Result",
    "Review",
    "ReviewComment",
    "Reviews",
    "Route",
    "Rules",
    "Scope",
    "Service",
    "Settings",
    "Step",
    "StithyError",
    "Support",
    "Thread",
    "Threads",
    "Tip",
    "Token",
    "TooLarge",
    "ToolCard",
    "ToolSpec",
    "ToolTimeout",
    "Unauthorized",
    "Unavailable",
    "Unclear",
    "Unknown",
    "Unsupported",
    "User",
    "UserError",
    "UserKind",
    "Verdict",
    "Version",
    "Worker",
    "Workflow",
    "WorkflowArg",
    "WorkflowJob",
    "WorkflowRun",
    "border",
    "clean",
    "composed_readiness",
    "declared",
    "described",
    "each",
    "excerpt",
    "hookimpl",
    "hookspec",
    "is_host_placeholder",
    "known",
    "operations",
    "probed",
    "redact",
    "refused",
    "since",
    "whole_length",
]

# Where names are looked for, in this order: first what every start needs anyway.
_HOMES = (
    "errors",
    "spi.markers",
    "spi.fields",
    "spi.runtime",
    "spi.tools",
    "spi.results",
    "spi.texts",
    "model",
    "spi.support",
    "spi.abilities",
    "spi.forge",
    "spi.providers",
    "spi.offers",
    "spi.routes",
    "spi.refusals",
    "spi.dialect",
    "spi.credentials",
    "spi.concurrency",
    "spi.readiness",
    "spi.owners",
    "spi.answers",
    "model.listing",
    "model.conversations",
    "model.code",
    "model.verdicts",
    "redaction",
    "hygiene",
)

if not TYPE_CHECKING:  # a checker that saw `__getattr__` would take every name for one of ours

    def __getattr__(name: str) -> Any:
        """Find a name at its first use (PEP 562)."""
        if name in __all__:
            for home in _HOMES:
                module = import_module(f"stithy_core.{home}")
                if hasattr(module, name):
                    globals()[name] = found = getattr(module, name)
                    return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
