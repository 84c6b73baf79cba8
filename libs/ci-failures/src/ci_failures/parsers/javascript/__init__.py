"""The parsers for tools of JavaScript and TypeScript."""

from ci_failures.model import Parser
from ci_failures.parsers.javascript.ava import Ava
from ci_failures.parsers.javascript.bats import Bats
from ci_failures.parsers.javascript.cypress import Cypress
from ci_failures.parsers.javascript.eslint import Eslint
from ci_failures.parsers.javascript.jest import Jest
from ci_failures.parsers.javascript.mocha import Mocha
from ci_failures.parsers.javascript.mocha_loading import MochaLoading
from ci_failures.parsers.javascript.nodetest import NodeTest
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.playwright import Playwright
from ci_failures.parsers.javascript.playwright_errors import PlaywrightErrors
from ci_failures.parsers.javascript.prove import Prove
from ci_failures.parsers.javascript.tap import Tap
from ci_failures.parsers.javascript.tsc import Tsc
from ci_failures.parsers.javascript.vitest import Vitest

PARSERS: tuple[type[Parser], ...] = (
    *map(packages, (Jest, Vitest, Mocha, Playwright, Tsc, Eslint, NodeTest, Ava)),
    *(MochaLoading, PlaywrightErrors),
    *(Tap, Bats, Prove, Cypress),
)
