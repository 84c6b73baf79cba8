"""Static word vectors: texts of similar meaning have similar vectors, though they share no word.

The weights are two files of the distribution `wordllama`, which the extra `vectors` installs. They are read from its
folder; its code is never imported, since that configures logging and downloads what it does not find.
"""

import json
import re
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from stithy_archdocs.search.search_query import STOP
from stithy_core.spi import ConfigError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
DIMENSIONS = 256
MODEL = "l2_supercat-256-2"
"""Name of the stored vectors; to be changed with anything that changes them."""
SCALE = 127
"""A component of a stored vector is an integer from -127 to 127."""
MOST_CHARACTERS = 1_200
"""Characters of a text that count."""
_WORD = re.compile(r"[^\W_]+|[+#]+")
_MOST_WORDS = 3_000
"""Words whose tokens are cached."""
_LONGEST_WORD = 40
"""Characters of a word that count: the time of its tokens grows with their square."""
_ROWS = 500
"""Rows of the weights that are read at once."""
_VOCABULARY = re.compile(r'"vocab":\s*(?=\{)')
_SPACE = "\u2581"
"""Begins the tokens at the beginning of a word."""


class WordVectors:
    """Makes the vectors of texts.

    Args:
        folder: The folder of the package `wordllama`.
    """

    def __init__(self, folder: Path) -> None:
        self._weights = _read_weights(folder / WEIGHTS)
        vocabulary = read_vocabulary(folder / TOKENIZER)

        def encode(word: str) -> tuple[int, ...]:
            return encode_word(vocabulary, word[:_LONGEST_WORD])

        self._encode_word = lru_cache(_MOST_WORDS)(encode)

    def make_vector(self, weights: Mapping[str, float]) -> "Vectors":
        """Return the vector of some words in lower case, each with its weight.

        Returns:
            `DIMENSIONS` numbers of length 1, or all 0 if there is no word.
        """
        import numpy as np

        total = np.zeros(DIMENSIONS, dtype=np.float32)
        for word, weight in weights.items():
            for part in _WORD.findall(word):
                total += np.float32(weight) * self._weights.sum_rows(self._encode_word(part))
        return _normalize(total)

    def pack(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of texts as bytes, `DIMENSIONS` for each text."""
        import numpy as np

        rows = np.array([self._make_text_vector(text) for text in texts]).reshape(-1, DIMENSIONS)
        packed: bytes = np.rint(rows * SCALE).astype(np.int8).tobytes()
        return packed

    def _make_text_vector(self, text: str) -> "Vectors":

        words = _WORD.findall(text[:MOST_CHARACTERS].lower())
        tokens = [token for word in words if word not in STOP for token in self._encode_word(word)]
        return _normalize(self._weights.sum_rows(tokens))


def read_vocabulary(path: Path) -> dict[str, int]:
    """Read the numbers of the tokens; the rest of the file, most of it, would take more memory than they."""
    text = path.read_text(encoding="utf-8")
    found = _VOCABULARY.search(text)
    if found is None:
        raise ValueError(f"{path.name} has no vocabulary")
    vocabulary: dict[str, int] = json.JSONDecoder().raw_decode(text, found.end())[0]
    return vocabulary


def encode_word(vocabulary: Mapping[str, int], word: str) -> tuple[int, ...]:
    """Return the tokens of a word by byte pair encoding.

    Of the neighbours that form a token together, those with the least number are joined first. So the numbers of a
    vocabulary of this family say what a list of pairs says in other ones. Characters without a token become bytes.
    """
    parts = [_SPACE, *word]
    while True:
        pairs = (vocabulary.get(one + other) for one, other in pairwise(parts))
        joined = [(number, at) for at, number in enumerate(pairs) if number is not None]
        if not joined:
            break
        at = min(joined)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    tokens = (
        [vocabulary[one]] if one in vocabulary else [vocabulary[f"<0x{byte:02X}>"] for byte in one.encode()]
        for one in parts
    )
    return tuple(chain.from_iterable(tokens))


class VectorLoader:
    """Loads the vectors in a thread, since that takes half a second.

    Args:
        folder: The folder of the package `wordllama`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loading: Future[WordVectors] | None = None

    @property
    def loaded(self) -> WordVectors | None:
        """The vectors; None if they are not loaded."""
        return self._loading.result() if self._loading is not None and self._loading.done() else None

    def get(self, seconds: float) -> WordVectors | None:
        """Return the vectors, or None if they are not loaded within some seconds; the first call starts the thread."""
        with self._lock:
            if self._loading is None:
                self._loading = Future()
                threading.Thread(target=self._load, args=(self._loading,), daemon=True).start()
        try:
            return self._loading.result(max(seconds, 0))
        except FutureTimeoutError:
            return None

    def _load(self, loading: "Future[WordVectors]") -> None:
        try:
            loading.set_result(WordVectors(self._folder))
        except BaseException as error:  # noqa: BLE001 -- raised again in the callers
            loading.set_exception(error)


@frozen
class _Weights:
    """The vectors of all tokens: a row of integers for each, and the factor of each row.

    Numbers of 32 bits take four times the memory, and those of 16 bits in the file three times the time.
    """

    rows: "npt.NDArray[np.int8]"
    factors: "Vectors"

    def sum_rows(self, tokens: Sequence[int]) -> "Vectors":
        """Return the sum of the vectors of some tokens."""
        import numpy as np

        chosen = list(tokens)
        # `@` would use threads that wait busily for each other: more CPU time than they save
        found: Vectors = np.einsum("i,ij->j", self.factors[chosen], self.rows[chosen].astype(np.float32))
        return found


def _normalize(vector: "Vectors") -> "Vectors":
    import numpy as np

    return np.asarray(vector / (float(np.linalg.norm(vector)) or 1.0), dtype=np.float32)


def _read_weights(path: Path) -> _Weights:
    """Read a file in the format safetensors: the length of a JSON header, the header, and one table.

    The table is read in parts: it takes more memory than what is kept of it.
    """
    import numpy as np

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        count, columns = json.loads(file.read(length))["embedding.weight"]["shape"]
        rows, factors = np.empty((count, columns), dtype=np.int8), np.empty(count, dtype=np.float32)
        for start in range(0, count, _ROWS):
            many = min(_ROWS, count - start)
            part = np.fromfile(file, dtype=np.float16, count=many * columns).reshape(many, columns).astype(np.float32)
            largest = np.abs(part).max(axis=1) / SCALE
            factors[start : start + many] = largest
            rows[start : start + many] = np.rint(part / np.where(largest > 0, largest, 1)[:, None])
    return _Weights(rows, factors)


def find_weights() -> Path | None:
    """Return the folder with the files of the weights; None if the extra is not installed."""
    if find_spec("numpy") is None or (spec := find_spec("wordllama")) is None:
        return None
    folders = (Path(folder) for folder in spec.submodule_search_locations or ())
    return next((one for one in folders if (one / WEIGHTS).is_file() and (one / TOKENIZER).is_file()), None)


def open_vectors() -> VectorLoader:
    """Return what loads the vectors.

    Raises:
        ConfigError: The extra is not installed.
    """
    folder = find_weights()
    if folder is None:
        raise ConfigError(
            "the setting 'vectors' in [archdocs] needs word vectors, which are not installed",
            suggestion='Run: pip install "stithy[vectors]", or remove the setting.',
        )
    return VectorLoader(folder)
