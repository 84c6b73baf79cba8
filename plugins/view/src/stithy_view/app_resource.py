"""The page as a resource, for hosts of MCP Apps."""

from stithy_core.spi import Content, ResourceProvider
from stithy_view import PAGE_URI
from stithy_view.report_page import create_app_page

APP_TYPE = "text/html;profile=mcp-app"


class PullRequestApp(ResourceProvider):
    """The page. It is not listed: hosts find it by the tools whose answers it shows."""

    async def read(self, uri: str) -> str | bytes | Content:
        """Return the page without answers, which the host sends it.

        Raises:
            NotFound: The URI is another one.
        """
        return Content(create_app_page(), APP_TYPE) if uri == PAGE_URI else await super().read(uri)
