"""Which addresses in git belong to one person, and which names are those of bots."""

import re
from collections.abc import Iterable, Iterator, Mapping

from stithy_core.spi import User
from stithy_pulls.git.path_history import WITHHELD
from stithy_pulls.impact.impact_evidence import ImpactEvidence

SHARED_NAMES = frozenset(
    {"", "root", "ubuntu", "admin", "user", "unknown", "your name", "merge-script", WITHHELD.lower()}
)
"""Names, in lower case, under which several people commit."""
BOT = re.compile(r"(?<![^\W\d_])(?<!\ble )(?:ro)?bot(?![^\W\d_])")
"""`bot` or `robot` as a word. Le Bot is a surname."""
MERGE_BOTS = frozenset(
    {
        *("bors", "copybara-service", "flinkbot", "googlebot", "homu", "kodiakhq", "mergify", "msftbot"),
        *("openstack-zuul", "pytorchmergebot", "rustbot", "tensorflow-copybara", "vscodebot", "web-flow"),
        *("zephyrbot", "zuul"),
    }
)
"""Accounts of programs that merge, without `bot` as a word in their name."""


def is_bot_name(name: str) -> bool:
    """Return whether a login, or a name in git, is that of a bot. Many bots that merge have the account of a person."""
    lower = name.lower()
    return lower in MERGE_BOTS or BOT.search(lower) is not None


def list_identities(evidence: ImpactEvidence) -> Iterator[tuple[str, str]]:
    """Yield the addresses in the evidence, each with a name."""
    yield from evidence.blame.names.items()
    yield from ((author.mail, author.name) for author in evidence.activity.authors.values())
    yield from evidence.writers.items()
    for decision in evidence.decisions:
        yield from decision.names.items()


def join_addresses(
    identities: Iterable[tuple[str, str]], accounts: Mapping[str, User]
) -> tuple[dict[str, User], dict[str, str]]:
    """Join addresses without an account with others of the same name.

    Args:
        identities: Pairs of an address and a name.
        accounts: The known accounts, by address.

    Returns:
        By address: the account, if all known accounts of the name are one; and the address to use instead, if no
        account of the name is known.
    """
    by_name: dict[str, list[str]] = {}
    for mail, name in dict.fromkeys((mail.lower(), " ".join(name.lower().split())) for mail, name in identities):
        if name not in SHARED_NAMES:
            by_name.setdefault(name, []).append(mail)
    joined: dict[str, User] = dict(accounts)
    instead: dict[str, str] = {}
    for mails in by_name.values():
        users = {user.login.lower(): user for mail in mails if (user := accounts.get(mail))}
        if len(users) == 1:
            joined |= dict.fromkeys((mail for mail in mails if mail not in accounts), *users.values())
        elif not users:
            instead |= dict.fromkeys(mails, mails[0])
    return joined, instead
