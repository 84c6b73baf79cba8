"""The HTTP client of every forge: tokens, rate limits, cached responses, and failures as errors.

The only package that imports httpx. The transports are composed in `client`; each one is a rule of its own.
"""

from stithy_core.http.forge_http import ForgeHttp
from stithy_core.http.request_sender import Tokens
from stithy_core.http.stores import open_store
from stithy_core.http.stores.file_ledger import FileLedger

__all__ = ["FileLedger", "ForgeHttp", "Tokens", "open_store"]
