"""Errors of package managers for compiled languages: Maven, Gradle, go, cargo and NuGet."""

from ci_failures.parsers.single_line_parser import Sign

CHECKING = (
    "animal-sniffer", "apache-rat", "clirr", "dependency-versions-check", "duplicate-finder", "enforcer",
    "findbugs", "forbiddenapis", "fmt", "formatter", "impsort", "jacoco", "japi-checker", "japicmp",
    "license", "modernizer", "pmd", "qulice", "revapi", "sortpom", "spotbugs", "xml-format",
)  # fmt: skip
"""Plugins of Maven that check a project, and whose findings no other parser reads."""
JVM = (
    Sign(
        wakes="Could not resolve dependencies for project",
        kind="dependency",
        tool="maven",
        rule="unresolved:",
        form=r"^\[ERROR\] Failed to execute goal on project (?P<what>[^:]{1,200}): Could not resolve dependencies for"
        r" project",
    ),
    Sign(
        wakes="Non-resolvable ",
        kind="dependency",
        tool="maven",
        rule="unresolved:",
        form=r"^\[(?:ERROR|FATAL)\] .{0,20}Non-resolvable (?:parent|import) POM(?: for|: Could not (?:find|transfer)"
        r" artifact|) (?P<what>[^\s:]+:[^\s:]+:[^\s:]+)",
    ),
    Sign(
        wakes=" or one of its dependencies could not be resolved",
        kind="dependency",
        tool="maven",
        rule="unresolved plugin:",
        form=r"^\[ERROR\] (?:\[ERROR\] )?Plugin (?P<what>\S+) or one of its dependencies could not be resolved",
    ),
    Sign(
        wakes="Failed to execute goal ",
        kind="lint",
        tool="maven",
        rule="goal failed:",
        form=r"^(?:\[ERROR\] |Error:  |##\[error\])Failed to execute goal [\w.-]+:"
        rf"(?P<what>(?:maven-)?(?:{'|'.join(CHECKING)})(?:-maven)?(?:-plugin)?:[^:\s]+:[\w-]+(?: \([^)]+\))?"
        r" on project [^\s:]+): ",
    ),
    Sign(
        wakes=" rule violations were found",
        kind="lint",
        tool="gradle",
        rule="task failed:",
        form=r"^> (?P<what>(?:FindBugs|SpotBugs|PMD|CodeNarc) rule violations) were found",
    ),
    Sign(
        wakes="ResolveException: Error downloading ",
        kind="dependency",
        tool="sbt",
        rule="unresolved:",
        form=r"^\[error\] (?:\(.{1,100}\) )?(?:sbt\.librarymanagement|lmcoursier\S*)\.ResolveException:"
        r" Error downloading (?P<what>\S+)",
    ),
    Sign(
        wakes="Could not resolve all ",
        kind="dependency",
        tool="gradle",
        rule="unresolved",
        more=8,
        follows=r"^\s*(?:>|Required|Searched|-|project|http|file)",
        form=r"^(?:\s*> )?Could not resolve all (?:\w+ )?(?:files|dependencies|artifacts|task dependencies) for"
        r" configuration"
        r" '(?P<what>[^']{1,200})'",
    ),
)
COMPILED = (
    Sign(
        wakes="go: ",
        kind="dependency",
        tool="go",
        rule="module",
        form=r"^go: (?!downloading |finding |extracting |creating |to add |added |upgraded |found )(?:(?:module"
        r"|example\S* requires) )?"
        r"(?P<what>(?=[\w.~/-]+?\.[\w.~/-])[\w.~/-]++(?:@[\w.+-]++)?)[ :].*(?:missing go\.sum entry|unknown revision"
        r"|no matching versions|not found"
        r"|checksum mismatch|invalid version|404|could not read|no such host|reading |parsing go\.mod"
        r"|does not contain package|unrecognized import path|cannot find module|ls-remote)",
    ),
    Sign(
        wakes="(running go ",
        kind="dependency",
        tool="go",
        rule="another Go is wanted:",
        form=r"^go: (?:errors parsing )?go\.mod(?::)? requires go >= (?P<what>\S+) \(running go ",
    ),
    Sign(
        wakes='go: no such tool "',
        kind="dependency",
        tool="go",
        rule="not in this Go:",
        form=r'^go: no such tool "(?P<what>[^"]{1,100})"$',
    ),
    Sign(
        wakes="go: ",
        kind="dependency",
        tool="go",
        rule="modules:",
        more=8,
        follows=r"^\t|go\.mod:\d",
        form=r"^go: (?P<what>go\.mod file not found|cannot find main module|inconsistent vendoring|errors parsing go\."
        r"(?:mod|work)(?!\S* requires)|no modules were found|cannot load module)",
    ),
    Sign(
        wakes="go: updates to go.",
        kind="dependency",
        tool="go",
        rule="go.mod is out of date",
        form=r"^go: updates to go\.(?:mod|sum) needed",
    ),
    Sign(
        wakes="failed to select a version for",
        kind="dependency",
        tool="cargo",
        rule="no version:",
        more=10,
        form=r"^\s*error: failed to select a version for (?:the requirement )?`(?P<what>[^`]{1,200})`",
        follows=r"\S",
    ),
    Sign(
        wakes="no matching package",
        kind="dependency",
        tool="cargo",
        rule="not found:",
        more=4,
        follows=r"^\S",
        form=r"^\s*error: no matching packages? (?:named )?(?:`(?P<what>[^`]{1,200})` )?found",
    ),
    Sign(
        wakes="` as a dependency of package `",
        kind="dependency",
        tool="cargo",
        rule="not had:",
        form=r"^\s*error: failed to get `(?P<what>[^`]{1,200})` as a dependency of package `",
        more=8,
    ),
    Sign(
        wakes="because it requires rustc",
        kind="dependency",
        tool="cargo",
        rule="another Rust is wanted:",
        form=r"^\s*error: package `(?P<what>[^`]{1,200})` cannot be built because it requires rustc",
    ),
    Sign(
        wakes=" --locked was passed",
        kind="dependency",
        tool="cargo",
        rule="Cargo.lock is out of date",
        form=r"^error: (?:the lock file \S+ needs to be updated but|cannot update the lock file \S+ because) --locked"
        r" was passed",
    ),
    Sign(
        wakes="error NU1",
        kind="dependency",
        tool="nuget",
        rule="NuGet",
        form=r"(?:^|: )error (?P<what>NU1[0-9]{3}: .{1,200}?)(?: \[[^\]]+\])?$",
    ),
    Sign(
        wakes="The test source file ",
        kind="dependency",
        tool="dotnet",
        rule="test source not found:",
        form=r"^The test source file \"(?P<what>[^\"]{1,300})\" provided was not found\.",
    ),
)

SIGNS = (*JVM, *COMPILED)
