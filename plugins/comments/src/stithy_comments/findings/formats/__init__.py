"""The formats in which bots write findings into bodies. A new format is a module here and a line in `FORMATS`."""

from stithy_comments.findings.formats import coderabbit, copilot, ellipsis, greptile, qodo, sourcery

FORMATS = (
    coderabbit.FORMAT,
    copilot.FORMAT,
    greptile.FORMAT,
    sourcery.FORMAT,
    ellipsis.FORMAT,
    qodo.FORMAT,
)
