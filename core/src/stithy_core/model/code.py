"""What a forge knows of the code: repositories, commits and changes."""

from datetime import datetime

from attrs import field, frozen

from stithy_core.model import NOT_REPORTED, Listing, Maybe, RepositoryRef
from stithy_core.model.conversations import User


@frozen(kw_only=True)
class Repository:
    """A repository; `ref` is its present name, also where an old one was asked for.

    Args:
        writable: Whether the token's user may push.
        clone_url: For git over HTTPS; it holds no token.
        parent: Of what it is a fork.
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
    """A commit, with the names that git has and the accounts that the forge found for them."""

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
        patch: The hunks of its diff. None where they were not asked for; unknown where the forge leaves them out.
    """

    path: str
    status: str
    additions: int
    deletions: int
    previous_path: str = ""
    patch: Maybe[str] | None = None


@frozen(kw_only=True)
class Comparison:
    """What `head` has that `base` has not, since they parted at `merge_base`.

    Args:
        ahead: How many commits.
        behind: How many commits `base` has that `head` has not.
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
        url: Where; it holds neither a user nor a secret.
        user: Who asks, where there is a secret.
        secret: What lets `user` in, at this URL and nowhere else; empty reads what everybody may read. Give it to git
            by a pipe or a variable of its own, never as an argument, and keep it nowhere: `repr` leaves it out.
        ca_file: The certificate authority to trust, where it is a private one.
        lockdown: Whether the settings withhold words of strangers: then nothing is shown of what commits say, neither
            message nor names, since git proves nobody's.
    """

    url: str
    user: str = ""
    secret: str = field(default="", repr=False)
    ca_file: str = ""
    lockdown: bool = False
