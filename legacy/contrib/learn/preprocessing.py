"""contrib.learn.preprocessing: texts as arrays of word ids or of bytes.

>>> processor = VocabularyProcessor(max_document_length=4)
>>> [ids.tolist() for ids in processor.fit_transform(["to be or not to be"])]
[[1, 2, 3, 4]]
"""

from __future__ import annotations

import collections
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing

# Matches a run of capitals, a capitalized word before another capital, or a run of word characters.
TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|['\w\-]+")


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """Yields the list of words of each text.

    Args:
      iterator: The texts.
    """
    return (TOKENIZER_RE.findall(text) for text in iterator)


class CategoricalVocabulary:
    """Vocabulary that numbers words in the order of their first occurrence.

    Id 0 is the unknown word.

    Args:
      unknown_token: Text of the unknown word.
      support_reverse: If true, enables `reverse`.
    """

    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._mapping: dict[Any, int] = {unknown_token: 0}
        self._support_reverse = support_reverse
        self._freq: collections.Counter[Any] = collections.Counter()
        self._freeze = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Freezes or unfreezes the vocabulary.

        Args:
          freeze: If true, new words are mapped to the unknown word from now on.
        """
        self._freeze = freeze

    def get(self, category: Any) -> int:
        """Returns the id of a word. Adds a new word, unless the vocabulary is frozen.

        Args:
          category: The word.
        """
        if category not in self._mapping and not self._freeze:
            self._mapping[category] = len(self._mapping)
        return self._mapping.get(category, 0)

    def add(self, category: Any, count: int = 1) -> None:
        """Adds occurrences of a word.

        Args:
          category: The word.
          count: Number of occurrences.
        """
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Removes rare words, and renumbers the others by frequency.

        Args:
          min_frequency: Words with this count or less are removed.
          max_frequency: Words with this count or more are removed, too. -1 is no limit.
        """
        # Sorted by name first, so that words of equal frequency have a fixed order. Words that are
        # not strings come first, because they cannot be compared with strings.
        by_name = sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        kept_words = {
            word: count
            for word, count in sorted(by_name, key=lambda item: -item[1])
            if count > min_frequency and not 0 < max_frequency <= count
        }
        words = [self._unknown_token, *kept_words]
        self._mapping = {word: i for i, word in enumerate(words)}
        self._freq = collections.Counter(kept_words)

    def reverse(self, class_id: int) -> Any:
        """Returns the word of an id.

        Args:
          class_id: The id.

        Raises:
          ValueError: The vocabulary was created without `support_reverse`.
          IndexError: The id does not exist.
        """
        if not self._support_reverse:
            raise ValueError(
                "This vocabulary wasn't initialized with support_reverse to support reverse() "
                "function."
            )
        return list(self._mapping)[class_id]


class VocabularyProcessor:
    """Converts texts to arrays of word ids.

    Args:
      max_document_length: Maximum number of words of a text. Shorter texts are padded with 0.
      min_frequency: Words with this count or less are unknown.
      vocabulary: A `CategoricalVocabulary`. None creates one.
      tokenizer_fn: Function from texts to lists of words. None is `tokenizer`.
    """

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[list[str]]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: Any = None) -> VocabularyProcessor:
        """Learns the words of texts, and freezes the vocabulary.

        Args:
          raw_documents: The texts.
          unused_y: Not used.

        Returns:
          This object.
        """
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(
        self, raw_documents: Iterable[str], unused_y: Any = None
    ) -> Iterator[np.ndarray]:
        """Learns the words of texts and yields the ids. See `fit` and `transform`.

        Args:
          raw_documents: The texts.
          unused_y: Not used.
        """
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """Yields an int64 array of `max_document_length` word ids for each text.

        Args:
          raw_documents: The texts.
        """
        for words in self._tokenizer(raw_documents):
            ids = np.zeros(self.max_document_length, np.int64)
            word_ids = [self.vocabulary_.get(word) for word in words[: self.max_document_length]]
            ids[: len(word_ids)] = word_ids
            yield ids

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """Yields the words of each array, separated by spaces.

        Args:
          documents: Arrays of word ids.
        """
        for ids in documents:
            yield " ".join(self.vocabulary_.reverse(i) for i in ids)

    def save(self, filename: str) -> None:
        """Writes this object to a file, by pickle.

        Args:
          filename: The file.
        """
        with tf.io.gfile.GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Reads a file that `save` wrote.

        Unpickling runs code from the file, so the file must be trusted.

        Args:
          filename: The file.
        """
        with tf.io.gfile.GFile(filename, "rb") as file:
            return pickle.loads(file.read())


class ByteProcessor:
    """Converts texts to arrays of bytes.

    Args:
      max_document_length: Maximum number of bytes of a text. Shorter texts are padded with 0.
    """

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing.

        Args:
          x: Not used.
        """

    def fit_transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """Yields the same arrays as `transform`.

        Args:
          x: The texts.
        """
        return self.transform(x)

    def transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """Yields a uint8 array of `max_document_length` bytes for each text.

        Args:
          x: The texts.
        """
        for text in x:
            byte_ids = np.zeros(self.max_document_length, np.uint8)
            text_bytes = tf.compat.as_bytes(text)[: self.max_document_length]
            byte_ids[: len(text_bytes)] = np.frombuffer(text_bytes, np.uint8)
            yield byte_ids

    def reverse(self, x: Iterable[np.ndarray]) -> Iterator[str]:
        """Yields the text of each array, or "" if it is not UTF-8.

        Args:
          x: The arrays.
        """
        for values in x:
            try:
                yield np.trim_zeros(values.astype(np.uint8), trim="b").tobytes().decode("utf-8")
            except UnicodeDecodeError:
                yield ""


__getattr__ = _missing.attribute_of("learn.preprocessing")
