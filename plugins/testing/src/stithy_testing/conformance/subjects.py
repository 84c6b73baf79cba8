"""Issues and pull requests, read one by one."""

from stithy_core.spi import Issue, Issues, Label, PullRequests
from stithy_testing.conformance.facts import agrees, sound
from stithy_testing.conformance.refusals import absent_repository, an_issue, missing_number
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


class IssueFacts:
    """`Issues.get`."""

    @needs(Issues.get)
    async def test_issue_has_its_facts(self, stage: Stage) -> None:
        """An issue is told whole: number, texts, state, author and labels."""
        issue = sound(await stage.forge.issues.get(stage.issue))
        assert str(issue.ref) == str(stage.issue)
        assert (issue.title, issue.body, issue.state) == ("It does not greet", "Say hello.", "open")
        assert (issue.author.login, issue.closed_at, issue.is_pull_request) == (stage.author, None, False)
        assert [(label.name, label.colour) for label in issue.labels] == [("bug", "ee0701")]
        assert all(isinstance(label, Label) for label in issue.labels)

    @needs(Issues.get)
    async def test_issue_is_never_told_wrong(self, stage: Stage) -> None:
        """What a forge may leave open is right, or it is unknown."""
        issue = await stage.forge.issues.get(stage.issue)
        assert agrees(issue.locked, expected=False)
        assert agrees(issue.comment_count, len(("first", "second", "third")))

    @needs(Issues.get)
    async def test_issue_closed(self, stage: Stage) -> None:
        """A closed issue says so, and when it was closed."""
        issue = sound(await stage.forge.issues.get(stage.closed))
        assert issue.state == "closed"
        assert issue.closed_at is not None
        assert issue.created_at <= issue.closed_at

    @needs(Issues.get, PullRequests.get)
    async def test_issue_of_a_pull_request(self, stage: Stage) -> None:
        """Asked for a pull request's number, it gives the issue that it is as well, which says so: no `PullRequest`."""
        face = sound(await stage.forge.issues.get(stage.pr))
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert (type(face), face.is_pull_request) == (Issue, True)
        assert str(face.ref) == str(pull.ref)
        assert (face.title, face.body, face.state, face.author) == (pull.title, pull.body, pull.state, pull.author)

    @needs(Issues.get)
    async def test_issue_that_is_missing(self, stage: Stage) -> None:
        """A missing number is told from a missing repository."""
        with missing_number(stage):
            await stage.forge.issues.get(stage.missing_issue)

    @needs(Issues.get)
    async def test_issue_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is called that, by its name."""
        with absent_repository(stage):
            await stage.forge.issues.get(stage.absent_issue)


class PullRequestFacts:
    """`PullRequests.get`."""

    @needs(PullRequests.get)
    async def test_pull_request_has_its_facts(self, stage: Stage) -> None:
        """A pull request is told whole, and what a forge may leave open is right or unknown."""
        pull = sound(await stage.forge.pull_requests.get(stage.pr))
        assert str(pull.ref) == str(stage.pr)
        assert (pull.title, pull.body, pull.state) == ("Greet", "Closes #1.", "open")
        assert (pull.author.login, pull.merged, pull.merged_at) == (stage.author, False, None)
        assert agrees(pull.locked, expected=False)
        assert agrees(pull.archived, expected=False)
        assert agrees(pull.requested_reviewers, ())

    @needs(PullRequests.get)
    async def test_pull_request_has_two_ends(self, stage: Stage) -> None:
        """Head and base have branch, commit and repository, and it is from no fork."""
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert (pull.head.branch, pull.base.branch) == ("greet", "main")
        assert (pull.head.repository, pull.base.repository) == (stage.repository, stage.repository)
        assert {len(pull.head.commit), len(pull.base.commit)} == {40}
        assert pull.from_fork is False

    @needs(PullRequests.get)
    async def test_pull_request_counts_its_changes(self, stage: Stage) -> None:
        """Lines and files are counted as git counts them, or unknown."""
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert agrees(pull.additions, 13)
        assert agrees(pull.deletions, 2)
        assert agrees(pull.changed_files, 4 if stage.renames else 3)

    @needs(PullRequests.get)
    async def test_pull_request_merged(self, stage: Stage) -> None:
        """A merged one is closed, and says when, by whom and with which commit it was merged."""
        pull = sound(await stage.forge.pull_requests.get(stage.merged))
        assert (pull.merged, pull.state) == (True, "closed")
        assert pull.merged_at is not None
        assert pull.merged_by is not None
        assert pull.merged_by.login == stage.author
        assert pull.merge_commit

    @needs(PullRequests.get)
    async def test_pull_request_draft(self, stage: Stage) -> None:
        """A draft is one, and another is none."""
        assert agrees((await stage.forge.pull_requests.get(stage.draft)).draft, expected=True)
        assert agrees((await stage.forge.pull_requests.get(stage.pr)).draft, expected=False)

    @needs(PullRequests.get)
    async def test_pull_request_that_is_missing(self, stage: Stage) -> None:
        """A missing number is told from a missing repository."""
        with missing_number(stage):
            await stage.forge.pull_requests.get(stage.missing_pr)

    @needs(PullRequests.get)
    async def test_pull_request_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is called that, by its name."""
        with absent_repository(stage):
            await stage.forge.pull_requests.get(stage.absent_pr)

    @needs(PullRequests.get)
    async def test_pull_request_that_is_an_issue(self, stage: Stage) -> None:
        """An issue's number is refused, and called that."""
        with an_issue():
            await stage.forge.pull_requests.get(stage.issue_as_pr)
