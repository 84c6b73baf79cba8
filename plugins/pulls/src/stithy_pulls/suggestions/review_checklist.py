"""Questions for a reviewer: only those to which the diff gives cause."""

from collections.abc import Iterable

from attrs import frozen

from stithy_pulls.facts.risk_facts import Fact


@frozen(kw_only=True)
class ChecklistItem:
    """A question, and how to answer it here."""

    question: str
    guidance: str


@frozen(kw_only=True)
class ChecklistSection:
    """The questions of one category."""

    category: str
    items: tuple[ChecklistItem, ...]


QUESTIONS = {
    "secret": ("Is it a real secret?", "If so it is public already: revoke it, then remove it"),
    "workflow permissions": (
        "Does the workflow need what it may do?",
        "Compare each permission with what its steps do",
    ),
    "privileged workflow": ("Can code of a fork reach its secrets?", "Look whether it checks out or runs the head"),
    "certificate check": ("Who may stand between?", "Look where the connection leads, and what it carries"),
    "public name removed": ("Who uses what is gone?", "Search for callers here and in what depends on it"),
    "public signature": ("Do all callers fit the new signature?", "Search for calls with the old arguments"),
    "migration": ("Does it hold on the largest table, and beside the running version?", "Look for locks and defaults"),
    "migration without down": ("How is it undone?", "Ask for a way back, or for the reason why there is none"),
    "migration rewritten": ("Was it applied anywhere already?", "If so, a new migration must do it"),
    "data dropped": ("Is the data needed by anybody?", "Look for readers of what is dropped, older versions too"),
    "dependency": ("Is it needed, and is it the package that is meant?", "Check name, maintainer and licence"),
    "lock file alone": ("What changed in the lock file, and why?", "Compare versions and sources of its entries"),
    "submodule": ("What comes with the new commit?", "Read the log between the two commits in the submodule"),
    "test deleted": ("What still tests what it tested?", "Look for the same cases in other tests"),
    "test removed": ("What still tests what they tested?", "Look for the same cases in other tests"),
    "test skipped": ("Why is it switched off, and until when?", "Look for an issue that brings it back"),
    "untested": ("What would fail if the change were wrong?", "Look for tests that run the changed lines"),
    "conflict marker": ("Which side was meant?", "Compare with both parents"),
}
"""By the kind of fact. Whatever is not here is a fact without a question."""


def build_checklist(facts: Iterable[Fact]) -> list[ChecklistSection]:
    """Give the questions to which facts give cause, each once with its places."""
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.kind in QUESTIONS:
            kinds.setdefault(fact.kind, []).append(fact)
    sections: dict[str, list[ChecklistItem]] = {}
    for kind, found in sorted(kinds.items(), key=lambda pair: -max(fact.points for fact in pair[1])):
        question, guidance = QUESTIONS[kind]
        item = ChecklistItem(question=question, guidance=f"{guidance}. {_places(kind, found)}")
        sections.setdefault(found[0].focus, []).append(item)
    return [ChecklistSection(category=category, items=tuple(items)) for category, items in sections.items()]


def _places(kind: str, facts: list[Fact]) -> str:
    named = [f"{fact.path}:{fact.line}" if fact.line else fact.path or fact.text for fact in facts[:3]]
    more = f" and {len(facts) - 3} more" if len(facts) > 3 else ""  # noqa: PLR2004 -- those that are named
    return f"{kind.capitalize()}: {', '.join(named)}{more}."
