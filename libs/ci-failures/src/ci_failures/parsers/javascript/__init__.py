"""The parsers for tools of JavaScript and TypeScript."""

from ci_failures.parsers import family_attributes

PATHS = (
    "jest:JestInPackages",
    "vitest:VitestInPackages",
    "mocha:MochaInPackages",
    "playwright:PlaywrightInPackages",
    "tsc:TscInPackages",
    "eslint:EslintInPackages",
    "nodetest:NodeTestInPackages",
    "ava:AvaInPackages",
    "mocha_loading:MochaLoading",
    "mocha_stream:MochaStream",
    "playwright_errors:PlaywrightErrors",
    "tap:Tap",
    "tap_reports:TapReportsInPackages",
    "bats:Bats",
    "prove:Prove",
    "cypress:Cypress",
    "jasmine:Jasmine",
    "jasmine_spec:JasmineSpec",
    "karma:Karma",
    "karma_mocha:KarmaMocha",
    "uvu:Uvu",
    "lab:Lab",
    "tap_spec:TapSpec",
    "bun:Bun",
    "deno:Deno",
    "deno_check:DenoCheck",
    "deno_check:DenoLint",
    "deno_check:DenoFormat",
    "cucumber:Cucumber",
    "webdriverio:WebdriverIO",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
