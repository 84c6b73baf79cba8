"""Changed files, commits, and what branches demand."""

from gitea_recorded.comparing import check_fields, check_lists
from gitea_recorded.exchanges import Exchange
from gitea_recorded.fields import BINDING, BRANCH, COMMIT, FILE, RULE
from gitea_recorded.teller import Teller
from stithy_core.spi import Forge, Unknown


async def files(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    check_lists(await forge.changes.files(exchange.pr), exchange.body, FILE, ("path", "filename"))


async def commits(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    found = await forge.changes.commits(exchange.pr)
    check_lists(found, exchange.body, COMMIT, ("sha", "sha"))
    assert [one.sha for one in found] == [row["sha"] for row in reversed(exchange.body)]


async def branch(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    name = exchange.path.rpartition("/")[2]
    found = await forge.rules.get(exchange.repository, name)
    check_fields(found, exchange.body, BRANCH)
    assert found.protected is exchange.body["protected"]


async def rule(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Read a rule as that of a branch; the branch itself was not read, and has what the rule demands."""
    binding = BINDING[exchange.server.partition("-")[0]]
    for row in exchange.body if isinstance(exchange.body, list) else [exchange.body]:
        demands = {name: row[name] for name in ("required_approvals", "enable_status_check", "status_check_contexts")}
        said = {"protected": True, "effective_branch_protection_name": row["rule_name"]} | demands
        teller.tell("GET", f"{exchange.root}/branches/it", said)
        teller.tell("GET", f"{exchange.root}/branch_protections", [row])
        found = await forge.rules.get(exchange.repository, "it")
        check_fields(found, row, RULE | {"required_approvals": "required_approvals", "binds_admins": binding})
        assert found.required_checks == tuple(row["status_check_contexts"] or ())


async def no_rule(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """403: fields that only administrators see are unknown."""
    teller.tell("GET", f"{exchange.root}/branches/it", {"protected": True, "effective_branch_protection_name": "it"})
    teller.again(exchange)
    found = await forge.rules.get(exchange.repository, "it")
    assert isinstance(found.signed, Unknown)
    assert isinstance(found.binds_admins, Unknown)
    assert found.protected is True
