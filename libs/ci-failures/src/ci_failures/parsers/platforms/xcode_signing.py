"""What xcodebuild cannot sign, an error for each target: its list of commands only tells that the archive failed.

/Users/runner/work/Shop/Shop/Shop.xcodeproj: error: Signing for "Shop" requires a development team. Select …
error: No profiles for 'org.example.shop' were found: Xcode couldn't find any … (in target 'Shop' from project 'Shop')
"""

from typing import ClassVar

from ci_failures.parsers.single_line_parser import Sign, SignParser, literals

ERROR = r"^(?:\u274c |\[x\] )?\s{0,4}(?:\S.{0,400}?: )?error: "
"""The beginning of an error, behind a project or a package and the signs of formatters."""


class XcodeSigning(SignParser):
    """Parser of these errors."""

    tool: ClassVar[str] = "xcodebuild"
    signs = (
        Sign(
            wakes='error: Signing for "',
            kind="compile",
            tool="xcodebuild",
            rule="cannot sign",
            form=ERROR + r"Signing for \"(?P<what>[^\"]{1,200})\" requires ",
        ),
        Sign(
            wakes="error: No profiles for '",
            kind="compile",
            tool="xcodebuild",
            rule="no profile for",
            form=ERROR + r"No profiles for '(?P<what>[^']{1,200})' were found",
        ),
        Sign(
            wakes='" requires a provisioning profile',
            kind="compile",
            tool="xcodebuild",
            rule="no profile for",
            form=ERROR + r"\"(?P<what>[^\"]{1,200})\" requires a provisioning profile",
        ),
        Sign(
            wakes=" has conflicting provisioning settings",
            kind="compile",
            tool="xcodebuild",
            rule="cannot sign",
            form=ERROR + r"(?P<what>\S.{0,200}?) has conflicting provisioning settings",
        ),
    )
    wakes: ClassVar[tuple[str, ...]] = literals(signs)
