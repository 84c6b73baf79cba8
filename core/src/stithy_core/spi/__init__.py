"""What plugin authors import: this module and `stithy_testing`, nothing else of the core.

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
    from stithy_core.model import NOT_REPORTED, IssueRef, Maybe, PullRequestRef, RepositoryRef, Unknown
    from stithy_core.model.code import Commit, Comparison, FileChange, GitRemote, Repository
    from stithy_core.model.conversations import (
        BranchRef,
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
        RateLimitStatus,
        Readiness,
        Step,
        Verdict,
        WorkflowJob,
        WorkflowRun,
    )
    from stithy_core.redaction import redact
    from stithy_core.sanitize import clean
    from stithy_core.spi.answers import UNREADABLE
    from stithy_core.spi.call_wrappers import CallWrapper, CallWrapperSpec, ToolCall, WrappedTool, current_call
    from stithy_core.spi.capabilities import (
        CAPABILITIES,
        Capability,
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
    from stithy_core.spi.concurrency import map_concurrently
    from stithy_core.spi.credentials import AppKey, Credentials, Token
    from stithy_core.spi.dialect import Dialect, ErrorResponse, Paging, RateLimits
    from stithy_core.spi.error_responses import error_payload, error_response
    from stithy_core.spi.fields import CursorArg, Meta, PullRequestArg, RepositoryArg, WorkflowArg
    from stithy_core.spi.forge import Answer, Forge, ForgeConfig, ForgeKind, Http, declared_support
    from stithy_core.spi.guards import ForgeGuard, ForgeGuardSpec
    from stithy_core.spi.markers import hookimpl, hookspec
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
    from stithy_core.spi.results import Hint, Page, Result
    from stithy_core.spi.routes import Request, Response
    from stithy_core.spi.runtime import Changed, Context, Contribution, Job, Scope, SyncContext, ToolInfo, Workflow
    from stithy_core.spi.specs import Check, Command, Finding, Route, Service, Settings, StoreKind
    from stithy_core.spi.stores import Store
    from stithy_core.spi.support import Support, Version, or_unknown, probed, since
    from stithy_core.spi.texts import Abridged, excerpt, grapheme_boundary, whole_length
    from stithy_core.spi.tools import BYTE_BUDGET, Effects, Handler, Ref, ToolSpec

API = 0
"""The version of this interface. While it is 0 it may still change with every release."""

__all__ = [
    "API",
    "BYTE_BUDGET",
    "CAPABILITIES",
    "NOT_REPORTED",
    "UNREADABLE",
    "Abridged",
    "Access",
    "Annotation",
    "Answer",
    "AppKey",
    "Archived",
    "Artifact",
    "BranchRef",
    "BranchRules",
    "CallWrapper",
    "CallWrapperSpec",
    "Capability",
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
    "ErrorResponse",
    "Event",
    "FileChange",
    "Finding",
    "Forbidden",
    "Forge",
    "ForgeConfig",
    "ForgeError",
    "ForgeGuard",
    "ForgeGuardSpec",
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
    "RateLimitStatus",
    "RateLimited",
    "RateLimits",
    "Reaction",
    "Readiness",
    "Ref",
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
    "Store",
    "StoreKind",
    "Support",
    "SyncContext",
    "Thread",
    "Threads",
    "Token",
    "TooLarge",
    "ToolCall",
    "ToolInfo",
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
    "Workflow",
    "WorkflowArg",
    "WorkflowJob",
    "WorkflowRun",
    "WrappedTool",
    "clean",
    "composed_readiness",
    "current_call",
    "declared_support",
    "error_payload",
    "error_response",
    "excerpt",
    "grapheme_boundary",
    "hookimpl",
    "hookspec",
    "is_host_placeholder",
    "map_concurrently",
    "operations",
    "or_unknown",
    "probed",
    "redact",
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
    "spi.call_wrappers",
    "spi.results",
    "spi.texts",
    "model",
    "spi.support",
    "spi.capabilities",
    "spi.forge",
    "spi.guards",
    "spi.providers",
    "spi.specs",
    "spi.routes",
    "spi.error_responses",
    "spi.dialect",
    "spi.credentials",
    "spi.concurrency",
    "spi.readiness",
    "spi.owners",
    "spi.answers",
    "spi.stores",
    "model.listing",
    "model.conversations",
    "model.code",
    "model.verdicts",
    "redaction",
    "sanitize",
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
