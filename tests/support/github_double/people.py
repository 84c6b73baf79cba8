"""Accounts and tokens of a world."""

from typing import Any

from github_double.records import Account, Token
from github_double.store import Store


class People(Store):
    """A world with accounts; `user` is the usual token's."""

    def __init__(self) -> None:
        super().__init__()
        self.user = self.add_user("smith")

    def add_user(self, login: str, kind: str = "User") -> Account:
        """Add an account: a User, a Bot (without `[bot]` in its login) or an Organization."""
        number, now = self.stamp()
        account = Account(login=login, id=number, kind=kind, created_at=now)
        self.accounts[login.lower()] = account
        return account

    def add_token(self, value: str, account: Account, **fields: Any) -> str:
        """Add a token that admits requests."""
        self.tokens[value] = Token(account=account, **fields)
        return value
