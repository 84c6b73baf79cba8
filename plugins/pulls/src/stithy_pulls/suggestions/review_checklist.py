"""Questions for a reviewer, only those that the diff raises."""

from collections.abc import Iterable

from attrs import frozen

from stithy_pulls.facts.risk_facts import Fact


@frozen(kw_only=True)
class ChecklistItem:
    """A question, and how to answer it."""

    question: str
    guidance: str


@frozen(kw_only=True)
class ChecklistSection:
    """The questions about one topic."""

    category: str
    items: tuple[ChecklistItem, ...]


QUESTIONS = {
    "secret": ("Is it a real secret?", "If so, it is public already: revoke it, then remove it"),
    "workflow permissions": (
        "Does the workflow need its permissions?",
        "Compare each permission with the steps of the workflow",
    ),
    "privileged workflow": ("Can code of a fork read its secrets?", "Check whether it checks out or runs the head"),
    "certificate check": (
        "Can the connection be intercepted?",
        "Check the target of the connection, and what it transmits",
    ),
    "public name removed": ("Who uses the removed name?", "Search for callers here and in dependent projects"),
    "migration": ("Does it work on the largest table, and with the running version?", "Check locks and defaults"),
    "migration without down": ("How is it reversed?", "Request a downgrade, or the reason why there is none"),
    "migration rewritten": ("Was it applied anywhere already?", "If so, add a new migration instead"),
    "data dropped": ("Is the data still needed?", "Search for readers of the dropped data, including older versions"),
    "dependency": ("Is it needed, and is it the intended package?", "Check name, maintainer and license"),
    "submodule": ("What does the new commit include?", "Read the log between the two commits in the submodule"),
    "test deleted": ("What covers its cases now?", "Search for the same cases in other tests"),
    "test removed": ("What covers their cases now?", "Search for the same cases in other tests"),
    "test skipped": ("Why is it disabled, and until when?", "Search for an issue that enables it again"),
    "untested": ("What would fail if the change were wrong?", "Search for tests that run the changed lines"),
    "conflict marker": ("Which side is right?", "Compare with both parents"),
}
"""By the kind of fact: a question and its guidance. Other facts raise no question."""


def build_checklist(facts: Iterable[Fact]) -> list[ChecklistSection]:
    """Return the questions that the facts raise, each once with its places."""
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.kind in QUESTIONS:
            kinds.setdefault(fact.kind, []).append(fact)
    sections: dict[str, list[ChecklistItem]] = {}
    for kind, found in sorted(kinds.items(), key=lambda pair: -max(fact.points for fact in pair[1])):
        question, guidance = QUESTIONS[kind]
        item = ChecklistItem(question=question, guidance=f"{guidance}. {_format_places(kind, found)}")
        sections.setdefault(found[0].focus, []).append(item)
    return [ChecklistSection(category=category, items=tuple(items)) for category, items in sections.items()]


def _format_places(kind: str, facts: list[Fact]) -> str:
    named = [f"{fact.path}:{fact.line}" if fact.line else fact.path or fact.text for fact in facts[:3]]
    more = f" and {len(facts) - 3} more" if len(facts) > 3 else ""  # noqa: PLR2004 -- those that are named
    return f"{kind.capitalize()}: {', '.join(named)}{more}."
