"""Reading a list to its end, as an agent does."""


async def pages_of(call, **arguments):
    """Call again with each cursor, and give every answer; `call` takes the arguments of the tool."""
    found = [await call(**arguments)]
    while cursor := found[-1].structured_content.get("nextCursor"):
        found.append(await call(**arguments | {"cursor": cursor}))
    assert not any(page.is_error for page in found)
    return found


async def items_of(call, name, **arguments):
    """Give the items of one list of all pages."""
    return [item for page in await pages_of(call, **arguments) for item in page.structured_content[name]]
