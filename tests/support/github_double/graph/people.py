"""Accounts in the graph, and what all that they wrote has alike."""

from github_double.graph.core import Node
from github_double.records import BOT
from github_double.rest.people import PREFIXES, login_of, read_association
from github_double.rest.routing import node, time


class Actor(Node):
    """An account; the login of a bot has no `[bot]` here."""

    def id(self):
        return node(PREFIXES[self.record.kind], self.record.id)

    def database_id(self):
        return self.record.id

    def login(self):
        return self.record.login

    def name(self):
        return self.record.login.title()

    def url(self):
        return self.html(f"/{'apps/' if self.record.kind == BOT else ''}{self.record.login}")


class Viewer(Actor):
    """Whoever asks, whom the schema calls a User; so the login of an app's bot has its mark here."""

    def login(self):
        return login_of(self.record)


def actor(view, account):
    """Show an account; None for one that was deleted."""
    return account and Actor(view, account, account.kind)


class Written(Node):
    """What somebody wrote; `home` is the repository."""

    def home(self):
        return self.record.repository

    def author(self):
        return actor(self.view, self.record.user)

    def author_association(self):
        return read_association(self.record.user, self.home())

    def viewer_did_author(self):
        return self.record.user is self.view.viewer

    def database_id(self):
        return self.record.id

    def full_database_id(self):
        return str(self.record.id)

    def body(self):
        return self.record.body or ""

    def is_minimized(self):
        return self.record.minimized is not None

    def minimized_reason(self):
        return self.record.minimized

    def created_at(self):
        return time(self.record.created_at)

    def updated_at(self):
        return time(self.record.updated_at)
