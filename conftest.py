"""How many examples the property tests draw, here and in libs/."""

import os

from hypothesis import HealthCheck, settings

# A busy machine makes an example slow, and not wrong.
settings.register_profile(
    "stithy",
    max_examples=int(os.environ.get("STITHY_EXAMPLES", "10")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stithy")
