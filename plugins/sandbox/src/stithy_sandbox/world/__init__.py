"""The data of a sandbox: all objects of a forge, with methods to create any state."""

from stithy_core.spi import User, UserKind
from stithy_sandbox import URL
from stithy_sandbox.world.ci_runs import CiRuns, Work
from stithy_sandbox.world.discussion import ReviewThreads
from stithy_sandbox.world.repositories import Subjects

__all__ = ["Work", "World"]


class World(Subjects, ReviewThreads, CiRuns):
    """All objects of one forge, empty at first. Ids are unique across it; the default author is the token's user.

    Args:
        url: The URL of the forge, and the prefix of its objects' URLs.
    """

    def __init__(self, url: str = URL) -> None:
        super().__init__()
        self.url = url
        self.user = self.add_user("apprentice")
        """The token's user."""

    def add_user(self, login: str, kind: UserKind = UserKind.PERSON) -> User:
        """Create an account. A deleted account has no id; create it with `User(login="ghost", kind=UserKind.GHOST)`."""
        return User(login=login, id=self.stamp()[0], kind=kind)
