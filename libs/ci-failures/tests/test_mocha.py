"""What is particular about Mocha, and about Cypress, which prints its list."""

from ci_failures.parsers.javascript.cypress import Cypress
from ci_failures.parsers.javascript.mocha import Mocha

LIST = """\
  1 passing (8ms)
  2 failing

  1) Auth
       login:
         rejects:

      AssertionError [ERR_ASSERTION]: 'a' == 'b'
      + expected - actual

      at Context.<anonymous> (test/auth.test.js:8:14)

  2) hooks
       "before each" hook: prepare for "three":
     Error: preparation failed
      at Context.prepare (test/hooks.test.js:11:13)

"""


def names(told):
    return [(tale.parser.tool, one.name) for tale in told for one in tale.failures]


def test_a_title_goes_over_several_lines_and_may_end_with_a_colon(read):
    assert names(read(LIST)) == [
        ("mocha", "Auth login: rejects"),
        ("mocha", 'hooks "before each" hook: prepare for "three"'),
    ]


def test_a_list_without_its_counts_is_somebody_elses(read):
    assert not read(LIST.partition("\n")[2])
    assert not read("  6 failing as expected\n\n  1) decoy:\n     Error: x\n")


def test_numbers_in_a_message_begin_nothing(read):
    log = LIST.replace("'a' == 'b'", "first\n\n  1) decoy\n       of a test:\n     Error: x\n")
    assert len(read(log)[0].failures) == 2


def test_the_place_is_the_first_frame_in_the_repository(read):
    log = LIST.replace(
        "      at Context.<a", "      at f (node_modules/x/y.js:1:1)\n      at node:internal/x:1:2\n      at Context.<a"
    )
    assert (read(log)[0].failures[0].file, read(log)[0].failures[0].line) == ("test/auth.test.js", 8)


def test_a_rerun_picks_a_hook_by_what_is_around_it(read):
    (tale,) = read(LIST)
    assert (
        Mocha.rerun(tale.failures)
        == "npx mocha test/auth.test.js test/hooks.test.js -g '^(Auth login: rejects$|hooks)'"
    )


STACK = "      at Context.<anonymous> (test/auth.test.js:8:14)"


def test_a_test_whose_file_is_not_known_costs_no_other_its_file(read):
    (tale,) = read(LIST.replace(STACK, "      at f (src/auth.js:3:1)"))
    assert Mocha.rerun(tale.failures) == (
        "npx mocha test/hooks.test.js -g '^hooks' ; npx mocha -g '^Auth login: rejects$'"
    )


def test_a_test_that_fails_in_what_it_tests_is_run_by_its_own_file(read):
    (tale,) = read(LIST.replace(STACK, f"      at f (src/auth.js:3:1)\n{STACK}"))
    assert tale.failures[0].file == "src/auth.js"
    assert Mocha.rerun(tale.failures[:1]) == "npx mocha test/auth.test.js -g '^Auth login: rejects$'"


def test_a_test_that_takes_too_long_tells_its_file(read):
    late = (
        "  1 passing (1s)\n  1 failing\n\n  1) A\n       waits:\n     Error: Timeout of 20ms exceeded. For async tests "
        'and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. '
        "(/home/runner/work/a/a/src/a.spec.js)\n      at listOnTimeout (node:internal/timers:581:17)\n"
    )
    (tale,) = read(late)
    assert Mocha.rerun(tale.failures) == "npx mocha src/a.spec.js -g '^A waits$'"


def test_a_file_that_cannot_be_read_is_a_failure_of_its_own(read):
    app = "/home/runner/work/app/app/test"
    log = f" Exception during run: Error: Cannot find module './x'\nRequire stack:\n- {app}/a.test.js\n    at y\n"
    (told,) = read(log)[0].failures
    assert (told.kind, told.name, told.message) == ("compile", "test/a.test.js", "Error: Cannot find module './x'")
    (told,) = read(f" Exception during run: {app}/b.test.js:3\nconst x = ;\n")[0].failures
    assert (told.name, told.line) == ("test/b.test.js", 3)


def test_under_cypress_it_is_a_failure_of_cypress(read):
    start = "  (Run Starting)\n\n  Running:  auth.cy.js                (1 of 2)\n\n"
    frame = "at Context.eval (webpack://app/./cypress/e2e/auth.cy.js:8:7)"
    told = read(start + LIST.replace("at Context.<anonymous> (test/auth.test.js:8:14)", frame) + "  (Results)\n")
    assert {tool for tool, _ in names(told)} == {"cypress"}
    assert (told[0].failures[0].file, told[0].failures[0].line) == ("cypress/e2e/auth.cy.js", 8)
    assert Cypress.rerun(told[0].failures[:1]) == "npx cypress run --spec cypress/e2e/auth.cy.js"


def test_cypress_fails_without_a_stack_as_well(read):
    start = "  (Run Starting)\n\n  Running:  a-long-path/that-goes-              (1 of 1)\n            on.cy.js\n\n"
    rest = (
        "  0 passing (1s)\n  1 failing\n\n  1) Auth\n       rejects:\n     Error: x\n\n  (Results)\n\n  │ Tests: 1 │\n"
    )
    (told,) = read(start + rest)[0].failures
    assert (told.name, told.message, told.file) == ("Auth rejects", "Error: x", "a-long-path/that-goes-on.cy.js")


def test_the_message_begins_at_the_margin_however_deep_its_first_line_stands(read):
    deep = "  0 passing (1s)\n  1 failing\n\n  1) Auth\n       rejects:\n\n      AssertionError: no\n  + expected\n"
    (told,) = read(deep)[0].failures
    assert told.message.startswith("AssertionError: no\n")


def test_cypress_finds_again_a_file_that_only_the_banner_names(read):
    log = "  (Run Starting)\n\n  Running:  shop/cart.feature                (1 of 1)\n\n"
    log += "  0 passing (1s)\n  1 failing\n\n  1) Cart\n       adds:\n     Error: x\n\n  (Results)\n"
    assert Cypress.rerun(read(log)[0].failures) == "npx cypress run --spec '**/shop/cart.feature'"


def test_titles_may_have_line_breaks(read):
    """As Mocha 10 printed it; the names are those of its JSON reporter."""
    titles = [
        ("multi\nline suite\n       one\ntwo:", "multi\nline suite one\ntwo"),
        ("multi\nline suite\n       ends:\nthen more:", "multi\nline suite ends:\nthen more"),
        ("multi\nline suite\n       inner\n         a\n\nb:", "multi\nline suite inner a\n\nb"),
        ("multi\nline suite\n       inner\n         x\n      deep:", "multi\nline suite inner x\n      deep"),
        ("next\n       t:", "next t"),
    ]
    errors = ["\n\n      AssertionError: 1 == 2\n      + expected", "\n     Error: boom\nmore"]
    at = "\n      at Context.<anonymous> (a.test.js:3:28)\n\n"
    blocks = (f"  {n}) {title}{errors[n % 2]}{at}" for n, (title, _) in enumerate(titles, 1))
    (tale,) = read(f"\n  0 passing (9ms)\n  {len(titles)} failing\n\n{''.join(blocks)}\n")
    assert [one.name for one in tale.failures] == [name for _, name in titles]
    assert [one.message.split("\n")[0] for one in tale.failures[:2]] == ["Error: boom", "AssertionError: 1 == 2"]


STREAM = """\
["start",{"total":2}]
["pass",{"title":"adds","fullTitle":"Cart adds","file":"/home/runner/work/app/app/test/a.js","duration":0}]
  1 failing
["fail",{"title":"rejects","fullTitle":"Cart rejects","file":"/home/runner/work/app/app/test/a.js","duration":0,\
"currentRetry":0,"err":"1 == 2\\nmore","stack":"AssertionError: 1 == 2\\n    at Context.<anonymous> (test/a.js:3:36)"}]
["end",{"suites":2,"tests":2,"passes":1,"pending":0,"failures":1,"duration":9}]
"""


def test_the_events_of_json_stream_are_read(read):
    (told,) = read(STREAM)
    ((one,), counted) = told.failures, told.counted
    assert (one.name, one.message, one.file, one.line, counted) == ("Cart rejects", "1 == 2\nmore", "test/a.js", 3, 1)
    assert one.selector == "test/a.js\nCart rejects$"


def test_an_event_that_is_longer_than_a_line_that_is_read_has_its_name(read):
    (told,) = read(STREAM.replace("AssertionError", "x" * 9000))
    assert [(one.name, one.file) for one in told.failures] == [("Cart rejects", "test/a.js")]
