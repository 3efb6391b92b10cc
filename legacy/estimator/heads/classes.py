"""What the heads of classifiers share: vocabularies of labels, classes among the predictions.

>>> import tensorflow as tf
>>> vocabulary = Vocabulary(["no", "yes"])
>>> vocabulary.ids(tf.constant(["yes", "no"])).numpy().tolist()
[1, 0]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.export.outputs import ClassificationOutput
from legacy.estimator.heads.prediction_keys import PredictionKeys

tf1 = tf.compat.v1


class Vocabulary:
    """The classes' names, by lookup tables in both directions.

    A table is made in the graph that asks for it, because Estimator makes a graph for each of
    training, evaluation and prediction; eagerly the first one is kept.

    Args:
      words: The names in the order of the classes, or None where classes have no names.
    """

    def __init__(self, words: Sequence[str] | None) -> None:
        self.words = words
        self._eager_tables: dict[str, Any] = {}

    def ids(self, labels: tf.Tensor) -> tf.Tensor:
        """Returns the classes' indices.

        Args:
          labels: A string tensor of any shape.

        Returns:
          An int64 tensor of the same shape; -1 for what is no name of a class.

        Raises:
          ValueError: The vocabulary is not of strings.
        """
        return self._table("class_id_lookup", _id_table).lookup(labels)

    def strings(self, class_ids: tf.Tensor) -> tf.Tensor:
        """Returns the classes' names.

        Args:
          class_ids: An int64 tensor of any shape.

        Returns:
          A string tensor of the same shape; without a vocabulary, the numbers as text.
        """
        if not self.words:
            return tf.strings.as_string(class_ids, name="str_classes")
        return self._table("class_string_lookup", _string_table).lookup(class_ids)

    def _table(self, name: str, make: Any) -> Any:
        if not tf.executing_eagerly():
            return make(self.words, name)
        if name not in self._eager_tables:
            self._eager_tables[name] = make(self.words, name)
        return self._eager_tables[name]


def _id_table(words: Sequence[str], name: str) -> Any:
    with tf1.name_scope(name):
        keys = tf.convert_to_tensor(list(words))
        if keys.dtype != tf.string:
            raise ValueError(f"label_vocabulary must be of strings, got {keys.dtype}: {words}")
        return _table(keys, tf.range(len(words), dtype=tf.int64), -1)


def _string_table(words: Sequence[str], name: str) -> Any:
    with tf1.name_scope(name):
        values = tf.convert_to_tensor(list(words), tf.string)
        return _table(tf.range(len(words), dtype=tf.int64), values, "UNK")


def _table(keys: tf.Tensor, values: tf.Tensor, default: Any) -> Any:
    initializer = tf.lookup.KeyValueTensorInitializer(keys, values, name="table_init")
    return tf1.lookup.StaticHashTable(initializer, default)


def all_class_ids(logits: tf.Tensor, n_classes: Any) -> tf.Tensor:
    """Returns the indices of all classes, for each example.

    Args:
      logits: [batch, ...].
      n_classes: The number of classes.

    Returns:
      An int32 tensor, [batch, n_classes].
    """
    return tf.tile(tf.expand_dims(tf.range(n_classes), 0), [tf.shape(logits)[0], 1])


def all_classes(
    logits: tf.Tensor, n_classes: Any, label_vocabulary: Sequence[str] | None = None
) -> tf.Tensor:
    """Returns the names of all classes, for each example.

    Args:
      logits: [batch, ...].
      n_classes: The number of classes.
      label_vocabulary: The names; by default the indices as text.

    Returns:
      A string tensor, [batch, n_classes].
    """
    if label_vocabulary:
        names = tf.convert_to_tensor(list(label_vocabulary))
    else:
        names = tf.strings.as_string(tf.range(n_classes))
    return tf.tile(tf.expand_dims(names, 0), [tf.shape(logits)[0], 1])


def classification_output(
    scores: tf.Tensor, n_classes: Any, label_vocabulary: Sequence[str] | None = None
) -> ClassificationOutput:
    """Returns what a Classify signature returns: all classes, each with its score.

    Args:
      scores: Probabilities, [batch, n_classes].
      n_classes: The number of classes.
      label_vocabulary: The classes' names; by default the indices as text.
    """
    return ClassificationOutput(scores, all_classes(scores, n_classes, label_vocabulary))


def class_predictions(
    logits: tf.Tensor, n_classes: Any, vocabulary: Vocabulary, keys: Iterable[str]
) -> dict[str, tf.Tensor]:
    """Returns those predictions about classes that are asked for.

    Args:
      logits: One logit per class, [D0, ..., DN, n_classes].
      n_classes: The number of classes.
      vocabulary: The classes' names.
      keys: Names of predictions; those that are about something else are passed over.

    Returns:
      By name: probabilities, [D0, ..., DN, n_classes]; class_ids (int64) and classes (string),
      [D0, ..., DN, 1]; all_class_ids (int32) and all_classes (string), [D0, n_classes].
    """
    found = {}
    if PredictionKeys.PROBABILITIES in keys:
        found[PredictionKeys.PROBABILITIES] = tf.nn.softmax(
            logits, name=PredictionKeys.PROBABILITIES
        )
    if PredictionKeys.CLASS_IDS in keys or PredictionKeys.CLASSES in keys:
        class_ids = tf.expand_dims(tf.argmax(logits, -1, name=PredictionKeys.CLASS_IDS), -1)
        if PredictionKeys.CLASS_IDS in keys:
            found[PredictionKeys.CLASS_IDS] = class_ids
        if PredictionKeys.CLASSES in keys:
            found[PredictionKeys.CLASSES] = vocabulary.strings(class_ids)
    if PredictionKeys.ALL_CLASS_IDS in keys:
        found[PredictionKeys.ALL_CLASS_IDS] = all_class_ids(logits, n_classes)
    if PredictionKeys.ALL_CLASSES in keys:
        found[PredictionKeys.ALL_CLASSES] = all_classes(logits, n_classes, vocabulary.words)
    return found
