"""A plugin in a file of its own: a forge that is read and written as it stands, and routes and a tool that do so."""

PLUGIN = """
    from typing import Annotated

    from attrs import frozen
    from stithy_core.spi import (
        Effects, Forge, ForgeKind, Issues, Meta, Response, Route, ToolSpec, Version, hookimpl
    )

    STITHY_API = 1

    class Pond(Forge):
        async def identify(self):
            return Version("pond", "1.0")

    @frozen
    class Words:
        body: Annotated[str, Meta("What to write")]

    @frozen
    class Written:
        id: str

        def render(self):
            yield self.id

    async def write(context, args) -> Written:
        forge, _ = await context.repository("pond:a/b")
        return Written(str(await forge.http.send("POST", "/things", {"body": args.body})))

    async def read(context, request):
        forge, _ = await context.repository("pond:a/b")
        return Response.of_json(await forge.http.get(f"/{request.parameters['name']}"))

    async def breaks(context, request):
        raise ValueError(f"{request.headers} {request.body} {request.query}")

    @hookimpl
    def stithy_forges():
        return [ForgeKind(name="pond", title="Pond", forge=Pond)]

    @hookimpl
    def stithy_tools():
        return [ToolSpec(name="write", title="W", description="W", input=Words, handler=write, effects=Effects.ADD)]

    @hookimpl
    def stithy_routes():
        return [
            Route(method="GET", path="/read/{name}", handler=read),
            Route(method="POST", path="/breaks", handler=breaks),
        ]
"""
