"""What all capabilities of the sandbox share: its world, and the rules that stand before a write."""

from typing import TYPE_CHECKING, TypeVar

from stithy_core.spi import Archived, Capability, IssueRef, Listing, Locked, Moved, Rejected

if TYPE_CHECKING:
    from stithy_sandbox.forge import Sandbox
    from stithy_sandbox.world import World

T = TypeVar("T")

LONGEST = 65_536


class InWorld(Capability):
    """Stands before the capability in a class's bases, so that its forge is known to be a sandbox."""

    forge: "Sandbox"

    @property
    def world(self) -> "World":
        """The forge's world; looked up each time, since a test may give the forge another one."""
        return self.forge.world

    def admit(self, subject: IssueRef) -> None:
        """Pass a conversation that the token's user may write to.

        Raises:
            Refused: The settings allow no writing.
            NotFound: It is absent.
            Moved: The repository has another name now.
            Archived: The repository takes no writes.
            Locked: The conversation is locked, and the user has no write access.
        """
        self.forge.config.admit_write()
        locked = self.world.conversation(subject).subject.locked
        repository = self.world.repository(subject.repository)
        if str(repository.ref).lower() != str(subject.repository).lower():
            text = f"{subject.repository} is called {repository.ref} now; nothing was written"
            raise Moved(text, suggestion=f"Use {repository.ref}.")
        if repository.archived:
            text = f"{repository.ref} is archived and takes no writes"
            raise Archived(text, suggestion="Its owner can unarchive it.")
        if locked is True and not repository.writable:
            remedy = "Only people with write access to the repository may comment, or unlock it."
            raise Locked(f"the conversation of {subject} is locked", suggestion=remedy)


def checked(body: str) -> str:
    """Pass a comment's text, exactly as given.

    Raises:
        Rejected: It is blank or too long.
    """
    if not body.strip():
        raise Rejected("a comment must not be blank", suggestion="Write something in it.")
    if len(body) > LONGEST:
        raise Rejected(f"a comment has at most {LONGEST:,} characters, not {len(body):,}", suggestion="Shorten it.")
    return body


def first(items: list[T], most: int) -> Listing[T]:
    """Give a listing of the first items, and say whether there are more."""
    cut = f"only the first {most:,} were read" if len(items) > most else ""
    return Listing(tuple(items[:most]), len(items), cut)
