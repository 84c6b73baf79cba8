"""How Bitbucket Cloud is reached: its dialect, its tokens, and its capabilities."""

from collections.abc import Mapping

from stithy_bitbucket import URL
from stithy_bitbucket.bitbucket_conversations import BitbucketComments, BitbucketThreads
from stithy_bitbucket.bitbucket_mapping import to_user
from stithy_bitbucket.bitbucket_pipelines import BitbucketChecks
from stithy_bitbucket.bitbucket_pulls import BitbucketChanges, BitbucketPullRequests, BitbucketReviews
from stithy_bitbucket.bitbucket_restrictions import BitbucketRules
from stithy_core import spi


def find_api(url: str) -> str:
    """Return the URL of the API; for any other host than bitbucket.org it is below the URL itself."""
    return "https://api.bitbucket.org/2.0" if url == URL else f"{url}/2.0"


def authorize(token: spi.Token) -> Mapping[str, str]:
    """Return the header for an API token of a user, `email:token`, or for an access token of a repository."""
    return spi.basic(token) if ":" in token.value else spi.bearer(token)


def find_next_page(page: spi.PageResponse) -> spi.NextPage | None:
    """Return the next page, whose URL is in the body."""
    return spi.NextPage(url=page.body["next"]) if "next" in page.body else None


class BitbucketCredentials(spi.Credentials):
    """Finds the token of bitbucket.org in `BITBUCKET_TOKEN`."""

    async def find(self) -> spi.Token | None:
        return self.variable("BITBUCKET_TOKEN") if self.is_at(URL) else None


class BitbucketIdentity(spi.Identity):
    """The token's user; an access token is a user of its own."""

    async def me(self) -> spi.User:
        async def ask() -> spi.User:
            return to_user(await self.forge.http.get("/user", shape=dict))

        return await self.forge.once("me", ask)


class Bitbucket(spi.Forge):
    """Bitbucket Cloud."""

    capabilities = (
        BitbucketPullRequests,
        BitbucketReviews,
        BitbucketComments,
        BitbucketThreads,
        BitbucketChanges,
        BitbucketChecks,
        BitbucketRules,
        BitbucketIdentity,
    )
    dialect = spi.Dialect(
        api=find_api,
        authorization=authorize,
        paging=spi.Paging(next_page=find_next_page, size="pagelen"),
        message=lambda body: body["error"]["message"],
    )
    writes_by_http = True

    async def identify(self) -> spi.Version:
        await self.http.get("/hook_events", shape=dict)  # public: it shows that the API answers
        return spi.Version("bitbucket", "cloud")

    def head_ref(self, pull: spi.PullRequest) -> str | None:
        return None
