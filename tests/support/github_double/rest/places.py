"""The repository of a path: by its name, by a former one, or by its number."""

from github_double.records import Repository
from github_double.requests import API, Request
from github_double.rest.routing import DOCS, Problem, missing
from github_double.world import World


def place(world: World, base: str, asked: Request) -> tuple[str, Repository | None]:
    """Find the path as GitHub describes it, and the repository in it, if there is one.

    Raises:
        Problem: There is no such repository, or it has another name now.
    """
    path = asked.path.removeprefix(API)
    parts = path.split("/")
    if path.startswith("/repositories/") and parts[2].isdecimal():
        repository = world.repository_by_id(int(parts[2]))
        if repository is None:
            raise missing()
        return "/".join(["", "repos", repository.full_name, *parts[3:]]), repository
    if not path.startswith("/repos/") or len(parts) < 4:
        return path, None
    name = "/".join(parts[2:4])
    repository = world.repository(name)
    if repository is None:
        raise redirect(world, base, asked, name, parts[4:])
    return "/".join(["", "repos", repository.full_name, *parts[4:]]), repository


def redirect(world: World, base: str, asked: Request, name: str, rest: list[str]) -> Problem:
    """Redirect from a former name to the number: 301 for reads, 307 for writes, which keep method and body."""
    repository = world.former.get(name.lower())
    if repository is None:
        return missing()
    location = f"{base}{API}/repositories/{'/'.join([str(repository.id), *rest])}{asked.tail}"
    status, word = (301, "Moved Permanently") if asked.reads else (307, "Temporary Redirect")
    problem = Problem(status, word, headers={"Location": location})
    problem.body = {"message": word, "url": location, "documentation_url": DOCS}
    return problem
