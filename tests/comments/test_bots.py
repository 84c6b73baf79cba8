"""Who is a bot, and when two logins are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_comments.bots import KNOWN, is_bot, same_identity
from stithy_core.spi import NOT_REPORTED, User, UserKind

LOGINS = st.text(st.characters(codec="utf-8"), max_size=30)


@pytest.mark.parametrize("kind", [UserKind.PERSON, NOT_REPORTED])
@pytest.mark.parametrize("login", ["codecov-commenter", "CodeRabbitAI", "renovate-bot", "k8s-ci-robot", "GiteaBot"])
def test_a_known_robot_is_a_bot_whatever_the_forge_says_of_its_account(login, kind):
    assert is_bot(User(login=login, kind=kind))


@pytest.mark.parametrize("login", ["claude", "cursor", "stale", "renovate", "smith"])
def test_a_name_that_people_bear_is_a_bot_only_by_its_type(login):
    assert not is_bot(User(login=login))
    assert is_bot(User(login=login, kind=UserKind.BOT))
    assert is_bot(User(login=f"{login}[bot]"))


@pytest.mark.parametrize("login", ["coderabbit-fan-123", "coderabbitai-fan", "dependabot2", "bot", "robot-smith", ""])
def test_a_name_that_only_looks_like_a_bots_is_a_person(login):
    assert not is_bot(User(login=login))


def test_a_ghost_is_not_a_bot():
    assert not is_bot(User(login="ghost", kind=UserKind.GHOST))


def test_a_caller_adds_names_in_any_spelling():
    assert is_bot(User(login="Night-Forge"), more=["night-forge[bot]"])
    assert not is_bot(User(login="night-forger"), more=["night-forge"])


def test_a_name_in_letters_that_only_look_the_same_is_another():
    assert not is_bot(User(login="\u212a8s-ci-robot"))
    assert not same_identity("\u212a8s-ci-robot", "k8s-ci-robot")


def test_the_list_holds_names_as_they_are_compared():
    assert all(name == name.lower() and not name.endswith("[bot]") for name in KNOWN)


@given(LOGINS)
def test_an_account_is_itself_in_any_case_and_with_the_ending_of_an_app(login):
    assert same_identity(login, login)
    assert same_identity(login, f"{login}[bot]") or login.endswith("[bot]")
    assert not login.isascii() or same_identity(login, login.upper().replace("[BOT]", "[bot]"))


@given(LOGINS, LOGINS)
def test_which_login_comes_first_makes_no_difference(one, other):
    assert same_identity(one, other) == same_identity(other, one)


@given(st.sampled_from(sorted(KNOWN)), st.text("abcxyz019-", min_size=1, max_size=5))
def test_a_longer_name_is_another_account(name, more):
    assert not same_identity(name, name + more)
    assert is_bot(User(login=name + more)) == (name + more in KNOWN)
