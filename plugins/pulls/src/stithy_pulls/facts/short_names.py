"""Short names of pull requests beside another one."""


def format_short(pr: str, number: int) -> str:
    """Format the number of a pull request with the mark of another one: `!7` beside `group/repo!9`."""
    return f"{pr.rstrip('0123456789')[-1:]}{number}"
