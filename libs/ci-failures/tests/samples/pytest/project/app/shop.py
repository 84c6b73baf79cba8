"""What the samples test; it is wrong on purpose."""

import json


def total(prices):
    """Add prices.

    >>> total([1, 2])
    4
    """
    return sum(prices)


def pay(account, price):
    if account["balance"] < price:
        raise ValueError("balance %s is less than %s" % (account["balance"], price))
    account["balance"] -= price


def checkout(account, prices):
    pay(account, total(prices))


def load(text):
    return json.loads(text)
