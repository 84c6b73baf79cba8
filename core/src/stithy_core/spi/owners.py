"""Where a forge looks for the file that says who owns which code, and how it reads it."""

from attrs import frozen


@frozen(kw_only=True)
class OwnersFile:
    """The file of code owners, as one forge has it.

    Args:
        places: Where it may be; the first that is there counts.
        of_default: Whether it is that of the repository's default branch, instead of a pull request's own base.
        expressions: Whether its patterns are regular expressions for whole paths, all of which add up, where `!` is for
            every file that does not fit. Otherwise they are as in gitignore, and the last one that fits counts.
    """

    places: tuple[str, ...] = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
    of_default: bool = False
    expressions: bool = False
