"""What a forge knows of the code: repositories, commits and changes."""

from datetime import datetime

from attrs import field, frozen

from stithy_core.model import NOT_REPORTED, Listing, Maybe, RepositoryRef
from stithy_core.model.conversations import User


@frozen(kw_only=True)
class Repository:
    """A repository; `ref` is its current name, even if it was requested by an old one.

    Args:
        writable: Whether the token's user may push.
        clone_url: For git over HTTPS; it holds no token.
        parent: The repository that it is a fork of.
        merge_methods: How a pull request may be merged: merge, squash, rebase, and the forge's own words.
    """

    ref: RepositoryRef
    url: str
    default_branch: str
    private: bool
    archived: bool
    fork: bool = False
    clone_url: str = ""
    parent: RepositoryRef | None = None
    writable: Maybe[bool] = NOT_REPORTED
    merge_methods: Maybe[tuple[str, ...]] = NOT_REPORTED


@frozen(kw_only=True)
class Commit:
    """A commit, with the names that git records and the accounts that the forge assigns to them."""

    sha: str
    message: str
    author_name: str
    author_email: str
    authored_at: datetime
    committed_at: datetime
    author: User | None = None
    committer: User | None = None
    parents: tuple[str, ...] = ()
    verified: Maybe[bool] = NOT_REPORTED
    url: str = ""


@frozen(kw_only=True)
class FileChange:
    """One file that changed.

    Args:
        status: added, modified, deleted, renamed, copied, changed (its mode or type) or unchanged.
        additions: Lines.
        patch: The hunks of its diff. None if they were not requested; unknown if the forge leaves them out.
    """

    path: str
    status: str
    additions: int
    deletions: int
    previous_path: str = ""
    patch: Maybe[str] | None = None


@frozen(kw_only=True)
class Comparison:
    """The difference of `head` and `base` since their `merge_base`.

    Args:
        ahead: The number of commits that only `head` has.
        behind: The number of commits that only `base` has.
    """

    base: str
    head: str
    ahead: Maybe[int]
    behind: Maybe[int]
    merge_base: Maybe[str]
    commits: Listing[Commit]
    files: Maybe[Listing[FileChange]]


@frozen(kw_only=True)
class GitRemote:
    """What git needs to read a repository.

    Args:
        url: The URL; it contains neither a user nor a secret.
        user: The user name, if there is a secret.
        secret: The token or password of `user`, valid at this URL only; empty for anonymous reading. Pass it to git
            by a pipe or a variable of its own, never as an argument, and do not store it: `repr` leaves it out.
        ca_file: The file of a private certificate authority; empty for the public ones.
        lockdown: Whether the settings withhold texts of people who may not push: then neither messages nor names of
            commits are shown, since git does not prove who wrote them.
    """

    url: str
    user: str = ""
    secret: str = field(default="", repr=False)
    ca_file: str = ""
    lockdown: bool = False
