"""Tests for the embedded digits, such as that no writer is in both splits."""

import hashlib

import numpy as np
import pytest

from modern.data import digits

# Part of the text that every form repeats, and its largest offset from the start of a form.
MARK, MARK_AT = "095565098984177351", 30


def stored():
    with np.load(digits.FILE) as npz:
        return npz["images"], npz["labels"]


def shown(counts):
    """Scales counts of 0 to 16 to pixels of 0 to 255."""
    return np.rint(counts * (255 / 16)).astype(np.uint8)


def by_image(images, labels):
    return {image.tobytes(): int(label) for image, label in zip(images, labels, strict=True)}


def form_starts(labels):
    """Returns the first row of each form: 0, 1, 2, 3, at most MARK_AT rows before its MARK."""
    text = "".join(map(str, labels))
    starts, end = [], 0
    while (mark := text.find(MARK, end)) >= 0:
        starts.append(text.index("0123", max(end, mark - MARK_AT)))
        end = mark + len(MARK)
    return starts


def test_the_file_is_what_scikit_learn_ships():
    load_digits = pytest.importorskip("sklearn.datasets").load_digits
    images, labels = stored()
    np.testing.assert_array_equal(images, load_digits().images)
    np.testing.assert_array_equal(labels, load_digits().target)


def test_the_values_are_shown_in_full_range():
    images, labels = stored()
    dataset = digits.load((8, 8))
    np.testing.assert_array_equal(dataset.test_labels, labels[digits.TEST_START :])
    np.testing.assert_array_equal(dataset.test_features, shown(images[digits.TEST_START :]))


def test_every_image_is_there_once_with_its_label():
    images, labels = stored()
    dataset = digits.load((8, 8))
    wanted = by_image(shown(images), labels)
    features = np.concatenate([dataset.train_features, dataset.test_features])
    classes = np.concatenate([dataset.train_labels, dataset.test_labels])
    assert len(wanted) == 1797  # No image occurs twice.
    assert by_image(features, classes) == wanted


@pytest.mark.parametrize("size", [(28, 28), (32, 32)])
def test_resizing_makes_no_two_images_alike(size):
    dataset = digits.load(size)
    features = np.concatenate([dataset.train_features, dataset.test_features])
    assert len({image.tobytes() for image in features}) == 1797


def test_the_split_is_between_two_forms():
    _, labels = stored()
    starts = form_starts(labels)
    assert len(starts) == 14
    assert starts[-4] == digits.TEST_START
    # The form before the split is complete: it has the same 130 digits as the first form.
    np.testing.assert_array_equal(labels[digits.TEST_START - 130 : digits.TEST_START], labels[:130])


def test_classes_are_balanced():
    dataset = digits.load((8, 8))
    train, test = np.bincount(dataset.train_labels), np.bincount(dataset.test_labels)
    assert (train.min(), train.max(), train.sum()) == (127, 131, 1287)
    assert (test.min(), test.max(), test.sum()) == (47, 52, 510)


def test_the_order_is_fixed_and_mixes_the_writers():
    first, second = digits.load((8, 8)), digits.load((8, 8))
    np.testing.assert_array_equal(first.train_features, second.train_features)
    _, labels = stored()
    assert first.train_labels[:130].tolist() != labels[:130].tolist()
    # Every process of a cluster must have exactly this order, with any version of NumPy.
    digest = hashlib.sha256(first.train_labels.astype("<i8").tobytes()).hexdigest()
    assert digest[:16] == "52d625acab65e638"
