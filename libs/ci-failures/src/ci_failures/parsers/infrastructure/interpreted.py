"""Errors of package managers for interpreted languages: pip, uv, Poetry, conda, npm, Yarn, pnpm."""

from ci_failures.parsers.single_line_parser import Sign

NPM = r"E(?!LIFECYCLE$)[A-Z\d]{3,30}"
"""The codes of npm's own errors; ELIFECYCLE is that of a script, and others are exit codes."""
NPM_LINE = r"^npm (?:error|ERR!)(?! A complete log| code )"
PYTHON = (
    Sign(
        wakes="No matching distribution found for",
        kind="dependency",
        tool="pip",
        rule="no matching distribution:",
        form=r"^\s*(?:ERROR: |error: )?No matching distribution found for (?P<what>[^\s;(]{1,200})",
    ),
    Sign(
        wakes="conflicting dependencies",
        kind="dependency",
        tool="pip",
        rule="conflicting:",
        form=r"^\s*ERROR: Cannot install (?P<what>.{1,300}?) because these package versions have conflicting"
        r" dependencies",
        more=12,
        follows=r"^(?:The conflict is caused by:|    \S|\s*$)",
    ),
    Sign(
        wakes="requires a different Python",
        kind="dependency",
        tool="pip",
        rule="another Python is wanted:",
        form=r"^\s*ERROR: Package '(?P<what>[^']{1,200})' requires a different Python: ",
    ),
    Sign(
        wakes="Failed building wheel for ",
        kind="dependency",
        tool="pip",
        rule="not built:",
        form=r"^\s*ERROR: Failed building wheel for (?P<what>\S{1,200})$",
    ),
    Sign(
        wakes="Command not found: ",
        kind="dependency",
        tool="poetry",
        rule="command not found:",
        form=r"^Command not found: (?P<what>\S{1,200})$",
    ),
    Sign(
        wakes="\N{MULTIPLICATION SIGN} ",
        kind="dependency",
        tool="pip",
        rule="failed:",
        form=r"^ *\u00d7 (?P<what>(?:Getting requirements to |Preparing |python setup\.py |pip subprocess )\S.{0,100}?)"
        r" did not run successfully\.$",
        more=60,
        follows=r"\S",
    ),
    Sign(
        wakes="DO NOT MATCH THE HASHES",
        kind="dependency",
        tool="pip",
        rule="hashes differ",
        more=6,
        form=r"^ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE",
    ),
    Sign(
        wakes="No solution found when resolving",
        kind="dependency",
        tool="uv",
        rule="no solution",
        more=12,
        form=r"No solution found when resolving (?P<what>[^:]{0,200})",
        follows=r"^\s+\S",
    ),
    Sign(
        wakes="`--locked` was provided",
        kind="dependency",
        tool="uv",
        rule="the lockfile is missing or out of date",
        form=r"^error: (?:The|Unable to find) lockfile at `[^`]{1,300}`.{0,40}, but `--locked` was provided",
    ),
    Sign(
        wakes="error: Failed to build `",
        kind="dependency",
        tool="uv",
        rule="not built:",
        more=40,
        form=r"^error: Failed to build `(?P<what>[^`\s]{1,200})",
        follows=r"^(?:\s+\S|\s*$)",
    ),
    Sign(
        wakes="error: Request failed after ",
        kind="dependency",
        tool="uv",
        rule="request failed",
        more=8,
        form=r"^error: Request failed after \d+ retries",
        follows=r"^  cause: ",
    ),
    Sign(
        wakes="since poetry.lock was last generated",
        kind="dependency",
        tool="poetry",
        rule="poetry.lock is out of date",
        form=r"^(?:Error: )?pyproject\.toml changed significantly since poetry\.lock was last generated",
    ),
    Sign(
        wakes=") not found.",
        kind="dependency",
        tool="poetry",
        rule="not found:",
        form=r"^Package (?P<what>[\w.-]{1,100} \([^()\s]{1,60}\)) not found\.$",
    ),
    Sign(  # it prints versions in brackets, as the next one prints names in quotes
        wakes="version solving failed",
        kind="dependency",
        tool="poetry",
        rule="version solving failed",
        form=r"^.{0,1900}\w \((?!\d\d?\))[^()]{1,80}\).{0,100}, version solving failed\.$",
    ),
    Sign(
        wakes="version solving failed",
        kind="dependency",
        tool="hex",
        rule="version solving failed",
        form=r"^(?!.{0,1900}\w \((?!\d\d?\))[^()]{1,80}\)).{0,1900}\"[\w ]{1,80}\".{0,100}version solving failed\.$",
    ),
    Sign(
        wakes="version solving failed",
        kind="dependency",
        tool="pub",
        rule="version solving failed",
        form=r"^(?!.{0,1900}(?:\w \((?!\d\d?\))[^()]{1,80}\)|\"[\w ]{1,80}\")).{0,2000}, version solving failed\.$",
    ),
    Sign(
        wakes="PackagesNotFoundError",
        kind="dependency",
        tool="conda",
        rule="packages not found",
        more=4,
        form=r"^PackagesNotFoundError: ",
        follows=r"^(?:\s*$|\s+- )",
    ),
)
NODE = (
    Sign(
        wakes="npm error code E",
        kind="dependency",
        tool="npm",
        rule="npm",
        more=8,
        follows=NPM_LINE,
        form=rf"^npm error code (?P<what>{NPM})$",
    ),
    Sign(
        wakes="npm ERR! code E",
        kind="dependency",
        tool="npm",
        rule="npm",
        more=8,
        follows=NPM_LINE,
        form=rf"^npm ERR! code (?P<what>{NPM})$",
    ),
    Sign(
        wakes="Missing script: ",
        kind="dependency",
        tool="npm",
        rule="no script:",
        form=r"^npm (?:error|ERR!) Missing script: \"(?P<what>[^\"]{1,200})\"",
    ),
    Sign(
        wakes="error Couldn't find ",
        kind="dependency",
        tool="yarn",
        rule="not found:",
        form=r"^error Couldn't find (?:package|any versions for) \"(?P<what>[^\"]{1,200})\"",
    ),
    Sign(
        wakes="Your lockfile needs to be updated",
        kind="dependency",
        tool="yarn",
        rule="the lockfile is out of date",
        form=r"^error Your lockfile needs to be updated",
    ),
    Sign(
        wakes="is incompatible with this module",
        kind="dependency",
        tool="yarn",
        rule="another version is wanted:",
        form=r"^error (?P<what>\S{1,200}): The engine \"\w+\" is incompatible with this module",
    ),
    Sign(
        wakes='" not found.',
        kind="dependency",
        tool="yarn",
        rule="no script:",
        form=r"^error Command \"(?P<what>[^\"]{1,200})\" not found\.$",
    ),
    *(
        Sign(
            wakes=f"YN{code}: ",  # yarn numbers all of its lines
            kind="dependency",
            tool="yarn",
            rule="yarn",
            form=rf"^➤ (?P<what>YN{code}): .*"
            r"(?:not found|would have been (?:modified|created)|No candidates|doesn't exist|couldn't|could not)",
        )
        for code in ("0028", "0035", "0082", "0016", "0001")
    ),
    Sign(
        wakes="ERR_PNPM_",
        kind="dependency",
        tool="pnpm",
        rule="pnpm",
        more=4,
        follows=r"\S",
        form=r"^\s*(?P<what>ERR_PNPM_(?:NO_MATCHING_VERSION\w*|OUTDATED_LOCKFILE|FETCH_\d+|FROZEN_LOCKFILE\w*"
        r"|NO_VERSIONS|NO_SCRIPT"
        r"|PEER_DEP_ISSUES|LOCKFILE\w*|TARBALL_INTEGRITY|META_FETCH_FAIL))\b",
    ),
)

SIGNS = (*PYTHON, *NODE)
