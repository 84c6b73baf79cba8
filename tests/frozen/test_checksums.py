"""Frozen plugins are not edited."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
CHECKSUMS = {
    "interface_0/stithy_lines.py": "493a1f4e241d0e16f9461d50aca79d1a54e9ec02efa9e603155babadc73eadc7",
    "interface_0/stithy_pond/__init__.py": "fc708da2b2627e55e6e1150b20731d983b664b105257b664a570a4f8a1df7577",
    "interface_0/stithy_pond/forge.py": "ed853f77f9f39b20431c88e1bda40032437ec3bd97d265232b674160a4e5311a",
    "interface_0/stithy_pond/mapping.py": "ab533436da11a452d1afe896ed1017a5ec15bca0119b2847a255081af5e116d2",
    "interface_0/stithy_waiting.py": "feead773a6e791dad85f1c24f74d2390f1ce8de2692ad80c2cdc7a84e42619b9",
    "interface_1/stithy_quarry.py": "9c249a507f1739f8c2e4d7db229be7d782334c37243b81ec6955cd95a746b62a",
    "interface_1/stithy_tongs.py": "2336ef63505caf2d850521d3e56c040b867dce337e9df7e285ca49b7791a4e1e",
    "interface_1/stithy_tongs_spi.py": "fa3a3bc57482bfd412f9f30e04f877620c2e3f088105832687e6898b58bbf8a1",
}


def test_no_frozen_file_was_edited():
    files = {
        str(path.relative_to(FOLDER)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(FOLDER.glob("interface_*/**/*.py"))
    }
    assert files == CHECKSUMS, "restore the file: it stands for plugins of other authors, which nobody edits"
