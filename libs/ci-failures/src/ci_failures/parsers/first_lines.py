"""The `first_line` of built-in parsers that have one, as `python -m ci_failures.parsers` writes it.

A parser that another one reads for has none here.
"""

# fmt: off
# Quoted as by `repr`; the signs are those that the tools print.
# ruff: noqa: Q000, RUF001

FIRST_LINES: dict[str, str] = {
    "python.pytest:Pytest":
        '[=_]+ (?:FAILURES|ERRORS|(?:short|rerun) test summary info) |=+ .* in [\\d.]|[.FEsxXRpu,-]*=+ test'
        " session starts =|(?:FAILED|ERROR) \\S+\\.py(?:::| - |$)|ImportError while loading conftest '|Test"
        ' session starts \\(platform: ',
    "python.unittest:Unittest":
        '(?:FAIL|ERROR|UNEXPECTED SUCCESS)\\b|.* \\.\\.\\. (?:unexpected success|FAIL|ERROR)$|Ran \\d+ test'
        's? in |Found \\d+ test\\(s\\)|(?:Creating|Destroying|Preserving) test database|System check',
    "python.ruff:Ruff":
        '.*--> |\\d+\\t[A-Z\\t]|--- \\S.*\\.(?:pyi?|ipynb)|Would reformat: |.*\\.(?:pyi?|ipynb):(?:$|(?:cel'
        'l \\d+:)?\\d+:(?:\\d+: | \\[))',
    "python.mypy:Mypy":
        '.*\\.pyi?:[\\d:]* error: |\\{|Found \\d',
    "python.robot:Robot":
        "={71}|\\d+ tests?, \\d|Running suite '",
    "python.avocado:Avocado":
        ' \\(\\d+/\\d+\\) |RESULTS +: PASS ',
    "python.ward:Ward":
        '  Failed at |│ +\\d+ +Failures? |─+ SUCCESS in ',
    "python.traceback_list:Stestr":
        '\\{\\d+\\} | - Failed: \\d',
    "python.traceback_list:Green":
        '(?:Failure|Error) in ',
    "python.traceback_list:Trial":
        '\\[(?:FAIL|ERROR|SUCCESS!\\?!)\\]$',
    "javascript.jest:JestInPackages":
        ' ?FAIL ++(?!.* > )\\S.*\\.|.*Errors thrown in \\S|Test(?:s| Suites): |  \\u25cf \\S|Summary of|\\S'
        '++$|> \\S+@',
    "javascript.vitest:VitestInPackages":
        '.*\\ RUN\\ \\ v|.*⎯\\ Failed\\ |.*⎯\\ Unhandled\\ |.*⎯\\ Uncaught\\ |.*\\ tests\\ \\|\\ |.*\\ test'
        '\\ \\|\\ |.*Test\\ Files\\ \\ |.*\\ ×\\ |.*::error\\ file=|\\S++$|> \\S+@',
    "javascript.mocha:MochaInPackages":
        '.*\\ passing\\ \\(|.*\\(Run\\ Starting\\)|.*Exception\\ during\\ run:\\ |\\S++$|> \\S+@',
    "javascript.playwright:PlaywrightInPackages":
        '.*\\ tests\\ using\\ |.*\\ test\\ using\\ 1\\ worker|.*\\ ──────|.*🎭\\ Playwright|.*Error:\\ No\\ '
        'tests\\ found|.*not\\ a\\ part\\ of\\ any\\ test|.*\\ \\ \\ at\\ |.*\\ \\ ✘\\ |\\S++$|> \\S+@',
    "javascript.tsc:TscInPackages":
        '.*error TS\\d|.*ERROR in \\S|.*\\[ERROR\\] TS|Type error: |\\S++$|> \\S+@',
    "javascript.eslint:EslintInPackages":
        '.*:\\d+ +(?:error|warning|Error:|Warning:|✖) |.*, Error - |.*\\[Error|.*✖ \\d|.*ESLint|.*Oops!|\\S'
        '++$|> \\S+@',
    "javascript.nodetest:NodeTestInPackages":
        '\\s*(?:not )?ok\\b|\\s*1\\.\\.\\d|TAP version 1|\\s*# Subtest: |#|.*▶ |.*✖ |.*ℹ |Failed tests:|\\S'
        '++$|> \\S+@',
    "javascript.ava:AvaInPackages":
        '  [✘✖] \\S|\\S++$|> \\S+@',
    "javascript.mocha_stream:MochaStream":
        '\\["(?:fail|end)",\\{',
    "javascript.tap:Tap":
        '\\s*(?:not )?ok\\b|\\s*1\\.\\.\\d|TAP version 1|\\s*# Subtest: |#',
    "javascript.tap_reports:TapReportsInPackages":
        '\u200b FAIL \u200b \\S| FAIL  \\S.* \\d+ failed (?:\\d+ \\w{1,10} ){0,3}of \\d+ [\\d.]+m?s$|\\S++$'
        '|> \\S+@',
    "javascript.bats:Bats":
        'not ok \\d|(?:.*\\d)? ✗ ',
    "javascript.jasmine_spec:JasmineSpec":
        '\\* +(?:Failures|Errors) +\\*$|Executed \\d+ of \\d+ specs?[ (]',
    "javascript.karma:Karma":
        '(?!\\S+\\.py::|test .+ \\.\\.\\. FAILED$|> Task :)',
    "javascript.bun:Bun":
        '\\((?:pass|fail|skip|todo)\\) |[✓✗»✎] |.*\\.[cm]?[jt]sx?:\\s*$|# Unhandled error between| *\\d+ (?'
        ':fail|errors?)\\s*$',
    "javascript.deno_check:DenoCheck":
        '(?:error: )?TS\\d+ \\[ERROR\\]: ',
    "javascript.deno_check:DenoLint":
        'error\\[[a-z][\\w/-]+\\]: |Found \\d+ problems?$',
    "javascript.deno_check:DenoFormat":
        'from \\S.*:$|(?:error: )?Found \\d',
    "javascript.webdriverio:WebdriverIO":
        '\\[[^\\]]{1,200} #\\d{1,4}-\\d{1,4}\\]',
    "go_rust.module_chains:ModuleChains":
        '(?:go: )?[\\w.~/+@-]+ (?:imports|requires|tested by)$',
    "go_rust.rustc:Rustc":
        '.*\\.rs:|(?:##\\[error\\])?error|.*running \\d+ tests?$|.*test result: |.*--- (?:STDOUT: |STDERR: '
        '|TRY )',
    "jvm.gradle:Gradle":
        ' .*FAILED| .*PASSED| .*✘| .*✔|(?!\\S+\\.py::|test .+ \\.\\.\\. FAILED$).* FAILED\\s*$|> (?:Task :|'
        "Process 'Gradle)|\\d+ tests? completed, |Tests with fail|BUILD [SF]|.*There were failing tests|Exe"
        "cution failed for task '",
    "jvm.clojure:ClojureTest":
        '(?:FAIL|ERROR) in \\S.{0,500} \\([^():]+:\\d+\\)$|(?:Testing|lein test) \\S+$',
    "jvm.munit:JUnitUnderSbt":
        '.*Test \\S.* failed: |.*\\[error\\] Failed tests:',
    "jvm.android_lint:AndroidLint":
        '(?:##\\[error\\])?\\s{0,8}(?:[A-Za-z]:)?[^:]{1,410}(?::\\d{1,7})?: (?:Error|Fatal): \\S|[\\s>]*Lin'
        't found \\d',
    "jvm.android_tools:AndroidTools":
        '.*(?:AAPT|R8|D8): |.*AndroidManifest\\.xml\\S* Error:\\s*$|.*Failed to compile resource file: |Exe'
        "cution failed for task ':",
    "jvm.build_failures:AntBuild":
        'BUILD FAILED$|Buildfile: .* does not exist!|Target \\"',
    "scripting.busted:Busted":
        '(?:Failure|Error) (?:\\u2192|->) |\\[ *(?:FAILED|ERROR) *\\] \\S+ @ | \\d+ (?:FAILED|ERROR)|\\d+ s'
        'ucc',
    "scripting.php_tests:PhpTests":
        '.{0,300}(?:FAIL|LEAK)\\b.{1,600} \\[\\S+\\.phpt\\]|Tests (?:failed|leaked) +: |========DIFF======='
        '=|FAILED TEST SUMMARY|LEAKED TEST SUMMARY',
    "scripting.erlang:EUnit":
        '.*\\.\\.\\.\\*(?:failed|timed out)\\*$| {5}Failure/Error: [?{]',
    "scripting.erlang:CommonTest":
        '%%% \\w+ ==> \\S+: FAILED$',
    "scripting.exunit:ExUnit":
        '\\ \\ \\ \\ \\ Failure/Error:\\ \\?| {0,3}\\d{1,6}\\) |==> \\w+\\s*$|Finished in \\d[\\d.]* second'
        's(?: \\([\\d.]+s|\\s*$)',
    "scripting.php_lint:Psalm":
        'ERROR: \\w{3,60} - \\S',
    "scripting.pint:Pint":
        ' *(?:FAIL|PASS) +\\.{3,} +\\d+ files?\\b',
    "native.bazel:Bazel":
        '[@/]\\S*//?\\S+ +(?:FAIL|TIME|FLAKY)|(?:FAIL|TIMEOUT): [@/]|=+ Test|Executed \\d+ out',
    "native.hspec:Hspec":
        '.{0,120}  To rerun use: --match ',
    "native.harnesses:Meson":
        '.*/\\d+ |.*Entering directory |.*Fail: +\\d|.*Timeout: +\\d|.*Pass: +\\d',
    "native.tasty:Tasty":
        '.{0,120}\\S: +(?:OK|FAIL|TIMEOUT|PASS \\(unexpected\\))(?: \\(\\d+\\.\\d\\ds\\))?$',
    "native.zig:Zig":
        ".{0,120}(?:Test \\[\\d+/\\d+\\] |\\d/\\d+ \\S+\\.(?:decl)?test[._]|error: '\\S+\\.(?:decl)?test[._"
        ']|\\.zig:\\d+:\\d+: error: )',
    "platforms.dotnet:Dotnet":
        '(?:##\\[error\\])?(?:  Failed |Failed   |  X |failed |Failed!)|.*\\[FAIL\\]\\s*$|.*error TESTERROR'
        '|.*error test |.*Total tests:|.*Test run summary:|.*Test summary: total:|.*=== TEST EXECUTION|.*ac'
        'tive test run|.* running when the crash',
    "platforms.dart:Dart":
        '(?:\\d\\d:\\d\\d )?\\+\\d|.*❌ |.*══╡ EXCEPTION|(?:::error::|##\\[error\\])\\d+ tests? passed',
    "linters.python_tools:Pylint":
        '.*\\.pyi?(?::\\d+:\\d+: [CRWEF]\\d{4}: |[:(]\\d+\\)?: \\[[CRWEF]\\d{4}\\()',
    "linters.web_tools:Stylelint":
        ' +\\d+:\\d+ +(?:✖|\\[error\\])',
    "linters.line_linters:Codespell":
        '[^\\s:][^:]*:\\d+: \\S+ ==> ',
    "linters.line_linters:TyposLines":
        '[^\\s:][^:]*:\\d+:\\d+: |error: `',
    "linters.line_linters:Hadolint":
        '[^\\s:][^:]*:\\d+ (?:DL|SC)\\d{4} ',
    "linters.line_linters:Pyflakes":
        '.*\\.pyi?:\\d+:\\d+:? (?!(?:[A-Z]{1,4}\\d|error|SyntaxError|note|\\[))',
    "linters.line_linters:Doc8":
        '.*:\\d+: D00\\d |Total acc',
    "linters.line_linters:Jshint":
        '[^:]*\\.(?:js|html): line \\d+, col \\d',
    "linters.code_linters:Staticcheck":
        '[^\\s:][^:]*\\.go:\\d+:\\d+: ',
    "linters.code_linters:Gosec":
        '\\[[^:]+:\\d+(?:-\\d+)?\\] - G\\d| +Issues : ',
    "linters.code_linters:Luacheck":
        ' {4}\\S[^:]*\\.lua:\\d+:\\d|Total: \\d',
    "linters.code_linters:StandardRuby":
        ' {2}\\S[^:]*:\\d+:\\d+: [A-Z]\\w+/',
    "linters.unnamed_linters:JshintUnix":
        '\\d{1,4} errors?$',
    "linters.unnamed_linters:PrettierList":
        '(?:\\+{1,3}|[$>]) .*prettier .*-l',
    "linters.code_linters:Hlint":
        '[^\\s:][^:]*\\.l?hs:',
    "linters.code_linters:BufLint":
        '[^\\s:][^:]*\\.proto:\\d+:\\d+:[^\\s\\d]',
    "linters.revive:Revive":
        ' +\\S+ +https://revive\\.run/r#|[✘⚠] \\d+ problem',
    "linters.revive:ReviveStylish":
        ' +\\(\\d+, \\d+\\) +https://revive\\.run/r#| ✖ \\d+ problem',
    "linters.revive:RevivePlain":
        '[^\\s:][^:]*\\.go:\\d+:\\d+: .*https://revive\\.run/r#',
    "linters.revive:ReviveUnix":
        '[^\\s:][^:]*\\.go:\\d+:\\d+: \\[[a-z]',
    "linters.block_linters:Tslint":
        'ERROR: \\d+:\\d+ +[a-z]',
    "linters.line_linters:TslintLines":
        'ERROR: (?:\\([\\w-]+\\) )?\\S.*\\.[jt]sx?(?::\\d|\\[\\d)',
    "linters.annotated_linters:Gitlint":
        'Commit [0-9a-f]{7,40}:$|[123]: (?:T\\d|B\\d|CT1) [A-Z]',
    "linters.line_linters:Htmlhint":
        '.*\\.(?:html?|xhtml|vue|svelte)[:(]',
    "linters.line_linters:StylelintLines":
        '.*\\.(?:css|s[ac]ss|less|vue|svelte):',
    "linters.line_linters:AnsibleLint":
        '[^\\s:][^:]*\\.ya?ml:\\d+(?::\\d+)?: [a-z][a-z-]+(?:\\[[\\w-]+\\])?(?:\\[/\\])?: ',
    "linters.block_linters:Ty":
        'error\\[[a-z]+-[a-z-]+\\]: ',
    "linters.block_linters:Pyrefly":
        'ERROR \\S.{0,2000} \\[[a-z-]+\\]$| INFO \\d+ errors?\\b',
    "linters.block_linters:Typos":
        'error: `[^`]+` should be `',
    "linters.block_linters:AnsibleLintBlocks":
        '\\S[^\\s:]*\\.ya?ml:\\d+(?::\\d+)?(?: [A-Z].*)?$|Failed: \\d',
    "linters.block_linters:Djlint":
        '─{20}|Linted \\d',
    "linters.block_linters:Pydocstyle":
        '\\S.*\\.py:\\d+ (?:at|in) ',
    "linters.block_linters:Xo":
        '  [✖×⚠‼] +\\d+:\\d+ ',
    "linters.block_linters:Tsd":
        '  [✖×⚠‼] +\\d+:\\d+ ',
    "linters.block_linters:Textlint":
        '(?!.*:).*\\.\\w{2,4}$',
    "linters.block_linters:Spectral":
        '(?!.*:).*\\.\\w{3,4}$',
    "linters.solidity:SolidityCompiler":
        '\\w*Error|.*\\.sol:',
    "linters.solidity:Forge":
        '.*\\.sol:|\\[FAIL|(?:Suite|Test) result: ',
    "linters.svelte_check:SvelteCheck":
        'Error: \\S|.*svelte-check|(?:\\d{10,16} )?(?:START|ERROR|\\{\\"type\\":\\"ERROR\\"|COMPLETED) ?',
    "linters.next_build:NextWebpack":
        'Failed to compile\\.?$',
    "deployment.trivy:Trivy":
        '(?:Total|Failures): \\d+ \\((?:UNKNOWN|LOW|MEDIUM|HIGH|CRITICAL): |Tests: \\d+ \\(SUCCESSES: ',
    "infrastructure.dependencies:Dependencies":
        '(?!go: (?:downloading|extracting|finding) )',
}
