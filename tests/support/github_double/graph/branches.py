"""Branches and what they demand, in the graph: how much is told depends on who asks."""

from github_double.graph import code
from github_double.graph.checks import of_app
from github_double.graph.core import Node, connection, refuse
from github_double.readiness import count_required_approvals, list_required_contexts
from github_double.rest.routing import node


class Ref(Node):
    """A branch: its repository and its name."""

    @property
    def home(self):
        return self.record[0]

    @property
    def branch(self):
        return self.record[1]

    def id(self):
        return node("REF", self.home.id)

    def name(self):
        return self.branch

    def prefix(self):
        return "refs/heads/"

    def target(self):
        return self.of(code.Commit, self.view.world.commits[self.home.branches[self.branch]])

    def compare(self, head_ref):
        head = self.view.world.resolve(self.home, head_ref)
        if head is None:
            raise refuse("NOT_FOUND", f"Could not resolve head ref '{head_ref}'.")
        return code.Comparison(self.view, (self.home.branches[self.branch], head))

    def branch_protection_rule(self):
        """Show the classic protection to admins; to others it is null as if there were none."""
        found = self.home.protections.get(self.branch)
        allowed = self.home.allows(self.view.viewer, "admin")
        return found and (BranchProtectionRule(self.view, (self.home, self.branch, found)) if allowed else None)

    def ref_update_rule(self):
        """Show writers what is demanded of an update."""
        demanded = self.branch in self.home.protections
        allowed = self.home.allows(self.view.viewer, "write")
        return RefUpdateRule(self.view, self.record) if demanded and allowed else None

    def rules(self, **place):
        if not self.home.allows(self.view.viewer, "write"):
            return None
        found = [rule for rule in self.home.rules if rule.branch == self.branch]
        return connection((RepositoryRule(self.view, (self.home, rule)) for rule in found), **place)


class RefUpdateRule(Node):
    """What an update of a branch must meet."""

    @property
    def protection(self):
        return self.record[0].protections[self.record[1]]

    def pattern(self):
        return self.record[1]

    def required_approving_review_count(self):
        return count_required_approvals(*self.record) or None

    def required_status_check_contexts(self):
        return list_required_contexts(*self.record)

    def requires_code_owner_reviews(self):
        return self.protection.code_owners

    def requires_conversation_resolution(self):
        return self.protection.conversations

    def requires_linear_history(self):
        return self.protection.linear

    def requires_signatures(self):
        return self.protection.signatures

    def allows_deletions(self):
        return False

    def allows_force_pushes(self):
        return False

    def blocks_creations(self):
        return False

    def viewer_can_push(self):
        allowed = self.protection.pushers
        return not self.protection.locked and (allowed is None or self.view.viewer.login in allowed)

    def viewer_allowed_to_dismiss_reviews(self):
        return True


class BranchProtectionRule(Node):
    """Classic protection, as admins see it."""

    @property
    def protection(self):
        return self.record[2]

    def id(self):
        return node("BPR", self.record[0].id)

    def pattern(self):
        return self.record[1]

    def requires_approving_reviews(self):
        return self.protection.approvals is not None

    def required_approving_review_count(self):
        return self.protection.approvals

    def requires_status_checks(self):
        return bool(self.protection.contexts)

    def required_status_check_contexts(self):
        return list(self.protection.contexts)

    def required_status_checks(self):
        apps = {context: of_app(slug) for context, slug in self.protection.apps.items()}
        return [{"context": context, "app": apps.get(context)} for context in self.protection.contexts]

    def requires_strict_status_checks(self):
        return self.protection.strict

    def requires_code_owner_reviews(self):
        return self.protection.code_owners

    def requires_conversation_resolution(self):
        return self.protection.conversations

    def dismisses_stale_reviews(self):
        return self.protection.dismiss_stale

    def is_admin_enforced(self):
        return self.protection.admins

    def require_last_push_approval(self):
        return self.protection.last_push

    def requires_linear_history(self):
        return self.protection.linear

    def requires_commit_signatures(self):
        return self.protection.signatures

    def requires_deployments(self):
        return False

    def required_deployment_environments(self):
        return []

    def lock_branch(self):
        return self.protection.locked

    def restricts_pushes(self):
        return self.protection.pushers is not None


class RepositoryRule(Node):
    """A rule of a ruleset: its repository and itself."""

    def id(self):
        return node("RRU", self.record[1].ruleset)

    def type(self):
        return self.record[1].type.upper()

    def parameters(self):
        rule = self.record[1]
        kind = "".join(word.title() for word in rule.type.split("_")) + "Parameters"
        return RuleParameters(self.view, rule.parameters, kind) if rule.parameters else None

    def repository_ruleset(self):
        return RepositoryRuleset(self.view, self.record)


class RuleParameters(Node):
    """What a rule demands, by the names that REST has, too."""

    def __getattr__(self, name):
        if name not in self.record:
            raise AttributeError(name)
        return self.record[name]

    def required_status_checks(self):
        return [{"integration_id": None} | check for check in self.record["required_status_checks"]]


class RepositoryRuleset(Node):
    """What holds a rule."""

    def id(self):
        return node("RRS", self.database_id())

    def database_id(self):
        return self.record[1].ruleset

    def name(self):
        return f"ruleset {self.database_id()}"

    def enforcement(self):
        return "ACTIVE"

    def source(self):
        return self.of(code.Repository, self.record[0])
