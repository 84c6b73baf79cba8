"""The shapes in which bots write findings into bodies: a module each; another shape is one more, and a line here."""

from stithy_comments.findings.formats import coderabbit, copilot, ellipsis, greptile, qodo, sourcery

FORMATS = (
    coderabbit.FORMAT,
    copilot.FORMAT,
    greptile.FORMAT,
    sourcery.FORMAT,
    ellipsis.FORMAT,
    qodo.FORMAT,
)
