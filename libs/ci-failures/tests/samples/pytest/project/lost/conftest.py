import not_installed_anywhere  # noqa: F401
