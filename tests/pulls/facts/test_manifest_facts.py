"""Which dependencies are facts: what manifests of several formats say before and after a change."""

from pathlib import PurePosixPath

import pytest
from village import list_facts, village

pytestmark = pytest.mark.anyio


async def test_dependencies_are_named_with_their_versions(tmp_path):
    manifest = '{\n  "dependencies": {\n    "one": "^1.0.0",\n    "two": "^2.0.0"\n  }\n}\n'
    tree = {"package.json": manifest, "go.mod": "module a\n\nrequire (\n\tx.io/a v1.0.0 // indirect\n)\n"}
    added, major, minor, direct = await list_facts(
        tmp_path,
        tree,
        {"package.json": manifest.replace('"two"', '"new": "^3.1.0",\n    "two"')},
        {"package.json": manifest.replace("^1.0.0", "^2.0.0")},
        {"package.json": manifest.replace("^1.0.0", "^1.9.0")},
        {"go.mod": tree["go.mod"].replace(" // indirect", "")},
    )
    assert added == ["package.json: line 4: dependency added: new ^3.1.0"]
    assert major == ["package.json: line 3: may be incompatible by semantic versioning: one ^1.0.0 → ^2.0.0"]
    assert minor == direct == []


DEVELOPMENT = {
    "package.json": '{"devDependencies": {"a": "1.0.0", "new": "2.0.0"}}',
    "composer.json": '{"require-dev": {"a/b": "1.0", "c/d": "2.0"}}',
    "Cargo.toml": '[dev-dependencies]\na = "1"\nb = "2"\n',
    "Pipfile": '[dev-packages]\na = "1"\n',
    "pyproject.toml": '[project.optional-dependencies]\ndev = ["a==1"]\nunit-tests = ["b==1"]\n'
    '[dependency-groups]\nc = ["d==1"]\n',
    "requirements-dev.txt": "a==1\n",
    "docs/requirements.txt": "a==1\n",
    "Gemfile": "group :development, :test do\n  gem 'a', '1'\nend\n",
    "pom.xml": "<project><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1.0</version>"
    "<scope>test</scope></dependency></project>",
}


@pytest.mark.parametrize("path", DEVELOPMENT)
async def test_what_is_for_development_alone_concerns_no_user(tmp_path, path):
    empty = {".json": "{}\n", ".xml": "<project/>\n"}.get(PurePosixPath(path).suffix, "# none\n")
    assert await list_facts(tmp_path, {path: empty}, {path: DEVELOPMENT[path]}) == [[]]


async def test_groups_that_users_install_are_facts(tmp_path):
    changes = {
        "pyproject.toml": '[project.optional-dependencies]\nredis = ["a==1"]\n',
        "Gemfile": "group :development do\n  gem 'b', '1'\nend\ngroup :assets do\n  gem 'c', '2'\nend\ngem 'd', '3'\n",
    }
    assert await list_facts(tmp_path, dict.fromkeys(changes, "# none\n"), changes) == [
        ["Gemfile: line 5: dependency added: c 2, d 3", "pyproject.toml: line 2: dependency added: a ==1"]
    ]


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("Update one to 2.1", True),
        ("Update dependencies to v2.1.0", True),
        ("Use one 2 and two", True),
        ("Use 2 servers", False),
        ("Release 3.2.1", False),
        ("Update one to 20", False),
    ],
)
async def test_a_title_may_tell_the_version(tmp_path, title, is_told):
    manifest = '{"dependencies": {"acme-one": "^1.0.0"}}\n'
    title = title.replace("one", "acme")
    async with village(tmp_path, {"package.json": manifest}) as here:
        answer = await here.suggest(here.pull(title, {"package.json": manifest.replace("^1.0", "^2.1")}))
    assert (answer["files"][0]["focus_points"] == []) is is_told


async def test_the_next_number_of_a_release_is_no_major_version(tmp_path):
    pom = "<project><parent><groupId>a</groupId><artifactId>b</artifactId><version>{}</version></parent></project>\n"
    number, major = await list_facts(
        tmp_path,
        {"pom.xml": pom.format(54), "c/pom.xml": pom.format("5.4")},
        {"pom.xml": pom.format(55)},
        {"c/pom.xml": pom.format("6.0")},
    )
    assert number == []
    assert major == ["c/pom.xml: line 1: may be incompatible by semantic versioning: a:b 5.4 → 6.0"]


async def test_a_new_manifest_may_list_what_the_code_used_before(tmp_path):
    assert await list_facts(tmp_path, {"a.go": "package a\n"}, {"go.mod": "module a\n\nrequire x.io/a v1.0.0\n"}) == [
        []
    ]


async def test_a_dependency_that_was_for_development_is_not_new(tmp_path):
    cargo = '[dependencies]\nz = "1"\n\n[dev-dependencies.k8s-api]\nversion = "1"\n'
    more = '\n# k8s-api as well\n[dependencies.{}]\nversion = "1"\n'
    facts = await list_facts(
        tmp_path,
        {"Cargo.toml": cargo},
        {"Cargo.toml": cargo + more.format("k8s-api")},
        {"Cargo.toml": cargo + more.format("api")},
    )
    assert facts == [[], ["Cargo.toml: line 8: dependency added: api 1"]]


@pytest.mark.parametrize(
    ("old", "new", "is_fact"),
    [("'>= 0.9.2', '< 2'", "'~> 1.0'", False), ("'>= 1'", "'>= 2'", False), ("'~> 1.0'", "'~> 2.0', '>= 2.1'", True)],
)
async def test_a_range_that_is_open_upwards_had_the_newer_ones(tmp_path, old, new, is_fact):
    (found,) = await list_facts(tmp_path, {"Gemfile": f"gem 'one', {old}\n"}, {"Gemfile": f"gem 'one', {new}\n"})
    assert len(found) == is_fact


async def test_a_version_of_another_table_replaces_none(tmp_path):
    old = '[project.optional-dependencies]\na = ["one>=1", "two==1"]\nb = ["one>=2"]\n'
    less = old.replace('"one>=1", ', "")
    other, same = await list_facts(
        tmp_path, {"pyproject.toml": old}, {"pyproject.toml": less}, {"pyproject.toml": old.replace("two==1", "two==2")}
    )
    assert other == []
    assert same == ["pyproject.toml: line 2: may be incompatible by semantic versioning: two ==1 → ==2"]


async def test_what_starts_the_code_and_what_moves_is_no_new_dependency(tmp_path):
    npm = '{\n  "engines": {\n    "node": ">= 1.0.0"\n  }\n}\n'
    cfg = "[options]\ninstall_requires =\n    attrs>=19.2.0\n"
    engine, provided, moved = await list_facts(
        tmp_path,
        {"package.json": npm, "setup.cfg": cfg},
        {"package.json": npm.replace('0"', '0",\n    "iojs": ">= 1.0.0"')},
        {"composer.json": '{\n  "provide": {\n    "psr/log-implementation": "~1.0"\n  }\n}\n'},
        {"setup.cfg": "[options]\n", "pyproject.toml": '[project]\ndependencies = ["attrs>=19.2.0"]\n'},
    )
    assert engine == provided == moved == []


async def test_a_dependency_that_moves_between_manifests_is_not_new(tmp_path):
    tree = {"requirements.txt": "one==1.0\ntwo==2.0\n", "requirements-dev.txt": "three==3.0\n"}
    moved, compiled = await list_facts(
        tmp_path,
        tree,
        {"requirements.txt": "one==1.0\n", "requirements-dev.txt": "three==3.0\ntwo==2.0\n"},
        {"requirements.txt": "deep==5.0\n    # via one\none==1.0\ntwo==2.0\n"},
    )
    assert moved == compiled == []


async def test_a_requirement_that_moves_from_a_folder_of_them_is_not_new(tmp_path):
    old = '[project]\ndependencies = ["one==1.0"]\n'
    tree = {"pyproject.toml": old, "requirements/min.txt": "mark_up==2.0.1\n", "requirements/dev.in": "lint\n"}
    new = old.replace('"]', '", "mark-up==2.0.1", "lint", "three==3.0"]')
    (moved,) = await list_facts(
        tmp_path, tree, {"pyproject.toml": new, "requirements/min.txt": None, "requirements/dev.in": "# none\n"}
    )
    assert moved == ["pyproject.toml: line 2: dependency added: three ==3.0"]


async def test_a_gem_that_moves_from_the_specification_to_the_gemfile_is_not_new(tmp_path):
    specification = 'Gem::Specification.new do |s|\n  s.add_development_dependency "rake", ">= 10.0.0"\nend\n'
    tree = {"a.gemspec": specification, "Gemfile": "gemspec\n"}
    changes = {"a.gemspec": "Gem::Specification.new\n", "Gemfile": "gemspec\ngem 'rake', '>= 10.0.0'\ngem 'two', '2'\n"}
    assert await list_facts(tmp_path, tree, changes) == [["Gemfile: line 3: dependency added: two 2"]]


async def test_the_reason_for_a_suggested_package_is_no_version(tmp_path):
    manifest = '{\n  "require": {\n    "a/b": "^1.0"\n  },\n  "suggest": {\n    "c/d": "Needed for x (^1.0)"\n  }\n}\n'
    changed = manifest.replace('x (^1.0)"', 'y (^2.0)",\n    "e/f": "Used by z (^3.0)."')
    (found,) = await list_facts(tmp_path, {"composer.json": manifest}, {"composer.json": changed})
    assert found == []


async def test_a_plugin_of_another_group_is_another_one(tmp_path):
    """What else has a version in a POM does not count, nor does a further POM: others may have its dependencies."""
    block = "<{0}>\n<groupId>{1}</groupId>\n<artifactId>{2}</artifactId>\n<version>{3}</version>\n</{0}>\n"
    plugins = block.format("plugin", "org.a", "p", "0.6.1") + block.format("signature", "s", "level-1", "6.0")
    old = f"<project>{plugins}</project>"
    child = f"<project>{block.format('parent', 'a', 'up', '4.0-SNAPSHOT')}</project>"
    one = block.format("dependency", "a", "d", "${v}")
    profiles = f"<project><properties><v>1</v><v>2</v></properties>{one}</project>"
    other, major, level, own, further, released, profiled = await list_facts(
        tmp_path,
        {"pom.xml": old, "c/pom.xml": child, "e/pom.xml": profiles},
        {"pom.xml": old.replace("org.a", "io.b").replace("0.6.1", "3.1.0")},
        {"pom.xml": old.replace("0.6.1", "3.1.0")},
        {"pom.xml": old.replace("level-1", "level-2")},
        {"pom.xml": old.replace("0.6.1", "2.0.0-SNAPSHOT")},
        {"b/pom.xml": f"<project>{block.format('dependency', 'a', 'd', '2.0')}</project>"},
        {"c/pom.xml": child.replace("SNAPSHOT", "beta")},
        {"e/pom.xml": profiles.replace("<v>2</v>", "<v>3</v>")},
    )
    assert other == ["pom.xml: line 3: dependency added: io.b:p 3.1.0"]
    assert major == ["pom.xml: line 3: may be incompatible by semantic versioning: org.a:p 0.6.1 → 3.1.0"]
    assert level == own == further == released == profiled == []


async def test_packages_of_the_same_vendor_are_no_new_dependencies(tmp_path):
    npm = '{\n  "name": "@a/b",\n  "dependencies": {\n    "@a/c": "^1.0.0",\n    "d": "^1.0.0"\n  }\n}\n'
    composer = '{\n  "name": "a/b",\n  "require": {\n    "a/c": "^1.0"\n  }\n}\n'
    tree = {"p/package.json": "{}\n", "q/composer.json": "{}\n"}
    scoped, vendor = await list_facts(tmp_path, tree, {"p/package.json": npm}, {"q/composer.json": composer})
    assert scoped == ["p/package.json: line 5: dependency added: d ^1.0.0"]
    assert vendor == []


async def test_a_manifest_is_read_whole(tmp_path):
    """Lines far from those that change decide what a name belongs to."""
    filler = "".join(f'    "f{number}": "1.0.0",\n' for number in range(9))
    tables = [
        f'  "{key}": {{\n{filler}    "{name}": "1.0.0"\n  }}'
        for key, name in (("dependencies", "a"), ("overrides", "b"))
    ]
    npm = "{\n" + ",\n".join(tables) + "\n}\n"
    python = '[project]\ndependencies = [\n  "one>=1.0",\n]\nkeywords = [\n  "a>=1",\n]\n'
    pom = "<project>\n<properties>\n<d.version>1.0</d.version>\n</properties>\n<dependency>\n<groupId>g</groupId>\n"
    pom += "<artifactId>d</artifactId>\n<version>${d.version}</version>\n</dependency>\n</project>\n"
    overridden, added, keyword, property_, broken, peer = await list_facts(
        tmp_path,
        {
            "package.json": npm,
            "q/package.json": '{"peerDependencies": {"d": "1 || 2"}}',
            "pyproject.toml": python,
            "pom.xml": pom,
        },
        {"package.json": npm.replace('"b": "1.0.0"', '"b": "2.0.0",\n    "c": "1.0.0"')},
        {"package.json": npm.replace('"a": "1.0.0"', '"a": "1.0.0",\n    "c": "1.0.0"')},
        {"pyproject.toml": python.replace("a>=1", "b>=2")},
        {"pom.xml": pom.replace("1.0", "2.0")},
        {"package.json": npm.replace('"a": "1.0.0"', '"a": "1.0.0",\n    "c": "1.0.0",')},
        {"q/package.json": '{"peerDependencies": {"d": "1 || 2"}, "devDependencies": {"d": "2"}}'},
    )
    assert overridden == keyword == broken == peer == []
    assert added == ["package.json: line 13: dependency added: c 1.0.0"]
    assert property_ == ["pom.xml: line 3: may be incompatible by semantic versioning: g:d 1.0 → 2.0"]


async def test_a_dependency_whose_version_becomes_known_is_not_new(tmp_path):
    pom = "<project>\n<dependency>\n<groupId>g</groupId>\n<artifactId>d</artifactId>\n{}</dependency>\n</project>\n"
    managed, enabled = await list_facts(
        tmp_path,
        {"pom.xml": pom.format(""), "build.gradle": "// compile 'a:b:1.0'\n"},
        {"pom.xml": pom.format("<version>1.0</version>\n")},
        {"build.gradle": "// compile 'a:b:1.0'\n// compile 'a:c:1.0'\n"},
    )
    assert managed == enabled == []


async def test_a_crate_with_another_name_in_the_code_is_called_by_its_own(tmp_path):
    cargo = '[dependencies]\na = "1.0"\n'
    (found,) = await list_facts(
        tmp_path, {"Cargo.toml": cargo}, {"Cargo.toml": cargo + 'b = { package = "c", version = "1.0" }\n'}
    )
    assert found == ["Cargo.toml: line 3: dependency added: c 1.0"]


async def test_ranges_that_share_a_major_version_are_compatible(tmp_path):
    manifest = '{{\n  "require": {{\n    "a/b": "{}"\n  }}\n}}\n'
    narrowed, branch, raised = await list_facts(
        tmp_path,
        {"composer.json": manifest.format("^1.0 || ^2.0"), "requirements.txt": "one>=1.0,<2\n"},
        {"composer.json": manifest.format("^2.0")},
        {"composer.json": manifest.format("dev-php-7.1")},
        {"requirements.txt": "one>=2.0,<3\n"},
    )
    assert narrowed == branch == []
    assert raised == ["requirements.txt: line 1: may be incompatible by semantic versioning: one >=1.0,<2 → >=2.0,<3"]
