"""Answers that lead to another host."""

from loopback import message

from faulty.fault import Fault, Meaning
from faulty.server import FLAVOURS, TOKEN, FaultyForge
from stithy_core.spi import Moved

LED_AWAY = Meaning(kind=Moved, words="answered 30", remedy="the forge's own URL")


def redirect(status: int, path: str) -> Fault:
    """Make a redirect to another host, with the page that most servers put beside it."""

    def answer(forge: FaultyForge) -> bytes:
        place = f"{forge.other.url}{path.format(api=forge.flavour.api)}?token={TOKEN}"
        return message(status, b"<a>there</a>", content_type="text/html", location=place)

    return Fault(name=f"redirect-{status}", answer=answer, read=LED_AWAY, write=LED_AWAY, status=status)


SAME = "{api}/repos/smith/anvil/issues/1/comments"
OTHER = "{api}/repos/smith/hammer/issues/1/comments"
COMMON = [redirect(301, OTHER), redirect(302, "/login"), redirect(307, SAME), redirect(308, SAME)]
OF = dict.fromkeys(FLAVOURS, COMMON)
