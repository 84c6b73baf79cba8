"""A world to play in: everything a forge holds, with a method to make each situation."""

from stithy_core.spi import User, UserKind
from stithy_sandbox import URL
from stithy_sandbox.world.machines import Machines, Work
from stithy_sandbox.world.subjects import Subjects
from stithy_sandbox.world.threads import TalkInTheDiff

__all__ = ["Work", "World"]


class World(Subjects, TalkInTheDiff, Machines):
    """All that one forge holds, empty at first. Ids are unique across it, and what is made is the user's by default.

    Args:
        url: Where the forge is said to be; the URLs of what it holds begin with it.
    """

    def __init__(self, url: str = URL) -> None:
        super().__init__()
        self.url = url
        self.user = self.add_user("apprentice")
        """Who the token speaks for."""

    def add_user(self, login: str, kind: UserKind = UserKind.PERSON) -> User:
        """Add an account; a ghost has no id and needs none: `User("ghost", kind=UserKind.GHOST)`."""
        return User(login, self.stamp()[0], kind)
