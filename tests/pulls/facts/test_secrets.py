"""What looks like a secret is said with its place, and its characters are not shown."""

import pytest
from village import village

from stithy_pulls.facts.secret_masking import MASK, LineMasker, contains_secret, mask_secrets

pytestmark = pytest.mark.anyio

VALUE = "abcd1234efgh5678"
KEY = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA7", "kQ==", "-----END RSA PRIVATE KEY-----"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (f'API_KEY = "{VALUE}"', "a.py"),
        (f"password: str = '{VALUE}'", "a.py"),
        (f'apiKey := "{VALUE}"', "a.go"),
        (f'"secret" => "{VALUE}",', "a.php"),
        (f'const token: string = "{VALUE}";', "a.ts"),
        (f"AWS_SECRET_ACCESS_KEY={VALUE}", ".env.production"),
        (f"export DB_PASSWORD={VALUE}", "local.env"),
        (f"db.password = {VALUE}", "a.properties"),
        (f"x = 'ghp_{VALUE * 3}'", "a.py"),
        ("AKIAABCDEFGHIJKLMNOP", "a.txt"),
    ],
)
def test_it_is_found_and_masked(line, path):
    assert contains_secret(line, path)
    assert VALUE not in mask_secrets(line, path)
    assert "AKIAABCDEFGHIJKLMNOP" not in mask_secrets(line, path)
    assert MASK in mask_secrets(line, path)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('token = os.environ["TOKEN"]', "a.py"),
        ("token = get_token(request)", "a.py"),
        ("password: ${DB_PASSWORD}", "a.conf"),
        ('secret = "<your secret>"', "a.py"),
        (f"AWS_SECRET_ACCESS_KEY={VALUE}", "a.py"),
        ("tokens = 12345678", "a.ini"),
        ('<assemblyIdentity name="Anvil" publicKeyToken="b03f5f7f11d50a3a" />', "app.config"),
    ],
)
def test_other_texts_stay_unchanged(line, path):
    assert not contains_secret(line, path)
    assert mask_secrets(line, path) == line


def test_the_lines_of_a_private_key_are_masked_to_its_end():
    masking = LineMasker("id_rsa")
    assert [masking.mask_line(line) for line in ["a", *KEY, "b"]] == ["a", KEY[0], MASK, MASK, MASK, "b"]


def test_a_private_key_in_one_line_is_masked():
    masking = LineMasker("a.py")
    assert "MIIE" not in masking.mask_line(f'KEY = "{"".join(KEY)}"')
    assert masking.mask_line("b") == "b"


async def test_no_answer_shows_one(tmp_path):
    tree = {"a.py": f'def open(secret="{VALUE}"):\n    return 1\n'}
    changes = {
        "a.py": f'TOKEN = "{VALUE}"\n\n\ndef open(token="{VALUE}", more=1):\n    return 1\n',
        "id_rsa": "\n".join(KEY),
        ".env": f"DB_PASSWORD={VALUE}\n",
    }
    async with village(tmp_path, tree) as here:
        pr = here.pull("Change", changes)
        answers = [await here.suggest(pr), await here.impact(pr, depth="detailed")]
    assert VALUE not in str(answers)
    assert "MIIEow" not in str(answers)
    assert [len(answer["text"].split("looks like a secret")) > 1 for answer in answers] == [True, True]
