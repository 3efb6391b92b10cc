"""tf.contrib.predictor: a model in a session, called with arrays.

predict = predictor.from_saved_model("/tmp/export/1556640000")
predict({"x": [[1.0, 2.0]]})["output"]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.estimators import saved_models
from legacy.contrib.learn.estimators.estimator import Estimator as ContribEstimator
from legacy.estimator.estimator import Estimator as CoreEstimator

tf1 = tf.compat.v1

_DEFAULT = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


class Predictor:
    """A session with the tensors to feed and to fetch.

    Args:
      graph: The graph.
      session: The session.
      feed_tensors: Tensors to feed, by input name.
      fetch_tensors: Tensors to fetch, by output name.
    """

    def __init__(
        self,
        graph: tf.Graph,
        session: Any,
        feed_tensors: Mapping[str, Any],
        fetch_tensors: Mapping[str, Any],
    ) -> None:
        self._graph = graph
        self._session = session
        self._feed_tensors = dict(feed_tensors)
        self._fetch_tensors = dict(fetch_tensors)

    @property
    def graph(self) -> tf.Graph:
        """The graph."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """Tensors to feed, by input name."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """Tensors to fetch, by output name."""
        return self._fetch_tensors

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """Runs the model.

        Args:
          input_dict: Values by input name. Inputs whose value is None are not fed.

        Returns:
          Arrays by output name.

        Raises:
          ValueError: `input_dict` names an unknown input.
        """
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unexpected}\n"
                f"expected: {set(self._feed_tensors)}"
            )
        feed = {
            tensor: input_dict[name]
            for name, tensor in self._feed_tensors.items()
            if input_dict.get(name) is not None
        }
        return self._session.run(self._fetch_tensors, feed_dict=feed)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors "
            f"{self._fetch_tensors}"
        )


def from_saved_model(
    export_dir: str | bytes,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: Mapping[str, str] | None = None,
    output_names: Mapping[str, str] | None = None,
    tags: str | None = None,
    graph: tf.Graph | None = None,
    config: Any = None,
) -> Predictor:
    """Loads a SavedModel.

    At most one of `signature_def_key`, `signature_def` and the pair `input_names` and
    `output_names` may be set.

    Args:
      export_dir: Folder of the SavedModel.
      signature_def_key: Key of the signature. None is the default signature.
      signature_def: The signature itself.
      input_names: Tensor names by input name. Requires `output_names`.
      output_names: Tensor names by output name. Requires `input_names`.
      tags: Tags, separated by commas. None is "serve".
      graph: Graph to load into. None creates a graph.
      config: ConfigProto of the session.

    Returns:
      The predictor.

    Raises:
      ValueError: The arguments are mutually exclusive, or the signature does not exist.
    """
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be unspecified."
        )
    if (
        sum(argument is not None for argument in (signature_def_key, signature_def, input_names))
        > 1
    ):
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR"
            "(input_names AND output_names)."
        )
    graph = graph or tf.Graph()
    with graph.as_default():
        session = tf1.Session(config=config)
        names = [tag.strip() for tag in (tags or tf.saved_model.SERVING).split(",")]
        meta_graph = tf1.saved_model.load(session, names, tf.compat.as_str(export_dir))
    if input_names is None:
        signature = signature_def or _signature(meta_graph, signature_def_key or _DEFAULT)
        input_names = {name: info.name for name, info in signature.inputs.items()}
        output_names = {name: info.name for name, info in signature.outputs.items()}
    return Predictor(graph, session, _tensors(graph, input_names), _tensors(graph, output_names))


def from_estimator(
    estimator: CoreEstimator,
    serving_input_receiver_fn: Callable[[], Any],
    output_key: str | None = None,
    graph: tf.Graph | None = None,
    config: Any = None,
) -> Predictor:
    """Loads the latest checkpoint of an Estimator of tf.estimator.

    Args:
      estimator: The Estimator.
      serving_input_receiver_fn: Function that returns a `ServingInputReceiver`.
      output_key: Key of the model's export output. None is the default output.
      graph: Graph to build in. None creates a graph.
      config: ConfigProto of the session.

    Returns:
      The predictor.

    Raises:
      TypeError: `estimator` is not an Estimator of tf.estimator.
      KeyError: The export output does not exist.
    """
    if isinstance(estimator, ContribEstimator):
        raise TypeError(
            "Expected estimator to be of type tf.estimator.Estimator, but got type "
            f"{type(estimator)}. You likely want to call from_contrib_estimator."
        )
    if not isinstance(estimator, CoreEstimator):
        raise TypeError(
            "estimator must be of type tf.estimator.Estimator or "
            f"tf.contrib.learn.Estimator: {type(estimator)}."
        )
    graph = graph or tf.Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        spec = estimator.model_fn(receiver.features, None, "infer", estimator.config)
        key = output_key or _DEFAULT
        if key not in spec.export_outputs:
            raise KeyError(f"output_key must be one of {list(spec.export_outputs)}; got {key}")
        signature = spec.export_outputs[key].as_signature_def(receiver.receiver_tensors)
        creator = tf1.train.ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
        session = tf1.train.MonitoredSession(creator)
    inputs, outputs = (
        _tensors(graph, {name: info.name for name, info in infos.items()})
        for infos in (signature.inputs, signature.outputs)
    )
    return Predictor(graph, session, inputs, outputs)


def from_contrib_estimator(
    estimator: ContribEstimator,
    prediction_input_fn: Callable[[], Any],
    input_alternative_key: str | None = None,
    output_alternative_key: str | None = None,
    graph: tf.Graph | None = None,
    config: Any = None,
) -> Predictor:
    """Loads the latest checkpoint of an Estimator of contrib.learn.

    Args:
      estimator: The Estimator.
      prediction_input_fn: Function that returns `InputFnOps`.
      input_alternative_key: Key of the inputs. None is the default key.
      output_alternative_key: Key of the head. Required if the model has several heads.
      graph: Graph to build in. None creates a graph.
      config: ConfigProto of the session.

    Returns:
      The predictor.

    Raises:
      TypeError: `estimator` is an Estimator of tf.estimator.
    """
    if isinstance(estimator, CoreEstimator):
        raise TypeError(
            "Expected estimator to be of type tf.contrib.learn.Estimator, but got type "
            f"{type(estimator)}. You likely want to call from_estimator."
        )
    graph = graph or tf.Graph()
    with graph.as_default():
        input_ops = prediction_input_fn()
        ops = estimator._get_predict_ops(input_ops.features)
        creator = tf1.train.ChiefSessionCreator(
            config=config,
            checkpoint_filename_with_path=tf1.train.latest_checkpoint(estimator.model_dir),
        )
        session = tf1.train.MonitoredSession(creator)
    inputs, _ = saved_models.get_input_alternatives(input_ops)
    outputs, default = saved_models.get_output_alternatives(ops, output_alternative_key)
    key = input_alternative_key or saved_models.DEFAULT_INPUT_ALTERNATIVE_KEY
    return Predictor(graph, session, inputs[key], outputs[default][1])


def _tensors(graph: tf.Graph, names: Mapping[str, str]) -> dict[str, Any]:
    return {key: graph.get_tensor_by_name(name) for key, name in names.items()}


def _signature(meta_graph: Any, key: str) -> Any:
    signatures = meta_graph.signature_def
    # contrib.learn names a signature "INPUTS:OUTPUTS".
    for signature_key in (key, f"{saved_models.DEFAULT_INPUT_ALTERNATIVE_KEY}:{key}"):
        if signature_key in signatures:
            return signatures[signature_key]
    raise ValueError(
        f'Got signature_def_key "{key}". Available signatures are {sorted(signatures)}.'
    )


__getattr__ = _missing.attribute_of("predictor")
