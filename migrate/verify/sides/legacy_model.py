"""Runs the unmodified model_fn in its own graph and session, with fixed weights and batches.

    program = legacy_model.Program(model_fn, params={"learning_rate": 0.1})
    with program.graph("train", batches.specs) as graph:
        graph.initialize()
        graph.assign(weights)
        loss = graph.run(graph.loss, batch)

No code of Estimator runs the graph. It is only built in the same way.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate import batches as batches_lib
from migrate import loading
from migrate.verify.sides import (
    feeding,
    model_fns,
    randomness,
    values,
    watching,
    whole_variables,
)
from modern.process import cli

tf1 = tf.compat.v1
TRAIN, EVAL, PREDICT = "train", "eval", "infer"
WORDS = {TRAIN: "training", EVAL: "evaluation", PREDICT: "prediction"}


class NoSpec(cli.UsageError):
    """Reports that the model_fn returned nothing in a mode for which it was not written."""


# Stateful operations that change nothing.
_READS = ("ReadVariableOp", "VarHandleOp", "VariableV2")


class Program:
    """A model_fn with its arguments.

    Args:
      model_fn: Function of features and any of labels, mode, params and config. An Estimator, or a
        function that returns one, is replaced by its model_fn.
      params: Params, copied for each call.
    """

    def __init__(self, model_fn: Callable[..., Any], params: Any = None) -> None:
        self.params = {} if params is None else params
        self.model_fn = model_fns.find_model_fn(model_fn, self.params)

    @contextlib.contextmanager
    def graph(self, mode: str, specs: Any, seed: int = 1, dropout: bool = False) -> Iterator[Graph]:
        """Builds the graph of a mode, and closes its session after the block.

        Args:
          mode: "train", "eval" or "infer".
          specs: TypeSpecs of the batches, as `batches.draw` returns them.
          seed: Seed of the graph.
          dropout: If true, dropout stays on.

        Yields:
          The graph.

        Raises:
          NoSpec: The model_fn returns nothing.
          cli.UsageError: The model_fn fails, or returns no loss.
        """
        # Without a model_dir, a canned estimator inside of the model_fn would create a temporary
        # folder and never remove it.
        folder = tempfile.mkdtemp(prefix="verify-")
        graph = None
        try:
            config = tf_estimator.RunConfig(model_dir=folder)
            graph = Graph(self, mode, specs, config, seed, dropout)
            yield graph
        finally:
            if graph is not None:
                graph.session.close()
            shutil.rmtree(folder, ignore_errors=True)


class Graph:
    """The graph of one mode, with a session.

    Attributes:
      mode: "train", "eval" or "infer".
      loss: Scalar tensor. None in prediction.
      predictions: Tensors by name. A single tensor has the name "predictions".
      metrics: Pairs of (value, update operation) by name.
      train_op: Training operation. None outside of training.
      variables: All global variables by name, with parts joined.
      trained_names: Names of the variables that an optimizer updates. If no optimizer was seen,
        those in TRAINABLE_VARIABLES.
      gradients: Gradients of the loss by floating variable. None if the loss does not depend on it.
      applied_gradients: Gradients that were passed to optimizers.
      dropouts: Dropout calls that were switched off.
      regularization: Regularization losses of the collection, by name.
      hooks: Class names of the hooks, which are not run.
      sources: Maps a variable to the one from which the Scaffold's saver restores it. For example,
        an evaluation may restore averages.
    """

    def __init__(
        self, program: Program, mode: str, specs: Any, config: Any, seed: int, dropout: bool
    ) -> None:
        self.mode = mode
        self.sources: dict[str, str] = {}
        self._nudges: dict[Any, np.ndarray] = {}
        self._graph = tf.Graph()
        with self._graph.as_default():
            tf1.set_random_seed(seed)
            self._step = tf1.train.get_or_create_global_step()
            self._inputs = tf.nest.map_structure(feeding.placeholder, specs)
            silence: contextlib.AbstractContextManager[list[randomness.Dropout]] = (
                contextlib.nullcontext([]) if dropout else randomness.dropout_off()
            )
            with watching.applied_gradients() as self.applied_gradients, silence as self.dropouts:
                spec = self._call(program, config)
            self._take(spec, program)
            self._unused_operations = self._find_unused_operations()
            self._finish()
        self.session = tf1.Session(graph=self._graph, config=feeding.session_config())

    def _call(self, program: Program, config: Any) -> Any:
        # Programs write to the dict of features, so each call gets a copy.
        features, labels = tf.nest.map_structure(lambda part: part, self._inputs)
        labels = None if self.mode == PREDICT else labels
        arguments = {
            "features": features,
            "labels": labels,
            "mode": self.mode,
            "params": copy.deepcopy(program.params),
            "config": config,
        }
        parameters = inspect.signature(program.model_fn).parameters
        features_argument = (
            {} if "features" in parameters else {next(iter(parameters), "features"): features}
        )
        try:
            with warnings.catch_warnings():
                # The program is ported because tf.layers etc. are deprecated.
                warnings.simplefilter("ignore")
                spec = loading.call(program.model_fn, arguments | features_argument)
        except Exception as error:
            hint = " (no --params was given)" if not program.params else ""
            raise cli.UsageError(
                f"--legacy: the model_fn failed in mode {self.mode!r}: {type(error).__name__}: "
                f"{error}{hint}"
            ) from error
        # A TPUEstimatorSpec converts itself to an EstimatorSpec.
        return spec.as_estimator_spec() if hasattr(spec, "as_estimator_spec") else spec

    def _take(self, spec: Any, program: Program) -> None:
        if spec is None:
            name = getattr(program.model_fn, "__name__", "the model_fn")
            raise NoSpec(f"--legacy: {name} returned nothing in mode {self.mode!r}.")
        loss = getattr(spec, "loss", None) if self.mode != PREDICT else None
        if loss is None and self.mode != PREDICT:
            raise cli.UsageError(
                f"--legacy: {program.model_fn.__name__} returned "
                f"{type(spec).__name__} without a loss in mode {self.mode!r}."
            )
        self.loss = None if loss is None else tf.reshape(loss, [])
        predictions = getattr(spec, "predictions", None)
        if predictions is None:
            predictions = {}
        elif not isinstance(predictions, Mapping):
            predictions = {"predictions": predictions}
        self.predictions = dict(predictions)
        self.metrics = dict(getattr(spec, "eval_metric_ops", None) or {})
        self.train_op = getattr(spec, "train_op", None) if self.mode == TRAIN else None
        if self.mode == TRAIN and self.train_op is None:
            raise cli.UsageError("--legacy: the model_fn returned no train_op in mode 'train'.")
        self.scaffold = getattr(spec, "scaffold", None)
        names = ("training_hooks", "training_chief_hooks", "evaluation_hooks")
        hooks = [hook for name in names for hook in getattr(spec, name, None) or ()]
        self.hooks = sorted({type(hook).__name__ for hook in hooks})

    def _finish(self) -> None:
        """Adds operations to the graph that the comparisons need."""
        self.variables = whole_variables.join(tf1.global_variables())
        self.step_name = self._step.op.name
        by_part = {
            id(part): name for name, variable in self.variables.items() for part in variable.parts
        }
        updated_names = {
            by_part[id(v)] for _, v in self.applied_gradients.pairs if id(v) in by_part
        }
        trainable = tf1.trainable_variables()
        self.part_names = by_part
        self.trained_names = updated_names or {
            by_part[id(v)] for v in trainable if id(v) in by_part
        }
        self.gradients = self._differentiate() if self.mode == TRAIN else {}
        self.regularization = {
            loss.op.name: loss for loss in tf1.losses.get_regularization_losses()
        }
        self._placeholders: dict[int, Any] = {}
        self._assigns: dict[int, Any] = {}
        for variable in self.variables.values():
            for part in variable.parts:
                value = tf1.placeholder(part.dtype.base_dtype, part.shape)
                self._placeholders[id(part)] = value
                self._assigns[id(part)] = tf1.assign(part, value).op
        self._initializers = [
            tf1.global_variables_initializer(),
            tf1.local_variables_initializer(),
            tf1.tables_initializer(),
        ]

    def _differentiate(self) -> dict[str, Any]:
        floating = [
            (name, part)
            for name, variable in self.variables.items()
            if variable.dtype.startswith(("float", "bfloat"))
            for part in variable.parts
        ]
        gradients = tf.gradients(self.loss, [part for _, part in floating])
        gradients_by_name: dict[str, Any] = {}
        for (name, _), gradient in zip(floating, gradients, strict=True):
            gradients_by_name.setdefault(name, []).append(gradient)
        return {
            name: None if any(part is None for part in parts) else parts
            for name, parts in gradients_by_name.items()
        }

    # -- values

    def initialize(self, with_init_fn: bool = False) -> None:
        """Assigns the initial values to all variables.

        Args:
          with_init_fn: If true, runs the Scaffold's init_op and init_fn, as at the start of a
            training.
        """
        scaffold = self.scaffold if with_init_fn else None
        with self._graph.as_default():
            self.session.run(self._initializers)
            if scaffold is not None and scaffold.init_op is not None:
                self.session.run(scaffold.init_op, scaffold.init_feed_dict)
            if scaffold is not None and scaffold.init_fn is not None:
                scaffold.init_fn(self.session)

    def reset_local(self) -> None:
        """Resets the metrics."""
        self.session.run(self._initializers[1])

    def save(self, prefix: str) -> str:
        """Saves a checkpoint with the program's saver, and returns its prefix."""
        with self._graph.as_default():
            return self._saver().save(self.session, prefix, write_meta_graph=False)

    def restore(self, prefix: str) -> None:
        """Restores a checkpoint with the program's saver."""
        with self._graph.as_default():
            self._saver().restore(self.session, prefix)

    def _saver(self) -> Any:
        saver = None if self.scaffold is None else self.scaffold.saver
        return saver or tf1.train.Saver(save_relative_paths=True)

    def read(self, names: Iterable[str] | None = None) -> dict[str, np.ndarray]:
        """Returns the values of variables, of all variables without `names`."""
        variables = {name: self.variables[name] for name in names or self.variables}
        values = self.session.run({name: list(v.parts) for name, v in variables.items()})
        return {name: variables[name].join_values(parts) for name, parts in values.items()}

    def assign(self, values: Mapping[str, np.ndarray]) -> None:
        """Assigns whole values to the variables that this graph has."""
        operations, feed = [], {}
        for name, variable in self.variables.items():
            source = self.sources.get(name, name)
            if source not in values:
                continue
            for part, piece in zip(variable.parts, variable.pieces(values[source]), strict=True):
                feed[self._placeholders[id(part)]] = piece
                operations.append(self._assigns[id(part)])
        self.session.run(operations, feed)

    def find_sources(self, training: Graph, folder: str) -> None:
        """Finds the variables of the training from which this graph's saver restores its own.

        Args:
          training: Graph in which no two variables have the same value.
          folder: Folder for a checkpoint.
        """
        self.restore(training.save(os.path.join(folder, "model")))
        training_values = training.read()
        for name, value in self.read().items():
            matches = [n for n, v in training_values.items() if v.size and np.array_equal(v, value)]
            if len(matches) == 1 and matches[0] != name:
                self.sources[name] = matches[0]

    def feed(self, batch: batches_lib.Batch) -> dict[Any, Any]:
        """Returns the feed_dict of a batch."""
        places = tf.nest.flatten(self._inputs)
        values = tf.nest.flatten((batch.features, batch.labels))
        pairs = zip(places, values, strict=True)
        return {place: feeding.feed_value(value) for place, value in pairs if place is not None}

    def run(self, fetches: Any, batch: batches_lib.Batch, extra: Mapping | None = None) -> Any:
        """Runs fetches on one batch. `extra` feeds further tensors."""
        return self.session.run(fetches, {**self._nudges, **self.feed(batch), **(extra or {})})

    @contextlib.contextmanager
    def nudged(self, seed: int | None) -> Iterator[None]:
        """Moves each constant, such as 0.999, to a neighbouring number within the block.

        In float32 only four digits of 1 - 0.999 are right, and another program may compute it
        differently. With None as the seed, constants keep their values.
        """
        self._nudges = {} if seed is None else values.nudged(self._constants, seed)
        try:
            yield
        finally:
            self._nudges = {}

    @functools.cached_property
    def _constants(self) -> dict[Any, np.ndarray]:
        """Scalar constants that are not whole numbers, by tensor."""
        constants = {}
        for operation in self._graph.get_operations():
            if operation.type != "Const" or not operation.outputs[0].dtype.is_floating:
                continue
            tensor = operation.outputs[0]
            if tensor.shape.rank == 0 and self._graph.is_feedable(tensor):
                value = tf.make_ndarray(operation.get_attr("value"))
                if np.isfinite(value) and not float(value).is_integer():
                    constants[tensor] = value
        return constants

    def run_gradients(self, batch: batches_lib.Batch) -> dict[str, np.ndarray]:
        """Returns dense gradients of the loss, by variable that the loss depends on."""
        gradients = {name: parts for name, parts in self.gradients.items() if parts is not None}
        fetches = {
            name: [
                (part.values, part.indices) if isinstance(part, tf.IndexedSlices) else part
                for part in parts
            ]
            for name, parts in gradients.items()
        }
        values = self.run(fetches, batch)
        return {name: self._dense(name, parts) for name, parts in values.items()}

    def _dense(self, name: str, parts: list[Any]) -> np.ndarray:
        variable = self.variables[name]
        pieces = []
        for part, piece in zip(variable.parts, parts, strict=True):
            if isinstance(piece, tuple):
                rows = np.zeros(part.shape.as_list(), piece[0].dtype)
                np.add.at(rows, piece[1], piece[0])
                piece = rows
            pieces.append(piece)
        return variable.join_values(pieces)

    @functools.cached_property
    def random_ops(self) -> list[str]:
        """Names of operations that draw random numbers, without initializers."""
        return randomness.random_ops(self._graph, below="nitializer")

    @functools.cached_property
    def _forward(self) -> set[Any]:
        """The operations that compute the loss and the predictions."""
        return _ancestors([self.loss, *tf.nest.flatten(self.predictions)])

    def _find_unused_operations(self) -> set[Any]:
        """Returns the operations without side effects that no training step needs.

        For example, the model_fn may compute a prediction that only evaluation uses.
        """
        training_operations = _ancestors([self.train_op])
        unused: set[Any] = set()
        inputs = tf.nest.flatten(self._inputs, expand_composites=True)
        pure_operations = {part.op for part in inputs if part is not None}
        for operation in self._graph.get_operations():
            stateful = operation.op_def.is_stateful and operation.type not in _READS
            if stateful or operation.type.startswith("Placeholder"):
                continue
            if pure_operations.issuperset(_inputs_of(operation)):
                pure_operations.add(operation)
                unused |= {operation} - training_operations
        return unused

    @functools.cached_property
    def scalar(self) -> Any:
        """The loss, or in prediction the sum of the outputs. It depends on the whole model."""
        if self.loss is not None:
            return self.loss
        outputs = [t for t in tf.nest.flatten(self.predictions) if t.dtype.is_floating]
        with self._graph.as_default():
            return tf.add_n([tf.reduce_sum(tf.cast(t, tf.float32)) for t in outputs] or [0.0])

    def forward(self) -> list[Any]:
        """Returns the floating tensors that the model_fn computes from the features, in order.

        Leaves out those that a session does not fetch, such as the values of a `tf.cond` itself.
        """
        return [
            tensor
            for operation in self._graph.get_operations()
            if (operation in self._forward or operation in self._unused_operations)
            and operation.type not in ("Const", "ReadVariableOp")
            and self._graph.is_fetchable(operation)
            for tensor in operation.outputs
            if tensor.dtype.is_floating
        ]

    def step_constants(self) -> list[np.ndarray]:
        """Returns the constants that an operation combines with values of the global step.

        Includes the constants of functions, such as branches, that these operations call.
        """
        dependent = {self._step.op}
        functions: set[str] = set()
        constants = []
        for operation in self._graph.get_operations():
            if not any(tensor.op in dependent for tensor in operation.inputs):
                continue
            dependent.add(operation)
            constants += [t.op.get_attr("value") for t in operation.inputs if t.op.type == "Const"]
            for value in operation.node_def.attr.values():
                functions |= {f.name for f in (value.func, *value.list.func) if f.name}
        for function in self._graph.as_graph_def().library.function:
            if function.signature.name in functions:
                constants += [n.attr["value"].tensor for n in function.node_def if n.op == "Const"]
        return [tf.make_ndarray(constant) for constant in constants]

    def used_variables(self) -> set[str]:
        """Returns the names of the variables that the loss or the predictions depend on."""
        return {
            name
            for name, variable in self.variables.items()
            if any(part.op in self._forward for part in variable.parts)
        }


def _ancestors(ends: Iterable[Any]) -> set[Any]:
    """Returns the operations of tensors, and all operations that these are computed from."""
    queue = [getattr(end, "op", end) for end in ends]
    queue = [item for item in queue if isinstance(item, tf.Operation)]
    operations: set[Any] = set()
    while queue:
        operation = queue.pop()
        if operation not in operations:
            operations.add(operation)
            queue.extend(_inputs_of(operation))
    return operations


def _inputs_of(operation: Any) -> list[Any]:
    return [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]
