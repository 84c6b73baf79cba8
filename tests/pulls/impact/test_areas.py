"""What a change touches and what it risks; every score is the sum of its terms."""

import pytest
from village import village

from stithy_pulls.facts.risk_facts import Fact, score_risk
from stithy_pulls.impact.file_categories import categorize_file

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(1, 11))
HORN = "class Horn:\n    def bend(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("app/models.py", "backend"),
        ("latest.py", "backend"),
        ("app/contest/rank.go", "backend"),
        ("server/routes.ts", "backend"),
        ("plugins/ci/parse.py", "backend"),
        ("app/client/session.py", "backend"),
        ("ci/build.py", "infrastructure"),
        ("src/Button.tsx", "frontend"),
        ("web/logo.svg", "frontend"),
        ("static/site.css", "frontend"),
        ("app/migrations/0002_add.py", "database"),
        ("db/schema.rb", "database"),
        ("report.sql", "database"),
        (".github/workflows/ci.yml", "infrastructure"),
        ("deploy/Dockerfile", "infrastructure"),
        ("package-lock.json", "infrastructure"),
        ("requirements-dev.txt", "infrastructure"),
        ("tests/test_horn.py", "tests"),
        ("src/horn.spec.ts", "tests"),
        ("src/HornTest.java", "tests"),
        ("docs/guide.md", "docs"),
        ("README.rst", "docs"),
    ],
)
def test_a_path_has_a_category(path, category):
    assert categorize_file(path) == category


async def test_areas_are_named_by_the_nearest_manifest(tmp_path):
    tree = {"pay/pyproject.toml": "[project]\n", "pay/src/a.py": LINES, "tools/b.py": LINES, "c.py": LINES}
    async with village(tmp_path, tree) as here:
        pr = here.pull("Change", dict.fromkeys(("pay/src/a.py", "tools/b.py", "c.py"), "new\n"))
        found = await here.impact(pr)
    assert sorted((area["category"], area["area"]) for area in found["impact_areas"]) == [
        ("backend", "."),
        ("backend", "pay"),
        ("backend", "tools"),
    ]


async def test_settings_name_areas_and_categories(tmp_path):
    settings = '[pulls.areas]\npayments = ["pay/**"]\nfrontend = ["*.tpl"]\n'
    async with village(tmp_path, {"pay/a.py": LINES, "b.tpl": LINES}, settings) as here:
        found = await here.impact(here.pull("Change", {"pay/a.py": "1\n", "b.tpl": "1\n"}))
    areas = {(area["category"], area["area"]) for area in found["impact_areas"]}
    assert areas == {("backend", "payments"), ("frontend", ".")}


async def test_every_score_is_the_sum_of_its_terms(tmp_path):
    tree = {"app/migrations/0001_a.py": LINES, "CODEOWNERS": "docs/ @ada\n", "tests/test_a.py": "def test_a(): pass\n"}
    changes = {
        "app/migrations/0002_b.sql": "ALTER TABLE b ADD c int;\nDROP TABLE a;\n",
        "app/config.py": 'password = "q7Rk2pX9vTz4LmW8sB1c"\n' + "x = 1\n" * 30,
        ".github/workflows/ci.yml": "permissions: write-all\n",
        "tests/test_a.py": None,
    }
    async with village(tmp_path, tree) as here:
        found = await here.impact(here.pull("Change", changes))
    for scored in (found, *found["impact_areas"]):
        assert scored["risk_score"] == sum(term["points"] for term in scored["risk_terms"])
    assert found["risk_level"] == "high"
    assert {term["fact"].partition(":")[0] for term in found["risk_terms"]} >= {
        "secret",
        "workflow permissions",
        "migration",
        "data dropped",
        "test deleted",
    }
    assert "q7Rk2pX9" not in str(found)


def test_a_kind_weighs_once_and_says_how_often():
    facts = [Fact(kind="todo", focus="x", path=f"{n}.py", text="t", points=n) for n in (0, 1, 1)]
    (term,) = score_risk(facts).terms
    assert (term.points, term.count) == (1, 2)


async def test_in_detail_symbols_and_tests_are_named(tmp_path):
    old = "def keep(a):\n    return a\n\n\ndef drop(a):\n    return a\n\n\n" + HORN
    new = "def keep(a, b):\n    return a\n\n\n" + HORN.replace("1", "2")
    async with village(
        tmp_path, {"anvil/horn.py": old, "tests/test_horn.py": "x\n", "tests/test_other.py": "x\n"}
    ) as here:
        pr = here.pull("Change", {"anvil/horn.py": new})
        found = await here.impact(pr, depth="detailed")
        short = await here.impact(pr)
    assert [(row["name"], row["what"]) for row in found["symbols"]] == [
        ("keep", "signature"),
        ("drop", "removed"),
        ("Horn", "changed"),
        ("Horn.bend", "changed"),
    ]
    assert found["tests"] == [{"path": "anvil/horn.py", "tests": ["tests/test_horn.py"]}]
    assert "symbols" not in short


async def test_similar_ones_have_their_outcome_and_terms_that_sum_up(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES, "c.py": LINES}) as here:
        merged = here.pull("Harden the horn", {"a.py": "1\n", "b.py": "1\n"})
        here.world.merge(merged)
        closed = here.pull("Soften the horn", {"a.py": "2\n"})
        here.world.close(closed)
        here.world.merge(here.pull("Quench", {"c.py": "1\n"}))
        found = await here.impact(here.pull("Harden the horn again", {"a.py": "3\n"}))
    rows = {row["number"]: row for row in found["similar_prs"]}
    assert {number: row["outcome"] for number, row in rows.items()} == {
        merged.number: "merged",
        closed.number: "closed",
    }
    for row in rows.values():
        assert row["similarity_score"] == round(sum(term["points"] for term in row["terms"]), 2)
    assert rows[merged.number]["terms"][0] == {
        "term": "files",
        "points": 0.3,
        "said": "1 of 2 files in common: a.py",
    }
    assert rows[closed.number]["terms"][0]["points"] == 0.6


async def test_titles_without_letters_are_not_alike(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.world.merge(here.pull("🎉🎉", {"a.py": "1\n"}))
        found = await here.impact(here.pull("!!!", {"b.py": "1\n"}))
    assert found["similar_prs"] == []
