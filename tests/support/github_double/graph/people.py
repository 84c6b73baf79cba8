"""Accounts in the graph, and the common fields of their texts."""

from __future__ import annotations

from typing import Any

from github_double.graph.core import Node, View
from github_double.records import BOT, Account, Repository
from github_double.rest.people import PREFIXES, login_of, read_association
from github_double.rest.routing import node, time


class Actor(Node):
    """An account; the login of a bot has no `[bot]` here."""

    record: Account

    def id(self) -> str:
        return node(PREFIXES[self.record.kind], self.record.id)

    def database_id(self) -> int:
        return self.record.id

    def login(self) -> str:
        return self.record.login

    def name(self) -> str:
        return self.record.login.title()

    def url(self) -> str:
        return self.html(f"/{'apps/' if self.record.kind == BOT else ''}{self.record.login}")


class Viewer(Actor):
    """The viewer, a User in the schema; so the login of an app's bot ends in `[bot]` here."""

    def login(self) -> str:
        return login_of(self.record)


def actor(view: View, account: Account | None) -> Actor | None:
    """Show an account; None for one that was deleted."""
    return Actor(view, account, account.kind) if account else None


class Written(Node):
    """A text with an author; `home` is the repository."""

    record: Any

    def home(self) -> Repository:
        repository: Repository = self.record.repository
        return repository

    def author(self) -> Actor | None:
        return actor(self.view, self.record.user)

    def author_association(self) -> str:
        return read_association(self.record.user, self.home())

    def viewer_did_author(self) -> bool:
        return self.record.user is self.view.viewer

    def database_id(self) -> int:
        return int(self.record.id)

    def full_database_id(self) -> str:
        return str(self.record.id)

    def body(self) -> str:
        return self.record.body or ""

    def is_minimized(self) -> bool:
        return self.record.minimized is not None

    def minimized_reason(self) -> Any:
        return self.record.minimized

    def created_at(self) -> str | None:
        return time(self.record.created_at)

    def updated_at(self) -> str | None:
        return time(self.record.updated_at)
