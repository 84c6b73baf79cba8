"""One client for every forge: tokens, limits, copies, and failures as errors. The only room that imports httpx."""

from stithy_core.http.client import ForgeHttp
from stithy_core.http.stores import open_store
from stithy_core.http.stores.file_ledger import FileLedger
from stithy_core.http.tokens import Tokens

__all__ = ["FileLedger", "ForgeHttp", "Tokens", "open_store"]
