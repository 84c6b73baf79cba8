"""Serve over standard input and output, as the host of a bundle starts it."""

import sys

from stithy_core.cli import main

sys.argv[1:] = ["serve"]
main()
