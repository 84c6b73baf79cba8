"""What is needed of built-in parsers before they are imported, as `python -m ci_failures.parsers` writes it.

Each has its module and class, its tool, the module and class of the parser that reads for it, and its literals.
"""

# fmt: off
# Quoted as by `repr`; the signs are those that the tools print.
# ruff: noqa: Q000, RUF001

LITERALS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("python.pytest:Pytest", "pytest", "", (
        '= test session starts =', 'Test session starts (platform: ', 'Results (', '= FAILURES =', '= ERRORS =',
        'test summary info =', "ImportError while loading conftest '", 'Fatal Python error: ', '+ Timeout +',
        '\nFAILED ', '\nERROR ', ' FAILED', ' ERROR ', ' RERUN', ' failed in ', ' failed, ', ' passed in ',
        ' passed, ', ' error in ', ' error, ', ' errors in ', ' errors, ', ' skipped in ', ' skipped, ',
        ' warnings in ', ' warning in ', ' xfailed in ', ' xpassed in ', ' deselected in ', ' rerun in ')),
    ("python.pytest_errors:PytestErrors", "pytest", "", (
        'INTERNALERROR>', 'ERROR: file or directory not found: ', 'ERROR: not found: ',
        'ERROR: found no collectors for ', 'ERROR: Wrong expression passed to ', 'pytest: error: ',
        'py.test: error: ', '__main__.py: error: ')),
    ("python.unittest:Unittest", "unittest", "", (
        '\nFAIL: ', '\nERROR: ', '\nFAIL [', '\nERROR [', ' ... unexpected success', '\nUNEXPECTED SUCCESS: ',
        ' ... FAIL\n', ' ... ERROR\n', '\nFAIL\n', '\nERROR\n', ' tests in ', ' test in ',
        'Creating test database for alias', 'Destroying test database for alias',
        'Preserving test database for alias', 'System check identified ', ' test(s).')),
    ("python.django:Django", "django", "python.unittest:Unittest", (
        '\nFAIL: ', '\nERROR: ', '\nFAIL [', '\nERROR [', ' ... unexpected success', '\nUNEXPECTED SUCCESS: ',
        ' ... FAIL\n', ' ... ERROR\n', '\nFAIL\n', '\nERROR\n', ' tests in ', ' test in ',
        'Creating test database for alias', 'Destroying test database for alias',
        'Preserving test database for alias', 'System check identified ', ' test(s).')),
    ("python.nose:Nose", "nose", "python.unittest:Unittest", (
        '\nFAIL: ', '\nERROR: ', '\nFAIL [', '\nERROR [', ' ... unexpected success', '\nUNEXPECTED SUCCESS: ',
        ' ... FAIL\n', ' ... ERROR\n', '\nFAIL\n', '\nERROR\n', ' tests in ', ' test in ',
        'Creating test database for alias', 'Destroying test database for alias',
        'Preserving test database for alias', 'System check identified ', ' test(s).')),
    ("python.ruff:Ruff", "ruff", "", (
        '.py:1', '.py:2', '.py:3', '.py:4', '.py:5', '.py:6', '.py:7', '.py:8', '.py:9', '.pyi:1', '.pyi:2',
        '.pyi:3', '.pyi:4', '.pyi:5', '.pyi:6', '.pyi:7', '.pyi:8', '.pyi:9', '.ipynb:cell', '.ipynb:1', '.ipynb:2',
        '.ipynb:3', '.ipynb:4', '.ipynb:5', '.ipynb:6', '.ipynb:7', '.ipynb:8', '.ipynb:9', '.toml:', '.py:\n',
        '.pyi:\n', '.ipynb:\n', 'Would reformat: ', '\t[*] ', '\t[-] ', '\t[ ] ', '\n--- ', ' would be reformatted')),
    ("python.flake8:Flake8", "flake8", "python.ruff:Ruff", (
        '.py:1', '.py:2', '.py:3', '.py:4', '.py:5', '.py:6', '.py:7', '.py:8', '.py:9', '.pyi:1', '.pyi:2',
        '.pyi:3', '.pyi:4', '.pyi:5', '.pyi:6', '.pyi:7', '.pyi:8', '.pyi:9')),
    ("python.deptry:Deptry", "deptry", "", (': DEP00', ' dependency issue')),
    ("python.mypy:Mypy", "mypy", "", (
        ': error: ', '"severity": "error"', ' source file', 'errors prevented further checking')),
    ("python.behave:Behave", "behave", "", (
        'ing scenarios:\n', 'rrored scenarios:\n', ' scenarios passed, ', ' scenario passed, ', '.feature:')),
    ("python.robot:Robot", "robot", "", (
        '| FAIL |\n', '\n=======================================================================', ' passed, ',
        "\nRunning suite '")),
    ("python.avocado:Avocado", "avocado", "", (':  FAIL', ':  ERROR', ':  INTERRUPTED', '\nRESULTS ')),
    ("python.ward:Ward", "ward", "", ('\n  Failed at ', '  Failures  ', '  Failure  ', '─ SUCCESS in ')),
    ("python.traceback_list:Stestr", "stestr", "", (' ... FAILED\n', ' - Failed: ')),
    ("python.traceback_list:Green", "green", "", ('\nFailure in ', '\nError in ', '\nFAILED (')),
    ("python.traceback_list:ZopeTestrunner", "zope.testrunner", "", (
        '\nFailure in test ', '\nError in test ', '  Ran ')),
    ("python.traceback_list:Trial", "trial", "", ('\n[FAIL]\n', '\n[ERROR]\n', '\n[SUCCESS!?!]\n', '\nFAILED (')),
    ("javascript.jest:JestInPackages", "jest", "", (
        '\nFAIL ', '\n FAIL ', 'Errors thrown in ', '  ● ', 'Tests:  ', 'Test Suites:', 'Test Files  ',
        '\nSummary of failed tests\n', '\nSummary of tests\n', '##[group]', '::group::', ':test\n', ':tests\n',
        ':test:', ':test-', 'test /', ':unit /', ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.vitest:VitestInPackages", "vitest", "", (
        ' RUN  v', '⎯ Failed ', '⎯ Unhandled ', '⎯ Uncaught ', ' tests | ', ' test | ', 'Test Files  ', '\n × ',
        '\n::error file=', '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-', 'test /', ':unit /',
        ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.mocha:MochaInPackages", "mocha", "", (
        ' passing (', '(Run Starting)', 'Exception during run: ', '##[group]', '::group::', ':test\n', ':tests\n',
        ':test:', ':test-', 'test /', ':unit /', ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.playwright:PlaywrightInPackages", "playwright", "", (
        ' tests using ', ' test using 1 worker', ' ──────', '🎭 Playwright', 'Error: No tests found',
        'not a part of any test', '\n   at ', '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-',
        'test /', ':unit /', ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.tsc:TscInPackages", "tsc", "", (
        'error TS', 'Found ', 'ERROR in ', '[ERROR] TS', 'Type error: ', '##[group]', '::group::', ':test\n',
        ':tests\n', ':test:', ':test-', 'test /', ':unit /', ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.eslint:EslintInPackages", "eslint", "", (
        '  error  ', '  warning  ', '  Error: ', '  Warning: ', ', Error - ', ' [Error', '✖ ',
        'Need to disable some ESLint rules?', 'ESLint found too many warnings', 'Oops! Something went wrong! :(',
        '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-', 'test /', ':unit /', ':ci /', ':e2e /',
        ':coverage /', ':integration /')),
    ("javascript.nodetest:NodeTestInPackages", "node:test", "", (
        'not ok ', 'TAP version 1', '1..', '# Subtest: ', '▶ ', '✖ ', 'ℹ fail ', 'ℹ cancelled ', 'ℹ duration_ms ',
        'Failed tests:', '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-', 'test /', ':unit /',
        ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.ava:AvaInPackages", "ava", "", (
        '  ✘ ', '  ✖ ', '  ─', ' test failed\n', ' tests failed\n', ' hook failed\n', ' hooks failed\n',
        '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-', 'test /', ':unit /', ':ci /', ':e2e /',
        ':coverage /', ':integration /')),
    ("javascript.mocha_loading:MochaLoading", "mocha", "", (
        'requireOrImport (', 'loadFilesAsync (', 'Mocha.loadFiles (')),
    ("javascript.mocha_stream:MochaStream", "mocha", "", ('["fail",{"title":', '["end",{"suites":')),
    ("javascript.playwright_errors:PlaywrightErrors", "playwright", "", (
        ' from config.webServer.', 'Process from config.webServer ', ' for the test suite to run')),
    ("javascript.tap:Tap", "tap", "", ('not ok ', 'TAP version 1', '1..', '# Subtest: ', '#   Failed test ')),
    ("javascript.tap_reports:TapReportsInPackages", "tap", "", (
        '\n FAIL  ', '\n\u200b FAIL \u200b ', '##[group]', '::group::', ':test\n', ':tests\n', ':test:', ':test-',
        'test /', ':unit /', ':ci /', ':e2e /', ':coverage /', ':integration /')),
    ("javascript.bats:Bats", "bats", "", ('not ok ', ' ✗ ')),
    ("javascript.prove:Prove", "prove", "", (
        'Failed test ', 'Test Summary Report', 'Result: FAIL', '# Looks like you failed', 'Dubious, test returned')),
    ("javascript.cypress:Cypress", "cypress", "", ('(Run Starting)', '  Running:  ', ' passing (')),
    ("javascript.jasmine:Jasmine", "jasmine", "", (
        '\nStarted\n', '\nFailures:\n', '\nSuite error: ', ' specs, ', ' spec, ')),
    ("javascript.jasmine_spec:JasmineSpec", "jasmine", "", (
        '       Failures        ', '       Errors        ', '\nExecuted ')),
    ("javascript.karma:Karma", "karma", "", (') Executed ', '): Executed ', ' FAILED\n', ') ERROR\n', '\nTOTAL: ')),
    ("javascript.karma_mocha:KarmaMocha", "karma", "", ('\nSTART:\n', '\nFAILED TESTS:\n')),
    ("javascript.uvu:Uvu", "uvu", "", ('\n   FAIL  ', '\n  Total:     ')),
    ("javascript.lab:Lab", "lab", "", ('\nFailed tests:\n', ' tests failed\n', ' tests complete', '\nTest duration: ')),
    ("javascript.tap_spec:TapSpec", "tap", "", ('\n    ✖ ', '\n  Failed Tests: There ', '\n  total:  ')),
    ("javascript.bun:Bun", "bun", "", (
        '\n(fail) ', '\n(pass) ', '\n✗ ', '\n✓ ', '\n# Unhandled error between', ' fail\n', ' error\n', ' errors\n',
        '.ts:\n', '.tsx:\n', '.js:\n', '.jsx:\n', '.mjs:\n', '.cjs:\n', '.mts:\n', '.cts:\n')),
    ("javascript.deno:Deno", "deno", "", ('\n ERRORS', '\nok | ', '\nFAILED | ', ' ... FAILED (')),
    ("javascript.deno_check:DenoCheck", "deno", "", (' [ERROR]: ',)),
    ("javascript.deno_check:DenoLint", "deno-lint", "", ('\nerror[', '\nFound ')),
    ("javascript.deno_check:DenoFormat", "deno-fmt", "", ('\nfrom ', ' not formatted file')),
    ("javascript.cucumber:Cucumber", "cucumber", "", ('.feature:', ' scenarios (', ' scenario (', '\nWarnings:\n')),
    ("go_rust.go_test:GoTest", "go", "", (
        '--- FAIL: ', 'FAIL\t', 'ok  \t', '?   \t', 'panic: ', 'fatal error: ', '\nFAIL    ', '\nok      ',
        '=== FAIL: ', 'FAIL Package ', 'DONE ', 'Test output for //')),
    ("go_rust.go_json:GoJson", "go", "", (
        '"Action":"fail"', '"Action":"start"', '"Action":"build-output"', '"Output":"panic: ',
        '"Output":"fatal error: ', '"Output":"Running Suite: ', '"Output":"FAIL: ', '"Output":"PANIC: ')),
    ("go_rust.go_build:GoBuild", "go", "", (
        '.test]', '# command-line-arguments', '# github.com/', '# gitlab.com/', '# k8s.io/', '# golang.org/',
        '# go.', '# example.com/', '# gopkg.in/', '# internal/', '# cmd/', 'undefined: ', 'imported and not used',
        'declared and not used', 'declared but not used', 'cannot use ', 'imported but not used',
        'arguments in call to', 'missing return', 'redeclared in this block', 'syntax error: ', " found 'EOF'",
        ", found '", 'no required module provides', 'is not in std', 'is not in GOROOT', 'vet: ',
        'missing go.sum entry', 'no field or method', 'invalid operation: ', 'could not import', 'undeclared name',
        'is not a type', 'is not an expression', 'mismatched types', 'cannot find module providing',
        'does not implement', 'not enough return values', 'too many return values', 'assignment mismatch',
        'cannot assign', 'cannot find package', 'not exported by package', 'import cycle not allowed',
        'build constraints exclude', 'no new variables', ' format %', 'copies lock', 'passes lock by value',
        'struct field tag ', 'unkeyed fields', 'self-assignment of ', 'unreachable code',
        'captured by func literal', 'should have signature', 'the cancel function', ' call has ', ' call needs ',
        ' call not used', ' refers to unknown', ' [build failed]', ' [setup failed]', '=== Errors')),
    ("go_rust.ginkgo:Ginkgo", "ginkgo", "", (
        '• Failure', '• [FAILED]', '• [PANICKED]', '•! Panic', '• [TIMEDOUT]', '•... Timeout', '• [INTERRUPTED]',
        '• [ABORTED]', 'Summarizing ', 'Running Suite: ', '=== FAIL: ')),
    ("go_rust.gocheck:Gocheck", "gocheck", "", (
        '\n----------------------------------------------------------------------\n', 'OOPS: ', '=== FAIL: ',
        'START: ')),
    ("go_rust.golangci:GolangciLint", "golangci-lint", "", (
        '(asasalint)', '  asasalint  ', '(asciicheck)', '  asciicheck  ', '(bidichk)', '  bidichk  ', '(bodyclose)',
        '  bodyclose  ', '(canonicalheader)', '  canonicalheader  ', '(containedctx)', '  containedctx  ',
        '(contextcheck)', '  contextcheck  ', '(copyloopvar)', '  copyloopvar  ', '(cyclop)', '  cyclop  ',
        '(deadcode)', '  deadcode  ', '(decorder)', '  decorder  ', '(depguard)', '  depguard  ', '(dogsled)',
        '  dogsled  ', '(dupl)', '  dupl  ', '(dupword)', '  dupword  ', '(durationcheck)', '  durationcheck  ',
        '(embeddedstructfieldcheck)', '  embeddedstructfieldcheck  ', '(err113)', '  err113  ', '(errcheck)',
        '  errcheck  ', '(errchkjson)', '  errchkjson  ', '(errname)', '  errname  ', '(errorlint)',
        '  errorlint  ', '(execinquery)', '  execinquery  ', '(exhaustive)', '  exhaustive  ', '(exhaustivestruct)',
        '  exhaustivestruct  ', '(exhaustruct)', '  exhaustruct  ', '(exportloopref)', '  exportloopref  ',
        '(exptostd)', '  exptostd  ', '(fatcontext)', '  fatcontext  ', '(forbidigo)', '  forbidigo  ',
        '(forcetypeassert)', '  forcetypeassert  ', '(funcorder)', '  funcorder  ', '(funlen)', '  funlen  ',
        '(gci)', '  gci  ', '(ginkgolinter)', '  ginkgolinter  ', '(gocheckcompilerdirectives)',
        '  gocheckcompilerdirectives  ', '(gochecknoglobals)', '  gochecknoglobals  ', '(gochecknoinits)',
        '  gochecknoinits  ', '(gochecksumtype)', '  gochecksumtype  ', '(gocognit)', '  gocognit  ', '(goconst)',
        '  goconst  ', '(gocritic)', '  gocritic  ', '(gocyclo)', '  gocyclo  ', '(godoclint)', '  godoclint  ',
        '(godot)', '  godot  ', '(godox)', '  godox  ', '(goerr113)', '  goerr113  ', '(gofmt)', '  gofmt  ',
        '(gofumpt)', '  gofumpt  ', '(goheader)', '  goheader  ', '(goimports)', '  goimports  ', '(golines)',
        '  golines  ', '(golint)', '  golint  ', '(gomnd)', '  gomnd  ', '(gomoddirectives)', '  gomoddirectives  ',
        '(gomodguard)', '  gomodguard  ', '(goprintffuncname)', '  goprintffuncname  ', '(gosec)', '  gosec  ',
        '(gosimple)', '  gosimple  ', '(gosmopolitan)', '  gosmopolitan  ', '(govet)', '  govet  ', '(grouper)',
        '  grouper  ', '(iface)', '  iface  ', '(ifshort)', '  ifshort  ', '(importas)', '  importas  ',
        '(inamedparam)', '  inamedparam  ', '(ineffassign)', '  ineffassign  ', '(interfacebloat)',
        '  interfacebloat  ', '(interfacer)', '  interfacer  ', '(intrange)', '  intrange  ', '(iotamixing)',
        '  iotamixing  ', '(ireturn)', '  ireturn  ', '(lll)', '  lll  ', '(loggercheck)', '  loggercheck  ',
        '(logrlint)', '  logrlint  ', '(maintidx)', '  maintidx  ', '(makezero)', '  makezero  ', '(maligned)',
        '  maligned  ', '(megacheck)', '  megacheck  ', '(mirror)', '  mirror  ', '(misspell)', '  misspell  ',
        '(mnd)', '  mnd  ', '(modernize)', '  modernize  ', '(musttag)', '  musttag  ', '(nakedret)',
        '  nakedret  ', '(nestif)', '  nestif  ', '(nilerr)', '  nilerr  ', '(nilnesserr)', '  nilnesserr  ',
        '(nilnil)', '  nilnil  ', '(nlreturn)', '  nlreturn  ', '(noctx)', '  noctx  ', '(noinlineerr)',
        '  noinlineerr  ', '(nolintlint)', '  nolintlint  ', '(nonamedreturns)', '  nonamedreturns  ',
        '(nosnakecase)', '  nosnakecase  ', '(nosprintfhostport)', '  nosprintfhostport  ', '(paralleltest)',
        '  paralleltest  ', '(perfsprint)', '  perfsprint  ', '(prealloc)', '  prealloc  ', '(predeclared)',
        '  predeclared  ', '(promlinter)', '  promlinter  ', '(protogetter)', '  protogetter  ', '(reassign)',
        '  reassign  ', '(recvcheck)', '  recvcheck  ', '(revive)', '  revive  ', '(rowserrcheck)',
        '  rowserrcheck  ', '(scopelint)', '  scopelint  ', '(sloglint)', '  sloglint  ', '(spancheck)',
        '  spancheck  ', '(sqlclosecheck)', '  sqlclosecheck  ', '(staticcheck)', '  staticcheck  ',
        '(structcheck)', '  structcheck  ', '(stylecheck)', '  stylecheck  ', '(swaggo)', '  swaggo  ',
        '(tagalign)', '  tagalign  ', '(tagliatelle)', '  tagliatelle  ', '(tenv)', '  tenv  ',
        '(testableexamples)', '  testableexamples  ', '(testifylint)', '  testifylint  ', '(testpackage)',
        '  testpackage  ', '(thelper)', '  thelper  ', '(tparallel)', '  tparallel  ', '(typecheck)',
        '  typecheck  ', '(unconvert)', '  unconvert  ', '(unparam)', '  unparam  ', '(unqueryvet)',
        '  unqueryvet  ', '(unused)', '  unused  ', '(usestdlibvars)', '  usestdlibvars  ', '(usetesting)',
        '  usetesting  ', '(varcheck)', '  varcheck  ', '(varnamelen)', '  varnamelen  ', '(vet)', '  vet  ',
        '(wastedassign)', '  wastedassign  ', '(whitespace)', '  whitespace  ', '(wrapcheck)', '  wrapcheck  ',
        '(wsl)', '  wsl  ', '(wsl_v5)', '  wsl_v5  ', '(zerologlint)', '  zerologlint  ', ': : # ', ' issues:',
        ' issue:', 'golangci-lint run')),
    ("go_rust.cargo_test:CargoTest", "cargo", "", (
        '     Running ', '   Doc-tests ', '   Compiling ', '\nrunning ', ']running ', ' ... FAILED', '--- FAILED',
        ' stdout ----', 'test result: ', 'to rerun pass ', ' has overflowed its stack', '(signal: ',
        'Nextest run ID', ' tests across ', ' test across ')),
    ("go_rust.rustc:Clippy", "clippy", "go_rust.rustc:Rustc", (
        '--> ', ': error[E', ': error: ', 'error: could not compile', 'error: linking with',
        'error: failed to run custom', '\nrunning ', ']running ', 'test result: ', '--- STDOUT: ', '--- STDERR: ',
        '--- TRY ', 'error: test run failed')),
    ("go_rust.nextest:Nextest", "nextest", "", (
        'Nextest run ID ', ' tests across ', ' test across ', '     Summary [', 'error: test run failed',
        ' FAIL [ ', ' TIMEOUT [ ', ' SIGSEGV [ ', ' SIGABRT [ ')),
    ("go_rust.rustc:Rustc", "rustc", "", (
        '--> ', ': error[E', ': error: ', 'error: could not compile', 'error: linking with',
        'error: failed to run custom', '\nrunning ', ']running ', 'test result: ', '--- STDOUT: ', '--- STDERR: ',
        '--- TRY ', 'error: test run failed')),
    ("go_rust.rust_failures:Rustfmt", "rustfmt", "", ('Diff in ',)),
    ("jvm.surefire:Surefire", "surefire", "", (
        ' <<< FAILURE!', ' <<< ERROR!', 'surefire-plugin:', '--- surefire:', 'failsafe-plugin:', '--- failsafe:',
        '] Results:', 'Results :', '] Failures:', '] Errors:', 'Crashed tests:', 'Process Exit Code: ',
        'Reactor Build Order:', 'MultiThreadedBuilder', '/pom.xml', '\nFailed tests: ', '\nTests in error: ')),
    ("jvm.gradle:Gradle", "gradle", "", (
        ' FAILED', ' PASSED', '> Task :', ' completed, ', 'BUILD SUCCESSFUL', 'BUILD FAILED',
        'There were failing tests', 'failed with an exception', 'Execution failed for task',
        'finished with non-zero exit', '    ✘ ', '    ✔ ', '\nTests with failures:')),
    ("jvm.junit_console:JUnitConsole", "junit-console", "", (
        'Failures (', 'tests failed  ', 'containers failed  ', ' :: FAILED', ' => Exception: ', ' caught: ',
        ' uniqueId: [engine:')),
    ("jvm.junit_text:JUnitText", "junit", "", (
        'There was 1 failure:', 'There was 1 error:', '\nThere were ', '] There were ', ',  Failures: ')),
    ("jvm.kotest:Kotest", "kotest", "", ('\n>> Kotest\n', '\n>> There were test failures\n')),
    ("jvm.testng:TestNG", "testng", "", ('FAILED: ', 'FAILED CONFIGURATION: ', ', Skips: ')),
    ("jvm.ant:Ant", "ant", "", ('[junit]', '[junitlauncher]')),
    ("jvm.scalatest:ScalaTest", "scalatest", "", (
        '*** FAILED ***', '*** ABORTED ***', '[info] - ', 'Run starting. Expected test count is',
        'Run completed in', 'Tests: succeeded ', 'Suites: completed ', '[error] Failed tests:',
        '[error] Error during tests:')),
    ("jvm.munit:Munit", "munit", "", ('==> X ', '[error] Failed tests:')),
    ("jvm.munit:JUnitUnderSbt", "junit-interface", "", (' failed: ', '[error] Failed tests:')),
    ("jvm.specs2:Specs2", "specs2", "", (
        '[error]   x ', '[error]   ! ', '[error]     x ', '[error]     ! ', 'Total for specification ',
        '[error] Failed tests:', '[error] Error during tests:')),
    ("jvm.zio:ZioTest", "zio-test", "", (' tests failed. ', ' test failed. ', '[error] Failed tests:')),
    ("jvm.javac:Javac", "javac", "", (
        '.java:[', ': error: ', 'Fatal error compiling: ', 'Execution failed for task', 'error: release ',
        ': invalid target release', ': invalid source release', 'warnings found and -Werror specified',
        ' warnings\n', '1 warning\n')),
    ("jvm.kotlinc:Kotlinc", "kotlinc", "", ('.kt:', '.kts:', 'Execution failed for task')),
    ("jvm.scalac:Scalac", "scalac", "", ('.scala:', '.scala.html:')),
    ("jvm.checkstyle:Checkstyle", "checkstyle", "", (
        'Starting audit...', 'checkstyle] ', '.java:[', '.kt:[', '--- checkstyle:', 'checkstyle-plugin:',
        'Execution failed for task')),
    ("jvm.spotless:Spotless", "spotless", "", ('The following files had format violations:',)),
    ("jvm.build_failures:MavenBuild", "maven", "", ('BUILD FAILURE\n', ' -> [Help 1]\n')),
    ("jvm.build_failures:AntBuild", "ant", "", ('\nBUILD FAILED\n', '\nBuildfile: ', '\nTarget ')),
    ("scripting.busted:Busted", "busted", "", (
        '\nFailure → ', '\nFailure -> ', '\nError → ', '\nError -> ', '\n[  FAILED  ] ', '\n[  ERROR   ] ',
        '\n[ ERROR    ] ', ' FAILED TEST', ' ERROR\n', ' ERRORS\n', ' successes / ', ' success / ')),
    ("scripting.rspec:Rspec", "rspec", "", (
        '\nFailures:', '\nPending:', '\nFailed examples:', 'seconds to load)', 'An error occurred while loading ',
        'An error occurred in a', '\nrspec ./', "\nrspec '", '     Failure/Error:', '.1) Failure/Error:',
        "     Expected pending '")),
    ("scripting.minitest:Minitest", "minitest", "", (
        '#test_', ') Failure:\n', ') Error:\n', ' assertions/s', ' assertions, ', 'FAIL["test_', 'ERROR["test_',
        '  test_')),
    ("scripting.testunit:TestUnit", "test-unit", "", (
        '\nFailure: ', '\nError: ', ') Failure: ', ') Error: ', ' pendings, ')),
    ("scripting.phpunit:PhpUnit", "phpunit", "", (', Memory: ',)),
    ("scripting.phpunit_testdox:PhpUnitTestdox", "phpunit", "", ('\n ✘ ',)),
    ("scripting.php_syntax:PhpSyntax", "php", "", ('Parse error: ', 'ParseError: syntax error', 'Fatal error: ')),
    ("scripting.pest:Pest", "pest", "", (
        '\n  FAIL  ', '\n   FAIL  ', '\n  FAILED  ', '\n   FAILED  ', '\n  • ', '\n   • ', '\n  ⨯ ', '\n  Tests:  ')),
    ("scripting.exunit:ExUnit", "exunit", "", (
        ') test ', ') doctest ', ') property ', ') feature ', ') scenario ', ') it ', ') spec ', ') example ',
        'failure on setup_all callback', 'Finished in ', '==> ')),
    ("scripting.elixir:Elixir", "elixir", "", (
        '== Compilation error in file ', '\nwarning: ', '\n    warning: ',
        'due to warnings while using the --warnings-as-errors option')),
    ("scripting.elixir_format:MixFormat", "mix-format", "", ('** (Mix) mix format failed due to --check-formatted',)),
    ("scripting.testthat:TestThat", "testthat", "", (
        '── Failure (', '── Error (', '-- Failure (', '-- Error (', '. Failure (', '. Error (', '\nFailure (',
        '\nError (', '[ FAIL ')),
    ("scripting.rubocop:Rubocop", "rubocop", "", (
        ': C: ', ': R: ', ': W: ', ': E: ', ': F: ', '\nC: ', '\nR: ', '\nW: ', '\nE: ', '\nF: ', ' inspected, ')),
    ("scripting.shellcheck:ShellCheck", "shellcheck", "", ('\nIn ', '-- SC', '-^ SC', '^ SC', ' [SC')),
    ("scripting.php_lint:PhpCodeSniffer", "phpcs", "", ('\nFILE: ',)),
    ("scripting.php_lint:PhpStan", "phpstan", "", ('\n  Line   ', '\n [ERROR] Found ')),
    ("scripting.php_lint:Psalm", "psalm", "", ('\nERROR: ',)),
    ("native.harnesses:Automake", "automake", "", (
        '\nFAIL: ', ']FAIL: ', '\nXPASS: ', ']XPASS: ', '\nERROR: ', ']ERROR: ', 'Testsuite summary for ')),
    ("native.bazel:Bazel", "bazel", "", (
        ' FAILED in ', ' TIMEOUT in ', ' FLAKY, failed in ', '\nFAIL: //', '\nFAIL: @', '\nTIMEOUT: //',
        '= Test output for ', '\nExecuted ')),
    ("native.boost:BoostTest", "boost", "", (
        'error: in "', ' in the test module "', ': Test command: ', 'Test project ', '***Failed', '***Exception',
        '***Timeout', 'Exit code 0xc')),
    ("native.builders:Builders", "make", "", (
        ': *** No rule to make target ', '.  Stop.', 'ninja: error: ', 'ninja: fatal: ')),
    ("native.builders:CMake", "cmake", "", ('CMake Error',)),
    ("native.catch2:Catch2", "catch2", "", (
        '-------------------------------------------------------------------------------\n', ' host application.',
        'test cases: ', "No assertions in test case '", ': failed: ', ' test case, failed ', ' test cases, failed ',
        ': Test command: ', 'Test project ', '***Failed', '***Exception', '***Timeout', 'Exit code 0xc')),
    ("native.compilers:Compilers", "gcc/clang", "", (
        ': error: ', ': fatal error: ', ': internal compiler error: ', 'errors generated', 'error generated',
        'ninja: build stopped', '] Error ', 'compilation terminated', 'required from here', ' requested here')),
    ("native.ctest:Ctest", "ctest", "", (
        '***Failed', '***Exception', '***Timeout', '***Not Run', 'The following tests FAILED:', '% tests passed, ',
        ': Test command: ', 'Unable to find executable: ', 'Test project ')),
    ("native.doctest:Doctest", "doctest", "", (
        '===============================================================================\n',
        '[doctest] test cases:', ': Test command: ', 'Test project ', '***Failed', '***Exception', '***Timeout',
        'Exit code 0xc')),
    ("native.gtest:Gtest", "gtest", "", (
        '[ RUN      ] ', '[  FAILED  ] ', ': Failure', ': Test command: ', '***Failed', '***Exception',
        '***Timeout', 'Test output for //', 'Test project ', '\nRepeating all tests (iteration ')),
    ("native.linkers:Linkers", "ld", "", (
        'undefined reference to ', 'multiple definition of ', 'cannot find -l', 'library not found for -l',
        'unable to find library -l', 'error: undefined symbol: ', 'error: undefined protected symbol: ',
        'error: undefined hidden symbol: ', 'error: duplicate symbol: ', 'ld.lld: error: cannot open ',
        'Undefined symbols', "duplicate symbol '", "ld: library '", 'library not found: ', ': in function `',
        ': In function `')),
    ("native.harnesses:Meson", "meson", "", (
        ' FAIL  ', ' TIMEOUT  ', ' ERROR  ', ' UNEXPECTEDPASS  ', 'Summary of Failures:',
        'ninja: Entering directory ', 'Expected Fail:  ', 'Fail:  ')),
    ("platforms.dotnet:Dotnet", "dotnet", "", (
        '  Failed ', 'Failed   ', '  X ', ' [FAIL]', '\nfailed ', 'error TESTERROR', 'error test failed',
        'Failed!  -', 'Total tests:', 'Test run summary:', 'Test summary: total:', '=== TEST EXECUTION SUMMARY ===',
        'The active test run was aborted.', ' running when the crash occurred:')),
    ("platforms.nunit:NUnitConsole", "dotnet", "", (
        'Errors, Failures and Warnings', 'Errors and Failures', ' Test Count: ')),
    ("platforms.msbuild:MsBuild", "msbuild", "", (
        ': error CS', ': error FS', ': error BC', ': error MSB', ': error NETSDK', ': error RZ', ': error BL',
        ': error XA', ': error XLS', ': error WMC', ': error MC', ': error GEN', ': error CA', ': error IDE',
        ': error SA', ': error AD', ': error xUnit', ': error MSTEST', ': error NUnit', ': error RCS',
        ': error VSTHRD', ': error SYSLIB', ': error IL', ': error S', ': error RS')),
    ("platforms.msbuild:Msvc", "msvc", "", (
        ': error C', ': fatal error C', ': error LNK', ': fatal error LNK', ': error RC', ': fatal error RC',
        ': error CVT', ': fatal error CVT', ': Command line error D')),
    ("platforms.swift:Swift", "swift", "", (
        ': error: -[', '.swift:', '<unknown>:', '<EXPR>:', "Test Case '", "Test case '", ' recorded an issue',
        ' failed after ', 'Failing tests:', ' issue(s)', '** TEST FAILED **', 'Exited with ')),
    ("platforms.xcpretty:XcPretty", "swift", "", ('    ✗ ', '    ✖ ', '.swift:', '.m:')),
    ("platforms.swiftc:SwiftCompiler", "swiftc", "", ('.swift:',)),
    ("platforms.dart:Dart", "dart", "", (
        ' [E]', '❌ ', ': Some tests failed.', ' failed.', ' failed, ', '══╡ EXCEPTION')),
    ("platforms.dart_analyze:DartAnalyze", "dart-analyze", "", (
        'error - ', 'warning - ', 'info - ', 'error • ', 'warning • ', 'info • ')),
    ("platforms.pester:Pester", "pester", "", ('[-] ', 'Describing ', '  Context ', ' Context ', 'Tests Passed: ')),
    ("linters.python_tools:Black", "black", "", (
        '\nwould reformat ', 'error: cannot ', ' would be reformatted', ' would fail to reformat')),
    ("linters.python_tools:Isort", "isort", "", (' Imports are incorrectly sorted and/or formatted.',)),
    ("linters.python_tools:Pylint", "pylint", "", (
        '.py:1', '.py:2', '.py:3', '.py:4', '.py:5', '.py:6', '.py:7', '.py:8', '.py:9', '.pyi:1', '.pyi:2',
        '.pyi:3', '.pyi:4', '.pyi:5', '.pyi:6', '.pyi:7', '.pyi:8', '.pyi:9', '): [C', '): [R', '): [W', '): [E',
        '): [F')),
    ("linters.python_tools:Pyright", "pyright", "", (' - error: ', ' informations', ' notes')),
    ("linters.web_tools:Prettier", "prettier", "", ('[warn] ', '[error] ', 'Error occurred when checking')),
    ("linters.web_tools:Biome", "biome", "", (' ━━━━━', '\nChecked ')),
    ("linters.web_tools:Oxlint", "oxlint", "", ('\n  x ', '\n  × ', ' warnings and ', ' warning and ')),
    ("linters.web_tools:Stylelint", "stylelint", "", ('  ✖  ', '✖ ')),
    ("linters.web_tools:Markdownlint", "markdownlint", "", (' MD0', ' MD1', 'Summary: ')),
    ("linters.config_tools:Actionlint", "actionlint", "", (
        '.yml:1', '.yml:2', '.yml:3', '.yml:4', '.yml:5', '.yml:6', '.yml:7', '.yml:8', '.yml:9', '.yaml:1',
        '.yaml:2', '.yaml:3', '.yaml:4', '.yaml:5', '.yaml:6', '.yaml:7', '.yaml:8', '.yaml:9')),
    ("linters.config_tools:Yamllint", "yamllint", "", ('[error] ', '.yml\n', '.yaml\n')),
    ("linters.line_linters:Codespell", "codespell", "", (' ==> ',)),
    ("linters.line_linters:Cspell", "cspell", "", (
        ' - Unknown word (', ' - Forbidden word (', 'CSpell: Files checked: ')),
    ("linters.line_linters:TyposLines", "typos", "", ('` should be `', '` -> `')),
    ("linters.line_linters:Hadolint", "hadolint", "", (' DL1', ' DL3', ' DL4', ' SC1', ' SC2', ' SC3')),
    ("linters.line_linters:Vulture", "vulture", "", ('% confidence)',)),
    ("linters.line_linters:Pyflakes", "pyflakes", "", (
        ' imported but unused', ": undefined name '", ' is assigned to but never used', ': redefinition of unused ',
        ': f-string is missing placeholders', ": 'from ", ': invalid syntax')),
    ("linters.line_linters:Cpplint", "cpplint", "", (
        '] [1]\n', '] [2]\n', '] [3]\n', '] [4]\n', '] [5]\n', '\nTotal errors found: ')),
    ("linters.line_linters:Doc8", "doc8", "", (': D0', 'Total accumulated errors = ')),
    ("linters.line_linters:Rstcheck", "rstcheck", "", (
        ': (INFO/1) ', ': (WARNING/2) ', ': (ERROR/3) ', ': (SEVERE/4) ')),
    ("linters.line_linters:Pymarkdown", "pymarkdown", "", (': MD0', ': PML')),
    ("linters.line_linters:Jshint", "jshint", "", ('.js: line ', '.html: line ', ' errors\n', ' error\n')),
    ("linters.code_linters:Staticcheck", "staticcheck", "", (' (SA', ' (S1', ' (ST1', ' (QF1', ' (U1000)')),
    ("linters.code_linters:Gosec", "gosec", "", ('] - G', '  Issues : ')),
    ("linters.code_linters:Luacheck", "luacheck", "", ('.lua:', '\nTotal: ')),
    ("linters.code_linters:StandardRuby", "standardrb", "", (
        ': Style/', ': Layout/', ': Lint/', ': Naming/', ': Performance/', ': Security/')),
    ("linters.unnamed_linters:JshintUnix", "jshint", "", (' errors\n', ' error\n')),
    ("linters.unnamed_linters:Golint", "golint", "", (' lint suggestions; failing.\n',)),
    ("linters.unnamed_linters:PrettierList", "prettier", "", ('prettier ',)),
    ("linters.code_linters:Hlint", "hlint", "", (': Warning: ', ': Suggestion: ', ': Error: ')),
    ("linters.code_linters:BufLint", "buf", "", ('.proto:',)),
    ("linters.code_linters:Revive", "revive", "", (' https://revive.run/r#',)),
    ("linters.block_linters:Tslint", "tslint", "", ('\nERROR: ',)),
    ("linters.line_linters:TslintLines", "tslint", "", ('\nERROR: ',)),
    ("linters.annotated_linters:SqlfluffAnnotations", "sqlfluff", "", (' title=SQLFluff,', '"title": "SQLFluff"')),
    ("linters.annotated_linters:Gitlint", "gitlint", "", ('\nCommit ', '\n1: T', '\n1: CT1 ', '\n2: B4 ', '\n3: B')),
    ("linters.line_linters:Htmlhint", "htmlhint", "", (', error - ', ' [error/')),
    ("linters.line_linters:StylelintLines", "stylelint", "", (', error - ', ') [error]\n')),
    ("linters.line_linters:AnsibleLint", "ansible-lint", "", (
        '.yml:1', '.yml:2', '.yml:3', '.yml:4', '.yml:5', '.yml:6', '.yml:7', '.yml:8', '.yml:9', '.yaml:1',
        '.yaml:2', '.yaml:3', '.yaml:4', '.yaml:5', '.yaml:6', '.yaml:7', '.yaml:8', '.yaml:9')),
    ("linters.block_linters:Bandit", "bandit", "", ('>> Issue: [',)),
    ("linters.bandit_formats:BanditCsv", "bandit", "", ('\nfilename,test_name,test_id,',)),
    ("linters.bandit_formats:BanditYaml", "bandit", "", ('\n- code: ',)),
    ("linters.block_linters:Ty", "ty", "", ('\nerror[',)),
    ("linters.line_linters:TyLines", "ty", "", (': error[',)),
    ("linters.block_linters:Typos", "typos", "", ('\nerror: `',)),
    ("linters.block_linters:AnsibleLintBlocks", "ansible-lint", "", (
        '.yml:1', '.yml:2', '.yml:3', '.yml:4', '.yml:5', '.yml:6', '.yml:7', '.yml:8', '.yml:9', '.yaml:1',
        '.yaml:2', '.yaml:3', '.yaml:4', '.yaml:5', '.yaml:6', '.yaml:7', '.yaml:8', '.yaml:9', ' failure(s), ')),
    ("linters.block_linters:Sqlfluff", "sqlfluff", "", ('\n== [',)),
    ("linters.block_linters:Djlint", "djlint", "", ('\n─────', '\nLinted ')),
    ("linters.block_linters:Pydocstyle", "pydocstyle", "", (
        ' at module level:\n', ' in public ', ' in private ', ' in nested ')),
    ("linters.block_linters:Xo", "xo", "", ('\n  ✖ ', ' errors\n', ' error\n')),
    ("linters.block_linters:Standard", "standard", "", ('standard: Use JavaScript ',)),
    ("linters.block_linters:Textlint", "textlint", "", (
        '.md\n', '.txt\n', '.rst\n', '.html\n', '.adoc\n', ' infos)\n')),
    ("linters.block_linters:Spectral", "spectral", "", ('.yaml\n', '.yml\n', '.json\n', ' hints)\n')),
    ("linters.block_linters:Commitlint", "commitlint", "", ('\n✖   ',)),
    ("linters.workflow_commands:WorkflowCommands", "annotation", "", ('\n::error ', '\n##vso[task.logissue ')),
    ("linters.kotlin_swift:Ktlint", "ktlint", "", (
        '.kt:1', '.kt:2', '.kt:3', '.kt:4', '.kt:5', '.kt:6', '.kt:7', '.kt:8', '.kt:9', '.kts:1', '.kts:2',
        '.kts:3', '.kts:4', '.kts:5', '.kts:6', '.kts:7', '.kts:8', '.kts:9')),
    ("linters.kotlin_swift:SwiftLint", "swiftlint", "", (' Violation: ', 'Done linting! Found ')),
    ("linters.solidity:SolidityCompiler", "solc", "", ('Error (', '.sol:')),
    ("linters.solidity:Forge", "forge", "", ('[FAIL', '.sol:', 'uite result: ', 'est result: ')),
    ("linters.dart_compiler:DartCompiler", "dart-compiler", "", (
        '.dart:1', '.dart:2', '.dart:3', '.dart:4', '.dart:5', '.dart:6', '.dart:7', '.dart:8', '.dart:9')),
    ("linters.bundlers:Bundlers", "webpack", "", (
        'Module not found: ', 'Rollup failed to resolve import ', '[ERROR] Could not resolve ')),
    ("linters.git_hooks:PreCommit", "pre-commit", "", ('- hook id: ',)),
    ("linters.gradle_failures:GradleFailures", "gradle", "", ('\n* Where:', '\n* What went wrong:')),
    ("deployment.image_builds:ImageBuilds", "docker", "", (
        '] RUN ', '\nStep ', 'STEP ', 'executor failed running [', 'failed to solve',
        'failed to compute cache key: ', ' did not complete successfully: exit code: ',
        "' returned a non-zero code: ", '\nCOPY failed: ', '\nADD failed: ', 'ockerfile parse error ',
        '\nerror building image: ')),
    ("deployment.terraform:Terraform", "terraform", "", (
        '│ Error: ', '| Error: ', '\n  on ', '\nError: Failed to query available provider',
        '\nError: Failed to install provider', '\n  run "', 'Failure! ', 'Success! ', '.hcl... in progress\n')),
    ("deployment.terraform_format:TerraformFormat", "terraform-fmt", "", (
        '\n--- old/', 'exit code 3', 'exited with code 3')),
    ("deployment.helm:Helm", "helm", "", (
        '\n==> Linting ', ' chart(s) linted, ', '\nError: template:', '\nError: parse error at',
        '\nError: YAML parse error on', '\nError: execution error at', '\nError: cannot load values',
        "\nError: values don't meet the specifications of the schema",
        '\nError: An error occurred while checking for chart dependencies', '\nError: no cached repo',
        '\nError: INSTALLATION FAILED:', '\nError: UPGRADE FAILED:', '\nError: Kubernetes cluster unreachable:')),
    ("infrastructure.runner:Runner", "runner", "", (
        'exceeded the maximum execution time of', 'ran longer than the maximum time of',
        'execution took longer than', '\nToo long with no output (exceeded',
        '\nNo output has been received in the last', 'exceeded the maximum time limit for jobs',
        ' minutes) reached. Terminating ', 'has timed out after', 'The operation was canceled.',
        '\nDone: Job Cancelled', 'Canceling since a ', 'The runner has received a shutdown signal',
        'lost communication with the server', 'The hosted runner encountered an error while running your job',
        'We stopped hearing from agent', 'Job failed (system failure)', 'No space left on device')),
    ("infrastructure.killed_processes:Memory", "memory", "", (
        'JavaScript heap out of memory', 'Allowed memory size of ', 'java.lang.OutOfMemoryError',
        'insufficient memory for the Java Runtime Environment',
        '\nExpiring Daemon because JVM heap space is exhausted', 'terminated program',
        'internal compiler error: Killed', 'memory exhausted: Cannot allocate memory',
        '\nfatal error: runtime: out of memory', 'ERR_WORKER_OUT_OF_MEMORY',
        'disappeared unexpectedly (it may have been killed', 'terminated with signal 9',
        'Out of memory: Killed process', 'SIGKILL', 'signal: killed', 'Killed', 'exit code: 137', 'exit code 137',
        'The forked VM terminated without', 'The runner has received a shutdown signal', 'Crashed tests:')),
    ("infrastructure.dependencies:Dependencies", "dependencies", "", (
        'No matching distribution found for', 'conflicting dependencies', 'requires a different Python',
        'Failed building wheel for ', '\nCommand not found: ', '× ', 'DO NOT MATCH THE HASHES',
        'No solution found when resolving', '`--locked` was provided', '\nerror: Failed to build `',
        '\nerror: Request failed after ', 'since poetry.lock was last generated', ') not found.',
        'version solving failed', '\nPackagesNotFoundError', 'npm error code E', 'npm ERR! code E',
        'Missing script: ', "\nerror Couldn't find ", 'Your lockfile needs to be updated',
        'is incompatible with this module', '" not found.', 'YN0028: ', 'YN0035: ', 'YN0082: ', 'YN0016: ',
        'YN0001: ', 'ERR_PNPM_', "\nCould not find gem '", 'ould not find compatible versions', 'Could not find ',
        ', and Bundler cannot continue', "ockfile can't be updated because", 'in deployment mode after changing',
        'but your Gemfile specified', '\n[!] There was an error ', '\nCould not locate Gemfile',
        '\nThe deployment setting requires a ', '\nYour bundle only supports platforms ',
        '\nThe following gems are missing', '\nbundler: command not found: ', '\nThe path `',
        '\nGit error: command `git ', '\nCould not fetch specs from ', '\nCould not reach host ',
        "Could not find a valid gem '", '\nYour requirements could not be resolved',
        '\nYour lock file does not contain a compatible set', 'is not present in the lock file',
        'file could not be downloaded', 'dependency resolution failed',
        "Can't continue due to errors on dependencies", 'Could not resolve dependencies for project',
        'Non-resolvable ', ' or one of its dependencies could not be resolved', 'Failed to execute goal ',
        ' rule violations were found', 'ResolveException: Error downloading ', 'Could not resolve all ', '\ngo: ',
        '(running go ', '\ngo: updates to go.', 'failed to select a version for', 'no matching package',
        '` as a dependency of package `', 'because it requires rustc', ' --locked was passed', 'error NU1',
        '\nThe test source file ', 'failed to resolve source metadata for ', 'pull access denied for ',
        ': manifest unknown', ' is unhealthy', 'toomanyrequests: ', '\nerror during connect: ',
        'Cannot connect to the Docker daemon at', '\nE: Unable to locate package', 'has no installation candidate',
        '\nE: Failed to fetch ', "' was not found", '\nThe following packages have unmet dependencies:',
        'ould not resolve host: ', "' is not recognized as ", 'nable to resolve action', "Can't find 'action.yml'")),
    ("infrastructure.coverage:Coverage", "coverage", "", (
        'Required test coverage of ', 'overage failure: total of ', ' coverage threshold for ', 'does not meet ')),
    ("infrastructure.teamcity:TeamCity", "teamcity", "", ('##teamcity[test',)),
    ("infrastructure.printed_results:PrintedResults", "result file", "", (
        '\n<testsuites', '\n<testsuite ', '\n<checkstyle', '\n{"numTotalTestSuites":', '\n{"numFailedTestSuites":',
        '\n<?xml ', '\n<TestRun', '\n<test-run', '\n<test-results', '\n<test-suite ', '\n<assemblies',
        '\n<assembly ', '\n<Site ', '\n{"protocolVersion":', '\n{"pytest_version":', '\n{"$report_type":',
        '\n{"version": 0, "kind":', '\n{"kind":', '\n{ "type": "suite", "event":', '\n{"type":"suite","event":',
        '\n{"numFailedTests":', '\n{"version":', '\n{"stats":', '\n{"summary":', '\n{"results":', '\n{"config":',
        '\n{"errors":', '\n{"messages":', '\n{"created":', '\n{"cell":', '\n{"$schema":', '\n{"runs":',
        '\n{"reportFormat":', '\n{"diagnostics":', '\n{ "diagnostics":', '\n[{"filePath":', '\n[{"source":',
        '\n[{"uri":', '\n[{"description":', '\n[{"check_name":', '\n[{"type":', '\n[{"cell":', '\n[{"code":',
        '\n{"cancel":', '\n{"source":', '\n  "stats": {', '\n  "config": {', '\n  "errors": [',
        '\n    "version": "', '\n    "messages": [', '\n  "$schema": "http', '\n  "version": "2.1.0"',
        '\n  "runs": [', '\n  "diagnostics": [', '\n  "source": {', '\n    "cell": ', '\n        "type": "',
        '\n    "description": "')),
)
