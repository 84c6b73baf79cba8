from app import shop

shop.pay({"balance": 0}, 1)


def test_hidden():
    pass
