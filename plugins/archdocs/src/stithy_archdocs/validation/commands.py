"""`stithy archdocs validate`: the same as the tool, for CI."""

import json

import click

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.rules import baselines
from stithy_archdocs.rules.rulebook import Rulebook
from stithy_archdocs.validation.judging import Judgement, judge
from stithy_archdocs.validation.naming import pattern_of
from stithy_archdocs.validation.sources import of_files
from stithy_core.spi import Scope, UserError

SECONDS = 600.0


@click.command()
@click.argument("pattern")
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--strict", is_flag=True, help="Let what cannot be checked fail, too.")
@click.option("--write-baseline", "accept", is_flag=True, help="Take what is there now as known, and write that down.")
@click.pass_obj
def validate(scope: Scope, pattern: str, files: tuple[str, ...], *, as_json: bool, strict: bool, accept: bool) -> int:
    """Hold files, paths or globs of the project, against the rules of a pattern."""
    library = scope.shared(Library)
    path = library.root / library.settings.baseline
    try:
        rules = scope.shared(Rulebook).of(pattern_of(library.look(), pattern))
        known = baselines.read(path)
        found = judge(rules, of_files(library.root, files), known=known, seconds=SECONDS)
    except (UserError, baselines.InvalidBaseline) as error:
        click.echo(f"Error: {error}", err=True)
        return 2
    if accept:
        baselines.write(path, [*known.elements(), *found.keys])
        click.echo(f"{len(found.keys)} more are known now: {path.name}")
        return 0
    _say(found, as_json=as_json)
    return 1 if found.violations or (strict and found.reasons) else 0


def _say(found: Judgement, *, as_json: bool) -> None:
    if as_json:
        rows = [
            {"rule": one.rule, "severity": one.severity, "file": one.file, "line": one.line, "message": one.description}
            for one in found.violations
        ]
        left = [{"what": one.what, "reason": one.reason} for one in found.not_checked]
        click.echo(json.dumps({"violations": rows, "reasons": found.reasons, "not_checked": left}, indent=2))
        return
    for one in found.violations:
        click.echo(f"{one.file}:{one.line}: {one.severity}: {one.description} [{one.rule}]")
    for place in found.unparsed:
        click.echo(f"{place.file}:{place.line}: cannot be parsed", err=True)
    for reason in found.reasons:
        click.echo(f"Not all was checked: {reason}", err=True)
    known = f", {len(found.baselined)} known" if found.baselined else ""
    click.echo(f"{found.files} files, {len(found.checked)} rules, {len(found.violations)} violations{known}")
