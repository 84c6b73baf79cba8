import os
import sys, json
from typing import List


def pay(price, account = None):
    unused = price
    if account == None:
        print(f"nothing")
    return undefined_name


def grüße(names: List[str]):
    long_line = "a line that is longer than all the tools that look at its length want to have it, by a few characters"
    return [name for name in names if not name in ("a", "b")]; pay(1)
