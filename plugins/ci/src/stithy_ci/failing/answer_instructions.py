"""What to do first, with reasons that the entries prove (PULL-13)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from attrs import frozen

from stithy_ci.ci_state.check_verdicts import format_verdict
from stithy_ci.ci_state.commit_state import CommitState
from stithy_ci.failing.failure_entry import Entry
from stithy_core.spi import Meta, Unknown, excerpt, format_count

MOST = 5
WORDS = 100
NOUNS: Mapping[str, str] = {
    "test": "test",
    "compile": "compile error",
    "lint": "lint error",
    "dependency": "dependency failure",
    "timeout": "timeout",
    "cancelled": "cancelled check",
    "out_of_memory": "process out of memory",
    "runner_lost": "lost runner",
    "step": "failed step",
}
PLURALS: Mapping[str, str] = {"out_of_memory": "processes out of memory"}
BLOCKING: Mapping[str, str] = {
    "dependency": "dependencies could not be installed in {check}: later steps did not run",
    "compile": "the code does not compile in {check}: tests that need it did not run",
    "runner_lost": "the runner of {check} was lost: the results of unfinished steps are unknown",
    "out_of_memory": "a process of {check} ran out of memory: the results of tests that it had not run are unknown",
    "timeout": "{check} exceeded its time limit: the results of unfinished steps are unknown",
}
"""What failures of these kinds prevent, the most severe first."""
LOADERS = frozenset({"pytest", "unittest", "django", "jest", "vitest", "mocha", "node", "ava", "rspec", "minitest"})
UNLOADED = "{tool} could not load it in {check}: none of its tests ran"


@frozen(kw_only=True)
class Priority:
    """What to look at first, and the reason."""

    test: str
    reason: str
    suggested_fix: str | None = None


@frozen(kw_only=True)
class Instructions:
    """What to do about the failures (PULL-13): `commands` run all of them again, one for each tool and place."""

    summary: str
    priority: tuple[Priority, ...]
    commands: Annotated[tuple[str, ...], Meta(cut=False)]


def create_instructions(truth: CommitState, entries: Sequence[Entry], commands: Sequence[str]) -> Instructions:
    """Return the instructions."""
    blocking = [entry for entry in entries if not entry.allowed_to_fail]
    return Instructions(
        summary=f"{summarize(truth, blocking)}{_format_allowed(truth)}",
        priority=tuple(_iterate_priorities(blocking))[:MOST],
        commands=tuple(commands),
    )


def summarize(truth: CommitState, entries: Sequence[Entry]) -> str:
    """Return the result of CI in one or two sentences.

    Args:
        truth: The state of the commit.
        entries: The failures that count.
    """
    total, failed, waiting = len(truth.checks), len(truth.blocking), len(truth.under_way)
    going = f"{waiting} of {format_count(total, 'check')} still under way"
    if failed:
        sentence = f"{_format_kinds(entries)} in {failed} of {format_count(total, 'check')}{_format_files(entries)}"
        return f"{sentence}; {going}" if waiting else sentence
    if waiting:
        return f"{going}, nothing has failed so far"
    if truth.status == "passed":
        words = Counter(map(format_verdict, truth.checks))
        others = [f"{count} {word}" for word, count in sorted(words.items()) if word != "passed"]
        sentence = ", ".join([f"{words['passed']} of {format_count(total, 'check')} passed", *others])
        return sentence + _describe_unread_runs(truth)
    return explain_status(truth)


def _format_allowed(truth: CommitState) -> str:
    count = len(truth.failing) - len(truth.blocking)
    return f"; {format_count(count, 'failed check')} {'is' if count == 1 else 'are'} allowed to fail" if count else ""


def _describe_unread_runs(truth: CommitState) -> str:
    """Return what the checks' verdicts leave open: a run that could not start may have no check at all."""
    if not isinstance(truth.runs, Unknown):
        return ""
    return f"; a failed run without a check would not show, as the workflow runs are unknown: {truth.runs.reason}"


def explain_status(truth: CommitState) -> str:
    """Return why nothing is known, or what is missing; empty otherwise."""
    if not truth.checks and not truth.cut:
        return "No CI checks configured"
    odd = [f"{check.name} ({format_verdict(check)})" for check in truth.checks if isinstance(check.verdict, Unknown)]
    if truth.status == "unknown":
        reason = truth.cut or f"the verdicts of these checks are not known: {', '.join(odd[:MOST])}"
        return f"Not all of CI could be read: {reason}"
    if truth.status == "pending" and not truth.under_way:
        return f"Required checks that were not reported: {', '.join(truth.missing[:MOST])}"
    return ""


def _iterate_priorities(entries: Sequence[Entry]) -> Iterator[Priority]:
    """Iterate over what blocks others, what many have in common, and what fails everywhere."""
    listed = set()
    for entry, reason in (
        *_iterate_blocking(entries),
        *_iterate_alike(entries),
        *_iterate_widespread(entries),
        *_iterate_single(entries),
    ):
        if entry.key not in listed:
            listed.add(entry.key)
            yield Priority(test=entry.test_name, reason=reason, suggested_fix=entry.suggested_fix)
    for entry in entries:
        if entry.suggested_fix and entry.key not in listed:
            yield Priority(
                test=entry.test_name, reason=f"{entry.tool} itself suggests a fix", suggested_fix=entry.suggested_fix
            )


def _iterate_blocking(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    for kind, reason in BLOCKING.items():
        seen = set()
        for entry in entries:
            if entry.kind == kind and entry.source != "check" and entry.check_name not in seen:
                seen.add(entry.check_name)
                loads = kind == "compile" and entry.tool in LOADERS
                yield entry, (UNLOADED if loads else reason).format(check=entry.check_name, tool=entry.tool)


def _iterate_alike(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Iterate over failures that share a message: one fix may solve all."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.kind == "test" and (first := entry.error_message.strip().partition("\n")[0]):
            groups[first].append(entry)
    for message, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(group) > 1:
            yield group[0], f"{len(group)} tests fail with the same message: {excerpt(message, WORDS)}"


def _iterate_widespread(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Return what fails in more checks than anything else does."""
    widest = sorted(entries, key=lambda entry: -entry.spread)
    if len(widest) > 1 and widest[0].spread > widest[1].spread:
        yield widest[0], f"it fails in {widest[0].spread} checks, more than any other"


def _iterate_single(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    if len(entries) == 1:
        yield entries[0], "it is the only failure"


def _format_kinds(entries: Sequence[Entry]) -> str:
    kinds: Counter[str] = Counter(entry.kind or "" for entry in entries)
    parts = [format_count(kinds[kind], noun, PLURALS.get(kind, "")) for kind, noun in NOUNS.items() if kind in kinds]
    if kinds[""]:
        parts.append(f"{format_count(kinds[''], 'failure')} of which only the check is known")
    return f"{', '.join(parts)} failed" if list(kinds) == ["test"] else ", ".join(parts) or "Failures"


def _format_files(entries: Sequence[Entry]) -> str:
    files = Counter(entry.file_path for entry in entries if entry.file_path)
    if not files:
        return ""
    (name, count), others = files.most_common(1)[0], len(files) - 1
    if not others:
        return f", all in {excerpt(name)}" if count == len(entries) else f", {count} in {excerpt(name)}"
    return f", {count} in {excerpt(name)} and the others in {format_count(others, 'file')} more"
