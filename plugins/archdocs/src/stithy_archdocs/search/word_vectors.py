"""Static word vectors: texts of similar meaning have similar vectors, though they share no word.

The weights are two files of the distribution `wordllama`, which the extra `vectors` installs. They are read from its
folder; its code is never imported, since that configures logging and downloads what it does not find.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stithy_archdocs.search.search_query import STOP
from stithy_core.spi import ConfigError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
DIMENSIONS = 256
MODEL = "l2_supercat-256-1"
"""Name of the stored vectors; to be changed with anything that changes them."""
SCALE = 127
"""A component of a stored vector is an integer from -127 to 127."""
MOST_CHARACTERS = 1_200
"""Characters of a text that count."""
_WORD = re.compile(r"[^\W_]+|[+#]+")
_MOST_WORDS = 20_000
"""Words whose tokens are cached."""


class WordVectors:
    """Makes the vectors of texts.

    Args:
        folder: The folder of the package `wordllama`.
    """

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._weights = _read_weights(folder / WEIGHTS)
        tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))

        def encode_word(word: str) -> tuple[int, ...]:
            return tuple(tokenizer.encode(word, add_special_tokens=False).ids)

        self._encode_word = lru_cache(_MOST_WORDS)(encode_word)

    def make_vector(self, weights: Mapping[str, float]) -> "Vectors":
        """Return the vector of some words in lower case, each with its weight.

        Returns:
            `DIMENSIONS` numbers of length 1, or all 0 if there is no word.
        """
        import numpy as np

        total = np.zeros(DIMENSIONS, dtype=np.float32)
        for word, weight in weights.items():
            for part in _WORD.findall(word):
                tokens = list(self._encode_word(part))
                total += np.float32(weight) * self._weights[tokens].sum(axis=0, dtype=np.float32)
        return _normalize(total)

    def pack(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of texts as bytes, `DIMENSIONS` for each text."""
        import numpy as np

        rows = np.array([self._make_text_vector(text) for text in texts]).reshape(-1, DIMENSIONS)
        packed: bytes = np.rint(rows * SCALE).astype(np.int8).tobytes()
        return packed

    def _make_text_vector(self, text: str) -> "Vectors":
        import numpy as np

        words = _WORD.findall(text[:MOST_CHARACTERS].lower())
        tokens = [token for word in words if word not in STOP for token in self._encode_word(word)]
        return _normalize(self._weights[tokens].sum(axis=0, dtype=np.float32))


def _normalize(vector: "Vectors") -> "Vectors":
    import numpy as np

    return np.asarray(vector / (float(np.linalg.norm(vector)) or 1.0), dtype=np.float32)


def _read_weights(path: Path) -> "Vectors":
    """Read a file in the format safetensors: the length of a JSON header, the header, and one table.

    Numbers of 32 bits take twice the memory of those of 16 bits in the file, and a fourth of the time.
    """
    import numpy as np

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        rows, columns = json.loads(file.read(length))["embedding.weight"]["shape"]
    return np.fromfile(path, dtype=np.float16, offset=8 + length).reshape(rows, columns).astype(np.float32)


def find_weights() -> Path | None:
    """Return the folder with the files of the weights; None if the extra is not installed."""
    if find_spec("tokenizers") is None or find_spec("numpy") is None or (spec := find_spec("wordllama")) is None:
        return None
    folders = (Path(folder) for folder in spec.submodule_search_locations or ())
    return next((one for one in folders if (one / WEIGHTS).is_file() and (one / TOKENIZER).is_file()), None)


def load_vectors() -> WordVectors:
    """Load the vectors.

    Raises:
        ConfigError: The extra is not installed.
    """
    folder = find_weights()
    if folder is None:
        raise ConfigError(
            "the setting 'vectors' in [archdocs] needs word vectors, which are not installed",
            suggestion='Run: pip install "stithy[vectors]", or remove the setting.',
        )
    return WordVectors(folder)
