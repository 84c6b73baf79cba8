"""Errors of Docker and similar tools about missing images. A failing build step has output of its own."""

from ci_failures.parsers.single_line_parser import Sign

BEFORE = r"^(?:.{0,300}: )?"

SIGNS = (
    Sign(
        wakes="failed to resolve source metadata for ",
        kind="dependency",
        tool="docker",
        rule="no image:",
        form=BEFORE + r"failed to resolve source metadata for (?:docker\.io/(?:library/)?)?"
        r"(?P<what>[^\s:]+(?::[^\s:]+)?):",
    ),
    Sign(
        wakes="pull access denied for ",
        kind="dependency",
        tool="docker",
        rule="no image:",
        form=r"^(?:Error response from daemon|ERROR|docker|Error|.{0,100}daemon): .{0,200}?pull access denied for"
        r" (?P<what>[^\s,]{1,200}),",
    ),
    Sign(
        wakes=": manifest unknown",
        kind="dependency",
        tool="docker",
        rule="no image:",
        form=BEFORE + r"manifest for (?P<what>\S{1,300}) not found: manifest unknown",
    ),
    Sign(
        wakes=" is unhealthy",
        kind="dependency",
        tool="docker",
        rule="unhealthy:",
        form=r"^(?:dependency failed to start: )?container (?P<what>\S{1,200}) is unhealthy$",
    ),
    Sign(
        wakes="toomanyrequests: ",
        kind="dependency",
        tool="docker",
        rule="too many pulls",
        form=BEFORE + r"toomanyrequests: ",
    ),
    Sign(
        wakes="error during connect: ",
        kind="runner_lost",
        tool="docker",
        rule="no daemon",
        form=r"^error during connect: ",
    ),
    Sign(
        wakes="Cannot connect to the Docker daemon at",
        kind="runner_lost",
        tool="docker",
        rule="no daemon",
        form=r"^(?:ERROR: |Error: |docker: )?Cannot connect to the Docker daemon at \S+\. Is the docker daemon"
        r" running\?",
    ),
)
