"""Which addresses in git belong to one person: what the accounts of a forge say, read from names."""

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.reviewers._histories import ReviewCase

from stithy_core.spi import User

PRIVATE = "@users.noreply.github.com"
LOGIN = "login "
SCRIPTS = frozenset({"merge-script"})
"""Names of programs under which several people commit."""


class AccountGroups:
    """Groups of addresses, names and logins that belong together."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._parents: dict[str, str] = {}
        known = sorted({(mail, name.lower()) for mail, name in pairs if mail})
        for mail, name in known:
            for other in self._list_related(mail, name):
                self._join(mail, other)
        logins = [key for key in self._parents if key.startswith(LOGIN)]
        named = {self._find(key): key.removeprefix(LOGIN) for key in logins}
        roots = {mail: self._find(mail) for mail, _ in known}
        self.accounts = {mail: User(login=named.get(root, root.replace("/", "-"))) for mail, root in roots.items()}

    def _find(self, key: str) -> str:
        while (parent := self._parents.setdefault(key, key)) != key:
            key = parent
        return key

    def _join(self, one: str, other: str) -> None:
        self._parents[self._find(other)] = self._find(one)

    @staticmethod
    def _list_related(mail: str, name: str) -> Iterator[str]:
        if name and name not in SCRIPTS:
            yield f"name {name}"
        if mail.endswith(PRIVATE):
            yield f"{LOGIN}{mail.removesuffix(PRIVATE).rpartition('+')[2]}"


def list_identities(cases: Sequence[ReviewCase]) -> Iterator[tuple[str, str]]:
    """Yield the addresses that cases show, each with a name."""
    for case in cases:
        for change in (case.change, *case.evidence.decisions):
            yield from change.names.items()
        yield from case.evidence.blame.names.items()
        yield from ((author.mail, author.name) for author in case.evidence.activity.authors.values())
