"""The base of the sandbox's capabilities: access to the world, and the checks before a write."""

from typing import TYPE_CHECKING, TypeVar

from stithy_core.spi import Archived, Capability, IssueRef, Listing, Locked, Moved, Rejected

if TYPE_CHECKING:
    from stithy_sandbox.sandbox_forge import Sandbox
    from stithy_sandbox.world import World

T = TypeVar("T")

LONGEST = 65_536


class SandboxCapability(Capability):
    """A base to list before the capability's own, so that type checkers know that the forge is a sandbox."""

    forge: "Sandbox"

    @property
    def world(self) -> "World":
        """The forge's world; read at each use, since a test may replace it."""
        return self.forge.world

    def check_write(self, subject: IssueRef) -> None:
        """Check that the token's user may write to a conversation.

        Raises:
            Refused: The settings do not allow writes.
            NotFound: The conversation or its repository does not exist.
            Moved: The repository was renamed.
            Archived: The repository is archived.
            Locked: The conversation is locked, and the user has no write access.
        """
        self.forge.config.admit_write()
        locked = self.world.conversation(subject).subject.locked
        repository = self.world.repository(subject.repository)
        if str(repository.ref).lower() != str(subject.repository).lower():
            text = f"{subject.repository} was renamed to {repository.ref}; nothing was written"
            raise Moved(text, suggestion=f"Call again with {repository.ref}.")
        if repository.archived:
            text = f"{repository.ref} is archived and takes no writes"
            raise Archived(text, suggestion="Ask its owner to unarchive it.")
        if locked is True and not repository.writable:
            remedy = "Ask somebody with write access to the repository to unlock the conversation."
            raise Locked(f"the conversation of {subject} is locked", suggestion=remedy)


def check_body(body: str) -> str:
    """Return a comment's text unchanged.

    Raises:
        Rejected: It is blank or too long.
    """
    if not body.strip():
        raise Rejected("a comment must not be blank", suggestion="Pass a text with visible characters.")
    if len(body) > LONGEST:
        raise Rejected(f"a comment has at most {LONGEST:,} characters, not {len(body):,}", suggestion="Shorten it.")
    return body


def limit_listing(items: list[T], most: int) -> Listing[T]:
    """Return a listing of the first items; `cut` says if there are more."""
    cut = f"only the first {most:,} were read" if len(items) > most else ""
    return Listing(tuple(items[:most]), total=len(items), cut=cut)
