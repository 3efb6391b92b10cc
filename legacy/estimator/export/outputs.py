"""Export outputs, which define the outputs of a SavedModel's serving signatures.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     output = PredictOutput({"probability": tf.constant([0.5])})
>>> list(output.outputs)
['probability']

TensorFlow Serving has three kinds of signatures. Predict takes any named tensors. Classify and
Regress take serialized `tf.train.Example`s. The checks are those observed in TensorFlow 2.15.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class ExportOutput:
    """Base class of the outputs of one signature. A subclass defines `as_signature_def`.

    As in the original, a class without `as_signature_def` can be instantiated.
    """

    _SEPARATOR_CHAR = "/"

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

    def _check_output_key(self, key: Any, error_label: str) -> str:
        """Returns an output's name. A tuple of strings, as multi-heads use, is joined by "/"."""
        name = self._SEPARATOR_CHAR.join(key) if isinstance(key, tuple) else key
        if not isinstance(name, str):
            raise ValueError(f"{error_label} output key must be a string; got {name}.")
        return name

    def _wrap_and_check_outputs(
        self, outputs: Any, single_output_default_name: str, error_label: str | None = None
    ) -> dict[str, Any]:
        """Returns a tensor, or a dict of tensors, as a new dict with checked names and values."""
        label = error_label or single_output_default_name
        if not isinstance(outputs, dict):
            outputs = {single_output_default_name: outputs}
        checked_outputs = {}
        for key, value in outputs.items():
            name = self._check_output_key(key, label)
            if not isinstance(value, tf.Tensor):
                raise ValueError(f"{label} output value must be a Tensor; got {value}.")
            checked_outputs[name] = value
        return checked_outputs


class PredictOutput(ExportOutput):
    """Named tensors of any kind.

    Args:
      outputs: A dict of tensors, or one tensor, which is then named "output". A key may be a tuple
        of strings, which are joined by "/".

    Raises:
      ValueError: A key is not a string, or a value is not a tensor.
    """

    _SINGLE_OUTPUT_DEFAULT_NAME = "output"

    def __init__(self, outputs: Any) -> None:
        self._outputs = self._wrap_and_check_outputs(
            outputs, self._SINGLE_OUTPUT_DEFAULT_NAME, error_label="Prediction"
        )

    @property
    def outputs(self) -> dict[str, Any]:
        """The tensors by name."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes a Predict signature. See the base class."""
        return tf1.saved_model.predict_signature_def(receiver_tensors, self._outputs)


class ClassificationOutput(ExportOutput):
    """The scores, the classes, or both of a classifier.

    Args:
      scores: A float tensor of shape [batch, classes], or None.
      classes: A string tensor of shape [batch, classes], or None.

    Raises:
      ValueError: Both are missing, or one of them has the wrong dtype.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not _is_float(scores):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not _is_string(classes):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError(
                "Cannot create a ClassificationOutput with empty arguments. At least one of "
                "`scores` and `classes` must be defined."
            )
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
        """Makes a Classify signature. See the base class."""
        examples = _serialized_examples(receiver_tensors, "Classification")
        return tf1.saved_model.classification_signature_def(examples, self._classes, self._scores)


class RegressionOutput(ExportOutput):
    """The predicted value of a regressor.

    Args:
      value: A float tensor of shape [batch] or [batch, 1].

    Raises:
      ValueError: `value` is not a float tensor.
    """

    def __init__(self, value: Any) -> None:
        if not _is_float(value):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    @property
    def value(self) -> Any:
        """The predicted value."""
        return self._value

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes a Regress signature. See the base class."""
        examples = _serialized_examples(receiver_tensors, "Regression")
        return tf1.saved_model.regression_signature_def(examples, self._value)


def _is_float(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and value.dtype.is_floating


def _is_string(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and value.dtype == tf.string


def _serialized_examples(receiver_tensors: Mapping[str, Any], kind: str) -> Any:
    tensors = list(receiver_tensors.values())
    if len(tensors) != 1 or tensors[0].dtype != tf.string:
        raise ValueError(
            f"{kind} signatures can only accept a single tensor input of type tf.string, of "
            f"serialized tf.train.Examples, and the serving input receiver has {receiver_tensors}. "
            "Parse them with tf.io.parse_example, or use PredictOutput for other inputs."
        )
    return tensors[0]
