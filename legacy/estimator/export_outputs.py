"""Export outputs: what a SavedModel's signatures return.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     output = PredictOutput({"probability": tf.constant([0.5])})
>>> list(output.outputs)
['probability']

The three kinds are those of TensorFlow Serving: Predict takes any named tensors, Classify and
Regress take serialized `tf.train.Example`s.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_SEPARATOR = "/"


class ExportOutput(abc.ABC):
    """What one signature returns."""

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes the signature.

        Args:
          receiver_tensors: The input placeholders by name.

        Returns:
          A SignatureDef message.

        Raises:
          ValueError: This kind of signature cannot take such inputs.
        """


class PredictOutput(ExportOutput):
    """Any named tensors.

    Args:
      outputs: A tensor, which is then named "output", or a dict of tensors; a key may be a tuple of
        strings, which are joined by "/".

    Raises:
      ValueError: A key is not a string or a value not a tensor.
    """

    def __init__(self, outputs: Any) -> None:
        if not isinstance(outputs, Mapping):
            outputs = {"output": outputs}
        self._outputs: dict[str, Any] = {}
        for key, value in outputs.items():
            name = _SEPARATOR.join(key) if isinstance(key, tuple) else key
            if not isinstance(name, str):
                raise ValueError(f"Prediction output key must be a string; got {name}.")
            if not tf.is_tensor(value):
                raise ValueError(f"Prediction output value must be a Tensor; got {value}.")
            self._outputs[name] = value

    @property
    def outputs(self) -> dict[str, Any]:
        """The tensors by name."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes a Predict signature; see the base class."""
        return tf1.saved_model.predict_signature_def(receiver_tensors, self._outputs)


class ClassificationOutput(ExportOutput):
    """Scores and classes of a classifier, at least one of them.

    Args:
      scores: A float tensor, [batch, classes].
      classes: A string tensor, [batch, classes].

    Raises:
      ValueError: Both are missing, or one has the wrong type.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not (tf.is_tensor(scores) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (tf.is_tensor(classes) and classes.dtype == tf.string):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("ClassificationOutput needs at least one of `scores` and `classes`.")
        self._scores = scores
        self._classes = classes

    @property
    def scores(self) -> Any:
        """The scores, or None."""
        return self._scores

    @property
    def classes(self) -> Any:
        """The classes, or None."""
        return self._classes

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes a Classify signature; see the base class."""
        examples = _serialized_examples(receiver_tensors, "Classification")
        return tf1.saved_model.classification_signature_def(examples, self._classes, self._scores)


class RegressionOutput(ExportOutput):
    """The value of a regressor.

    Args:
      value: A float tensor, [batch] or [batch, 1].

    Raises:
      ValueError: It is something else.
    """

    def __init__(self, value: Any) -> None:
        if not (tf.is_tensor(value) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    @property
    def value(self) -> Any:
        """The value."""
        return self._value

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes a Regress signature; see the base class."""
        examples = _serialized_examples(receiver_tensors, "Regression")
        return tf1.saved_model.regression_signature_def(examples, self._value)


def _serialized_examples(receiver_tensors: Mapping[str, Any], kind: str) -> Any:
    tensors = list(receiver_tensors.values())
    if len(tensors) != 1 or tensors[0].dtype != tf.string:
        raise ValueError(
            f"{kind} signatures take one string tensor of serialized tf.train.Examples, and the "
            f"serving input receiver has {receiver_tensors}. Use PredictOutput for other inputs."
        )
    return tensors[0]
