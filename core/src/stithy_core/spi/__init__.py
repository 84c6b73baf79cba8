"""What plugin authors import: this module and `stithy_testing`, nothing else of the core.

What a plugin implements is a base class whose methods have defaults; what it receives is a protocol. A plugin module
declares `STITHY_API = 1`, the version of this interface it was written for.

Each name is loaded at its first use, so that a plugin's entry module, and a start, load no more than they need.
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
    from stithy_core.model import NOT_REPORTED, IssueRef, Listing, Maybe, PullRequestRef, RepositoryRef, Unknown
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
    from stithy_core.model.verdicts import (
        Access,
        Annotation,
        Artifact,
        BranchRules,
        CommitCheck,
        EvaluatedRule,
        PinnedCheck,
        Queued,
        RateLimitStatus,
        Readiness,
        Step,
        TestCase,
        TestReport,
        TestStatus,
        Verdict,
        WorkflowJob,
        WorkflowRun,
    )
    from stithy_core.redaction import MASK, redact
    from stithy_core.sanitize import clean
    from stithy_core.spi.authorization import basic, bearer, token_header
    from stithy_core.spi.call_wrappers import (
        CallWrapper,
        CallWrapperSpec,
        ForgeGuard,
        ForgeGuardSpec,
        ToolCall,
        WrappedTool,
        current_call,
    )
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
    from stithy_core.spi.concurrency import composed_readiness, map_concurrently
    from stithy_core.spi.contributions import (
        Check,
        Command,
        Content,
        Finding,
        Prompt,
        PromptArgument,
        PromptMessage,
        PromptProvider,
        Prompts,
        Resource,
        ResourceProvider,
        Resources,
        ResourceTemplate,
        Route,
        Service,
        Settings,
        StoreKind,
        is_host_placeholder,
    )
    from stithy_core.spi.deprecations import DeprecatedName, InterfaceDeprecation, resolve_deprecated
    from stithy_core.spi.dialect import (
        AppKey,
        Credentials,
        Dialect,
        ErrorResponse,
        OwnersFile,
        RateLimits,
        Token,
    )
    from stithy_core.spi.faults import convert_panics
    from stithy_core.spi.file_locks import FileLock, hold_file_lock, try_file_lock
    from stithy_core.spi.forge import Answer, Forge, ForgeConfig, ForgeKind, Http, declared_support
    from stithy_core.spi.git_diffs import parse_diff_path, split_diff_sections, unquote_path
    from stithy_core.spi.git_refs import find_ref_fault
    from stithy_core.spi.hooks import hookimpl, hookspec
    from stithy_core.spi.list_pages import (
        NextPage,
        PageResponse,
        Paging,
        follow_link_header,
        increment_page,
        parse_count,
    )
    from stithy_core.spi.names import ForgeNames, NamedPlace, Segments, parse_number
    from stithy_core.spi.operation_checks import UNREADABLE, Support, Version, or_unknown, probed, since
    from stithy_core.spi.results import (
        Abridged,
        Hint,
        Page,
        Result,
        excerpt,
        format_count,
        grapheme_boundary,
        whole_length,
    )
    from stithy_core.spi.routes import Request, Response, error_payload, error_response
    from stithy_core.spi.runtime import Changed, Context, Contribution, Job, Scope, SyncContext, ToolInfo, Workflow
    from stithy_core.spi.stores import Store
    from stithy_core.spi.thread_lookup import find_thread, read_thread
    from stithy_core.spi.tools import (
        BYTE_BUDGET,
        CursorArg,
        Effects,
        Handler,
        Meta,
        PullRequestArg,
        Ref,
        RepositoryArg,
        ToolSpec,
        WorkflowArg,
    )

API = 1
"""The version of this interface; docs/plugins/promises.md says what it promises."""

__all__ = [
    "API",
    "BYTE_BUDGET",
    "CAPABILITIES",
    "MASK",
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
    "DeprecatedName",
    "Dialect",
    "Effects",
    "ErrorResponse",
    "EvaluatedRule",
    "Event",
    "FileChange",
    "FileLock",
    "Finding",
    "Forbidden",
    "Forge",
    "ForgeConfig",
    "ForgeError",
    "ForgeGuard",
    "ForgeGuardSpec",
    "ForgeKind",
    "ForgeNames",
    "GitRemote",
    "Handler",
    "Hint",
    "Http",
    "Identity",
    "InterfaceDeprecation",
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
    "NamedPlace",
    "NextPage",
    "NotFound",
    "NotTheApi",
    "Operation",
    "OwnersFile",
    "Page",
    "PageResponse",
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
    "Segments",
    "Service",
    "Settings",
    "Step",
    "StithyError",
    "Store",
    "StoreKind",
    "Support",
    "SyncContext",
    "TestCase",
    "TestReport",
    "TestStatus",
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
    "basic",
    "bearer",
    "clean",
    "composed_readiness",
    "convert_panics",
    "current_call",
    "declared_support",
    "error_payload",
    "error_response",
    "excerpt",
    "find_ref_fault",
    "find_thread",
    "follow_link_header",
    "format_count",
    "grapheme_boundary",
    "hold_file_lock",
    "hookimpl",
    "hookspec",
    "increment_page",
    "is_host_placeholder",
    "map_concurrently",
    "operations",
    "or_unknown",
    "parse_count",
    "parse_diff_path",
    "parse_number",
    "probed",
    "read_thread",
    "redact",
    "resolve_deprecated",
    "since",
    "split_diff_sections",
    "token_header",
    "try_file_lock",
    "unquote_path",
    "whole_length",
]

DEPRECATED: dict[str, "DeprecatedName"] = {}
"""The deprecated names of this module; docs/plugins/promises.md says how they go."""

# Where names are looked for, in this order: first what every start needs anyway.
_HOMES = (
    "errors",
    "spi.hooks",
    "spi.tools",
    "spi.runtime",
    "spi.call_wrappers",
    "spi.results",
    "model",
    "spi.operation_checks",
    "spi.capabilities",
    "spi.forge",
    "spi.names",
    "spi.contributions",
    "spi.routes",
    "spi.dialect",
    "spi.authorization",
    "spi.list_pages",
    "spi.concurrency",
    "model.conversations",
    "model.code",
    "model.verdicts",
    "redaction",
    "sanitize",
    "spi.stores",
    "spi.faults",
    "spi.git_diffs",
    "spi.git_refs",
    "spi.thread_lookup",
    "spi.file_locks",
    "spi.deprecations",
)

if not TYPE_CHECKING:  # a checker that saw `__getattr__` would take every name for one of ours

    def __getattr__(name: str) -> Any:
        """Find a name at its first use (PEP 562)."""
        if name in __all__:
            for home in _HOMES:
                module = import_module(f"stithy_core.{home}")
                if hasattr(module, name):
                    globals()[name] = value = getattr(module, name)
                    return value
        if name in DEPRECATED:
            from stithy_core.spi.deprecations import resolve_deprecated

            return resolve_deprecated(__name__, DEPRECATED, __getattr__, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
