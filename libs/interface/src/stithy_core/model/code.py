"""What a forge knows of the code: repositories, commits and changes."""

from datetime import datetime

from attrs import field, frozen

from stithy_core.model import NOT_REPORTED, Listing, Maybe, RepositoryRef
from stithy_core.model.conversations import User


@frozen(kw_only=True)
class Repository:
    """A repository.

    Args:
        ref: Its current name, even if it was requested by an old one.
        url: Its page.
        default_branch: The branch that pull requests are merged into by default; empty for an empty repository.
        private: Whether it is hidden from anonymous readers; internal repositories are private. Unknown if the forge
            does not report it.
        archived: Whether it takes no writes.
        fork: Whether it is a fork.
        clone_url: For git over HTTPS; it holds no token. Empty if the forge does not report it.
        parent: The repository that it is a fork of; None for no fork, or if the token cannot see it.
        writable: Whether the token's user may push; unknown if the forge reports it to other tokens only.
        merge_methods: How a pull request may be merged: merge, squash, rebase, and the forge's own words. Unknown if
            the forge reports them to other tokens only.
        size: The bytes that it takes on the forge, with its whole history; unknown if the forge does not report it.
    """

    ref: RepositoryRef
    url: str
    default_branch: str
    private: Maybe[bool]
    archived: bool
    fork: bool = False
    clone_url: str = ""
    parent: RepositoryRef | None = None
    writable: Maybe[bool] = NOT_REPORTED
    merge_methods: Maybe[tuple[str, ...]] = NOT_REPORTED
    size: Maybe[int] = NOT_REPORTED


@frozen(kw_only=True)
class Commit:
    """A commit, with the names that git records and the accounts that the forge assigns to them.

    Args:
        sha: Its full SHA, in lower case.
        message: The whole message, with subject and body.
        author_name: The name that git records for the author.
        author_email: The address that git records for the author.
        authored_at: When it was written, in UTC.
        committed_at: When it was committed, in UTC.
        author: The account of the author; None if the forge assigns none.
        committer: The account of the committer; None if the forge assigns none.
        parents: The SHAs of its parents, in their order in the commit.
        verified: Whether the forge verified its signature, False for none. Unknown if the forge verifies none, or does
            not report it here.
        url: Its page; empty if the forge does not report it.
    """

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
        path: Its path after the change; before it, if the file was deleted.
        status: added, modified, deleted, renamed, copied, changed (its mode or type) or unchanged.
        additions: The number of added lines; 0 for a binary file.
        deletions: The number of deleted lines; 0 for a binary file.
        previous_path: Its path before a rename, or the path that it was copied from; else empty.
        patch: The hunks of its diff. None if they were not requested; unknown if the forge leaves them out, as for a
            large or a binary file.
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
        base: The branch or commit to compare with, as requested.
        head: The branch or commit that was compared, as requested.
        ahead: The number of commits that only `head` has; unknown if the forge does not count them.
        behind: The number of commits that only `base` has; unknown if the forge does not count them.
        merge_base: The SHA of the latest commit that both have; unknown if the forge does not report it.
        commits: The commits that only `head` has, oldest first.
        files: The files that `head` changed since the merge base, by path; unknown if the forge does not list them.
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
