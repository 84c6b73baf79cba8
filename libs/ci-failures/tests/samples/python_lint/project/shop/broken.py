"""It cannot be read."""


def broken(:
    pass
