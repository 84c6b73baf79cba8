from behave import given, then, when


@given("a cart")
def give(context):
    context.n = 0


@when("I add {n:d} item")
def add(context, n):
    context.n += n


@then("there are {n:d} items")
def check(context, n):
    assert context.n == n, f"{context.n} != {n}"


@when("it raises")
def fail(context):
    raise ValueError("boom")
