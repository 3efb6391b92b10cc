"""Tests of texts as arrays."""

import numpy as np
import pytest

from legacy.contrib.learn import preprocessing


def test_rare_and_frequent_words_are_trimmed():
    vocabulary = preprocessing.CategoricalVocabulary()
    for word in "baacccdddd":
        vocabulary.add(word)
    vocabulary.trim(1, 4)
    assert [vocabulary.reverse(i) for i in range(len(vocabulary))] == ["<UNK>", "c", "a"]
    vocabulary.freeze()
    assert (vocabulary.get("a"), vocabulary.get("new"), len(vocabulary)) == (2, 0, 3)
    vocabulary.freeze(False)
    assert vocabulary.get("new") == 3
    with pytest.raises(ValueError, match="wasn't initialized with support_reverse"):
        preprocessing.CategoricalVocabulary(support_reverse=False).reverse(0)


def test_texts_are_numbered_and_restored(tmp_path):
    processor = preprocessing.VocabularyProcessor(4, min_frequency=1)
    found = list(processor.fit_transform(["to be or not to be", "notToBe"]))
    assert [each.tolist() for each in found] == [[2, 1, 0, 0], [0, 0, 0, 0]]
    path = str(tmp_path / "processor")
    processor.save(path)
    again = preprocessing.VocabularyProcessor.restore(path)
    assert list(again.reverse([[1, 2, 0]])) == ["be to <UNK>"]


def test_bytes_are_cut_and_filled():
    processor = preprocessing.ByteProcessor(3)
    found = list(processor.transform(["ab", "abcd", "\N{EURO SIGN}x"]))
    assert [each.tolist() for each in found][:2] == [[97, 98, 0], [97, 98, 99]]
    assert list(processor.reverse(found)) == ["ab", "abc", "\N{EURO SIGN}"]
    assert list(processor.reverse([np.array([0xE2, 0, 0])])) == [""]
