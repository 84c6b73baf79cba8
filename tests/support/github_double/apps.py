"""Apps of a world: their keys, installations and tokens."""

from datetime import datetime, timedelta

from attrs import Factory, define
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from github_double.records import Account
from github_double.talks import Talks

LIFE = timedelta(hours=1)
MOST = timedelta(minutes=10)
"""The longest validity of a JWT."""


@define(kw_only=True, eq=False)
class App:
    """A GitHub App; `installations` are accounts by installation id, `bot` is the account of its tokens."""

    id: int
    bot: Account
    public_key: RSAPublicKey
    installations: dict[int, Account] = Factory(dict)


class Apps(Talks):
    """A world with apps that exchange JWTs for tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.apps: dict[int, App] = {}

    def add_app(self, slug: str, public_key: RSAPublicKey, *accounts: Account) -> App:
        """Add an app that is installed on some accounts."""
        number, _ = self.stamp()
        app = App(id=number, bot=self.add_user(slug, "Bot"), public_key=public_key)
        for account in accounts:
            app.installations[self.stamp()[0]] = account
        self.apps[number] = app
        return app

    def find_app(self, value: str) -> App | None:
        """Return the app that a JWT identifies; None for an invalid JWT."""
        import jwt

        try:
            issuer = int(jwt.decode(value, options={"verify_signature": False})["iss"])
            app = self.apps[issuer]
            unclocked: jwt.types.Options = {"verify_exp": False, "verify_iat": False}
            claims = jwt.decode(value, app.public_key, algorithms=["RS256"], options=unclocked)
        except (jwt.PyJWTError, KeyError, ValueError):
            return None
        now = self.now.timestamp()
        timely = claims["iat"] <= now < claims["exp"] <= now + MOST.total_seconds()
        return app if timely else None

    def create_token(self, app: App) -> tuple[str, datetime]:
        """Create a token of an installation; return its value and its expiry."""
        number, now = self.stamp()
        value, end = f"token-of-installation-{number}", now + LIFE
        self.add_token(value, app.bot, installed=True, expires_at=end)
        return value, end
