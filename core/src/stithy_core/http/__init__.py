"""One client for every forge: tokens, timeouts, size caps, and failures as errors. The only room that imports httpx."""

from stithy_core.http.client import ForgeHttp
from stithy_core.http.tokens import Tokens

__all__ = ["ForgeHttp", "Tokens"]
