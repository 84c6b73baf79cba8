"""The start of the command `ci-failures`: nothing but files and `--json` is read without click, which takes a while."""

import os
import sys

from ci_failures.report_format import print_report


def main() -> None:
    """Run `ci-failures` with the arguments of the process, and exit."""
    words = sys.argv[1:]
    files = [word for word in words if word != "--json"]
    if not files or any(word.startswith("-") and word != "-" for word in files):
        from ci_failures import cli

        cli.main()
    try:
        code = print_report(files, "json" if "--json" in words else "text")
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
