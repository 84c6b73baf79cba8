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
        ToolTimeout,
        Unauthorized,
        Unavailable,
        Unclear,
        Unsupported,
        UserError,
    )
    from stithy_core.model import IssueRef, Maybe, PullRequestRef, RepositoryRef, Unknown
    from stithy_core.model.records import (
        BranchRules,
        Comment,
        CommitCheck,
        FileChange,
        Issue,
        PullRequest,
        Review,
        Thread,
        User,
        UserKind,
        Verdict,
    )
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
    )
    from stithy_core.spi.fields import CursorArg, Meta, PullRequestArg, RepositoryArg
    from stithy_core.spi.forge import Forge, ForgeKind, Http, Link, declared
    from stithy_core.spi.markers import hookimpl, hookspec
    from stithy_core.spi.offers import Check, Command, Finding, Request, Response, Route, Service, Settings
    from stithy_core.spi.providers import (
        Prompt,
        PromptArgument,
        PromptMessage,
        PromptProvider,
        Prompts,
        Resource,
        ResourceProvider,
        Resources,
        ResourceTemplate,
    )
    from stithy_core.spi.results import Page, Result
    from stithy_core.spi.runtime import Changed, Context, Contribution, Job, Scope, Worker
    from stithy_core.spi.support import Support, Version, known, probed, since
    from stithy_core.spi.tools import Effects, Handler, Ref, ToolSpec

API = 0
"""The version of this interface. While it is 0 it may still change with every release."""

__all__ = [
    "ABILITIES",
    "API",
    "Ability",
    "Archived",
    "BranchRules",
    "Changed",
    "Changes",
    "Check",
    "Checks",
    "Command",
    "Comment",
    "Comments",
    "CommitCheck",
    "ConfigError",
    "Conflict",
    "Context",
    "Contribution",
    "CursorArg",
    "Effects",
    "FileChange",
    "Finding",
    "Forbidden",
    "Forge",
    "ForgeError",
    "ForgeKind",
    "Handler",
    "Http",
    "Identity",
    "InternalError",
    "InvalidArguments",
    "Issue",
    "IssueRef",
    "Issues",
    "Job",
    "Link",
    "Locked",
    "LogicalError",
    "Maybe",
    "Meta",
    "Moved",
    "NotFound",
    "NotTheApi",
    "Operation",
    "Page",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "PromptProvider",
    "Prompts",
    "PullRequest",
    "PullRequestArg",
    "PullRequestRef",
    "PullRequests",
    "RateLimited",
    "Ref",
    "Refused",
    "Rejected",
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
    "Reviews",
    "Route",
    "Rules",
    "Scope",
    "Service",
    "Settings",
    "StithyError",
    "Support",
    "Thread",
    "Threads",
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
    "declared",
    "hookimpl",
    "hookspec",
    "known",
    "probed",
    "since",
]

# Where names are looked for, in this order: first what every start needs anyway.
_HOMES = (
    "errors",
    "spi.markers",
    "spi.fields",
    "spi.runtime",
    "spi.tools",
    "spi.results",
    "model",
    "spi.support",
    "spi.abilities",
    "spi.forge",
    "spi.providers",
    "spi.offers",
    "model.records",
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
