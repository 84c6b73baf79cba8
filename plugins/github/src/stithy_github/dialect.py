"""How GitHub speaks HTTP (docs/forge-behaviour/github.md)."""

from stithy_core.spi import Dialect, Paging, RateLimits
from stithy_github.addresses import graphql_of, rest_of
from stithy_github.refusals import explain
from stithy_github.rights import missing_organizations

DIALECT = Dialect(
    api=rest_of,
    graphql=graphql_of,
    headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    paging=Paging.LINKS,
    page_size="per_page",
    map_error=explain,
    gaps=missing_organizations,
    # GitHub takes 100 at once, 900 points and 80 writes a minute; a third of the first leaves room for other programs.
    rate_limits=RateLimits(concurrent=32, points=900, writes=80, free=("/rate_limit",)),
)
