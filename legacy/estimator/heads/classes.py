"""Code shared by the heads of classifiers: label vocabularies and predictions of classes.

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
    """Lookup tables between the names and the indices of classes.

    Estimator builds separate graphs for training, evaluation and prediction, so each graph gets its
    own tables. Under eager execution the tables are created once and kept.

    Args:
      words: Names of the classes in the order of their indices, or None if the classes have no
        names.
    """

    def __init__(self, words: Sequence[str] | None) -> None:
        self.words = words
        self._eager_tables: dict[str, Any] = {}

    def ids(self, labels: tf.Tensor) -> tf.Tensor:
        """Returns the class indices of labels.

        Args:
          labels: A string tensor of any shape.

        Returns:
          An int64 tensor of the same shape, with -1 for each label that is not in the vocabulary.

        Raises:
          ValueError: If the vocabulary does not consist of strings.
        """
        return self._table("class_id_lookup", _id_table).lookup(labels)

    def strings(self, class_ids: tf.Tensor) -> tf.Tensor:
        """Returns the names of classes.

        Args:
          class_ids: An int64 tensor of any shape.

        Returns:
          A string tensor of the same shape. Without a vocabulary it holds the indices as text.
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
    """Returns the indices of all classes, repeated for each example.

    Args:
      logits: A tensor, [batch, ...]. Only its batch size is used.
      n_classes: Number of classes.

    Returns:
      An int32 tensor, [batch, n_classes].
    """
    return tf.tile(tf.expand_dims(tf.range(n_classes), 0), [tf.shape(logits)[0], 1])


def all_classes(
    logits: tf.Tensor, n_classes: Any, label_vocabulary: Sequence[str] | None = None
) -> tf.Tensor:
    """Returns the names of all classes, repeated for each example.

    Args:
      logits: A tensor, [batch, ...]. Only its batch size is used.
      n_classes: Number of classes.
      label_vocabulary: Names of the classes. Defaults to the indices as text.

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
    """Returns the output of a Classify signature: all classes, each with its score.

    Args:
      scores: Probabilities, [batch, n_classes].
      n_classes: Number of classes.
      label_vocabulary: Names of the classes. Defaults to the indices as text.
    """
    return ClassificationOutput(scores, all_classes(scores, n_classes, label_vocabulary))


def class_predictions(
    logits: tf.Tensor, n_classes: Any, vocabulary: Vocabulary, keys: Iterable[str]
) -> dict[str, tf.Tensor]:
    """Returns the requested predictions of classes.

    Args:
      logits: A tensor with one logit per class, [D0, ..., DN, n_classes].
      n_classes: Number of classes.
      vocabulary: Names of the classes.
      keys: Names of the requested predictions. Names of other predictions, such as "logits", are
        ignored.

    Returns:
      A dict by name: probabilities, [D0, ..., DN, n_classes], class_ids (int64) and classes
      (string), [D0, ..., DN, 1], all_class_ids (int32) and all_classes (string), [D0, n_classes].
    """
    predictions = {}
    if PredictionKeys.PROBABILITIES in keys:
        predictions[PredictionKeys.PROBABILITIES] = tf.nn.softmax(
            logits, name=PredictionKeys.PROBABILITIES
        )
    if PredictionKeys.CLASS_IDS in keys or PredictionKeys.CLASSES in keys:
        class_ids = tf.expand_dims(tf.argmax(logits, -1, name=PredictionKeys.CLASS_IDS), -1)
        if PredictionKeys.CLASS_IDS in keys:
            predictions[PredictionKeys.CLASS_IDS] = class_ids
        if PredictionKeys.CLASSES in keys:
            predictions[PredictionKeys.CLASSES] = vocabulary.strings(class_ids)
    if PredictionKeys.ALL_CLASS_IDS in keys:
        predictions[PredictionKeys.ALL_CLASS_IDS] = all_class_ids(logits, n_classes)
    if PredictionKeys.ALL_CLASSES in keys:
        predictions[PredictionKeys.ALL_CLASSES] = all_classes(logits, n_classes, vocabulary.words)
    return predictions
