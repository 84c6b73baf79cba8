"""Branches and their rules in the graph; the visible part depends on the viewer."""

from __future__ import annotations

from typing import Any

from github_double import records
from github_double.graph import code
from github_double.graph.checks import of_app
from github_double.graph.core import Node, connection, refuse
from github_double.readiness import count_required_approvals, list_required_contexts
from github_double.rest.routing import node


class Ref(Node):
    """A branch: its repository and its name."""

    record: tuple[records.Repository, str]

    @property
    def home(self) -> records.Repository:
        return self.record[0]

    @property
    def branch(self) -> str:
        return self.record[1]

    def id(self) -> str:
        return node("REF", self.home.id)

    def name(self) -> str:
        return self.branch

    def prefix(self) -> str:  # type: ignore[override] # the schema's name
        return "refs/heads/"

    def target(self) -> code.Commit | None:
        return self.of(code.Commit, self.view.world.commits[self.home.branches[self.branch]])

    def compare(self, head_ref: str) -> code.Comparison | None:
        head = self.view.world.resolve(self.home, head_ref)
        if head is None:
            raise refuse("NOT_FOUND", f"Could not resolve head ref '{head_ref}'.")
        return code.Comparison(self.view, (self.home.branches[self.branch], head))

    def branch_protection_rule(self) -> BranchProtectionRule | None:
        """Show the classic protection to admins; to others it is null as if there were none."""
        found = self.home.protections.get(self.branch)
        allowed = self.home.allows(self.view.viewer, "admin")
        return BranchProtectionRule(self.view, (self.home, self.branch, found)) if found and allowed else None

    def ref_update_rule(self) -> RefUpdateRule | None:
        """Show writers what is demanded of an update."""
        demanded = self.branch in self.home.protections
        allowed = self.home.allows(self.view.viewer, "write")
        return RefUpdateRule(self.view, self.record) if demanded and allowed else None

    def rules(self, **place: Any) -> dict[str, Any] | None:
        if not self.home.allows(self.view.viewer, "write"):
            return None
        found = [rule for rule in self.home.rules if rule.branch == self.branch]
        return connection((RepositoryRule(self.view, (self.home, rule)) for rule in found), **place)


class RefUpdateRule(Node):
    """The conditions of a branch's update."""

    record: tuple[records.Repository, str]

    @property
    def protection(self) -> records.Protection:
        return self.record[0].protections[self.record[1]]

    def pattern(self) -> str:
        return self.record[1]

    def required_approving_review_count(self) -> int | None:
        return count_required_approvals(*self.record) or None

    def required_status_check_contexts(self) -> list[str]:
        return list_required_contexts(*self.record)

    def requires_code_owner_reviews(self) -> bool:
        return self.protection.code_owners

    def requires_conversation_resolution(self) -> bool:
        return self.protection.conversations

    def requires_linear_history(self) -> bool:
        return self.protection.linear

    def requires_signatures(self) -> bool:
        return self.protection.signatures

    def allows_deletions(self) -> bool:
        return False

    def allows_force_pushes(self) -> bool:
        return False

    def blocks_creations(self) -> bool:
        return False

    def viewer_can_push(self) -> bool:
        allowed = self.protection.pushers
        return not self.protection.locked and (allowed is None or self.view.viewer.login in allowed)

    def viewer_allowed_to_dismiss_reviews(self) -> bool:
        return True


class BranchProtectionRule(Node):
    """Classic protection, as admins see it."""

    record: tuple[records.Repository, str, records.Protection]

    @property
    def protection(self) -> records.Protection:
        return self.record[2]

    def id(self) -> str:
        return node("BPR", self.record[0].id)

    def pattern(self) -> str:
        return self.record[1]

    def requires_approving_reviews(self) -> bool:
        return self.protection.approvals is not None

    def required_approving_review_count(self) -> int | None:
        return self.protection.approvals

    def requires_status_checks(self) -> bool:
        return bool(self.protection.contexts)

    def required_status_check_contexts(self) -> list[str]:
        return list(self.protection.contexts)

    def required_status_checks(self) -> list[Any]:
        apps = {context: of_app(slug) for context, slug in self.protection.apps.items()}
        return [{"context": context, "app": apps.get(context)} for context in self.protection.contexts]

    def requires_strict_status_checks(self) -> bool:
        return self.protection.strict

    def requires_code_owner_reviews(self) -> bool:
        return self.protection.code_owners

    def requires_conversation_resolution(self) -> bool:
        return self.protection.conversations

    def dismisses_stale_reviews(self) -> bool:
        return self.protection.dismiss_stale

    def is_admin_enforced(self) -> bool:
        return self.protection.admins

    def require_last_push_approval(self) -> bool:
        return self.protection.last_push

    def requires_linear_history(self) -> bool:
        return self.protection.linear

    def requires_commit_signatures(self) -> bool:
        return self.protection.signatures

    def requires_deployments(self) -> bool:
        return False

    def required_deployment_environments(self) -> list[Any]:
        return []

    def lock_branch(self) -> bool:
        return self.protection.locked

    def restricts_pushes(self) -> bool:
        return self.protection.pushers is not None


class RepositoryRule(Node):
    """A rule of a ruleset: its repository and itself."""

    record: tuple[records.Repository, records.Rule]

    def id(self) -> str:
        return node("RRU", self.record[1].ruleset)

    def type(self) -> str:
        return self.record[1].type.upper()

    def parameters(self) -> RuleParameters | None:
        rule = self.record[1]
        kind = "".join(word.title() for word in rule.type.split("_")) + "Parameters"
        return RuleParameters(self.view, rule.parameters, kind) if rule.parameters else None

    def repository_ruleset(self) -> RepositoryRuleset:
        return RepositoryRuleset(self.view, self.record)


class RuleParameters(Node):
    """A rule's parameters, by the names that REST has, too."""

    record: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name not in self.record:
            raise AttributeError(name)
        return self.record[name]

    def required_status_checks(self) -> list[Any]:
        return [{"integration_id": None} | check for check in self.record["required_status_checks"]]


class RepositoryRuleset(Node):
    """The ruleset of a rule."""

    record: tuple[records.Repository, records.Rule]

    def id(self) -> str:
        return node("RRS", self.database_id())

    def database_id(self) -> int:
        return self.record[1].ruleset

    def name(self) -> str:
        return f"ruleset {self.database_id()}"

    def enforcement(self) -> str:
        return "ACTIVE"

    def source(self) -> code.Repository | None:
        return self.of(code.Repository, self.record[0])
