"""Accounts and tokens of a world."""

from github_double.records import Account, Token
from github_double.store import Store


class People(Store):
    """Who is there; `user` is who the usual token speaks for."""

    def __init__(self):
        super().__init__()
        self.user = self.add_user("smith")

    def add_user(self, login, kind="User"):
        """Add an account: a User, a Bot (without `[bot]` in its login) or an Organization."""
        number, now = self.stamp()
        account = Account(login=login, id=number, kind=kind, created_at=now)
        self.accounts[login.lower()] = account
        return account

    def add_token(self, value, account, **fields):
        """Let requests in with a token."""
        self.tokens[value] = Token(account=account, **fields)
        return value
