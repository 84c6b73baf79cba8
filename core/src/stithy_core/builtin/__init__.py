"""Built-in plugins: they use the hooks that every plugin has, are listed by `stithy plugins` and can be disabled.

Each entry module holds declarations only, since every start imports it. It imports nothing of the core but `spi`.
"""

NAMES = ("dry_run", "lockdown", "preferences", "workflows")
"""The entry points, each the module of that name in this package."""
