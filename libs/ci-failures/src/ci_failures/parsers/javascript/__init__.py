"""The parsers for tools of JavaScript and TypeScript."""

from stithy_ci.parsers.javascript.ava import Ava
from stithy_ci.parsers.javascript.bats import Bats
from stithy_ci.parsers.javascript.cypress import Cypress
from stithy_ci.parsers.javascript.eslint import Eslint
from stithy_ci.parsers.javascript.jest import Jest
from stithy_ci.parsers.javascript.mocha import Mocha
from stithy_ci.parsers.javascript.mocha_loading import MochaLoading
from stithy_ci.parsers.javascript.nodetest import NodeTest
from stithy_ci.parsers.javascript.packages import packages
from stithy_ci.parsers.javascript.playwright import Playwright
from stithy_ci.parsers.javascript.playwright_errors import PlaywrightErrors
from stithy_ci.parsers.javascript.prove import Prove
from stithy_ci.parsers.javascript.tap import Tap
from stithy_ci.parsers.javascript.tsc import Tsc
from stithy_ci.parsers.javascript.vitest import Vitest
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    *map(packages, (Jest, Vitest, Mocha, Playwright, Tsc, Eslint, NodeTest, Ava)),
    *(MochaLoading, PlaywrightErrors),
    *(Tap, Bats, Prove, Cypress),
)
