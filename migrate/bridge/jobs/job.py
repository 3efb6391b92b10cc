"""Job that trains a model_fn on its input_fn with the training engine.

    python -m migrate train --model_fn=package.module:model_fn --input_fn=package.module:input_fn

As under an Estimator, each task calls the input_fn itself, and its replicas take the batches in
turn. To read only a share of the data, the input_fn uses its argument `input_context`, or selects
the share itself.
"""

from __future__ import annotations

import copy
import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from absl import logging

from legacy.estimator import arguments
from migrate import loading, v1_behavior
from migrate.bridge import function_references, run_config
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling
from migrate.bridge.model import KerasModelFn
from migrate.bridge.model_files import exports as export_files
from modern.tasks import counted_model, precision
from modern.training import unconverted


@dataclasses.dataclass(frozen=True)
class _Described:
    """The type of data that an input function has made.

    Attributes:
      element_spec: That of the dataset.
    """

    element_spec: Any


class Job:
    """Implements `modern.tasks.job.Job` and `InputInTurn` for a model_fn.

    Args:
      model_fn: Reference "package.module:function".
      input_fn: Reference to a function that returns a tf.data.Dataset of (features, labels), in
        batches.
      eval_input_fn: Reference to the input function of evaluations, whose dataset ends. None uses
        the input_fn.
      params: Params of the model_fn, and of the input functions that take them: a JSON object, or
        "package.module:name".
      mixed_precision: The precision of the training, one of `choices.PRECISIONS`.

    Raises:
      cli.UsageError: A reference cannot be imported.
    """

    MODEL_FLAG = "--model_fn"

    def __init__(
        self,
        model_fn: str,
        input_fn: str,
        eval_input_fn: str | None,
        params: str,
        mixed_precision: str = "none",
    ) -> None:
        # A model_fn of the Estimator era uses old names throughout. The warnings would tell the
        # user nothing new.
        warnings.filterwarnings("ignore", r"`tf\.\w+[\w.]*` is deprecated", UserWarning)
        warnings.filterwarnings("ignore", r"`layer\.updates` will be removed", UserWarning)
        self._model_fn = function_references.import_function(model_fn, self.MODEL_FLAG)
        self._references = {
            calling.TRAIN: f"--input_fn={input_fn}",
            calling.EVAL: f"--eval_input_fn={eval_input_fn}"
            if eval_input_fn
            else f"--input_fn={input_fn}",
        }
        self._inputs = {
            calling.TRAIN: function_references.import_function(input_fn, "--input_fn"),
            calling.EVAL: function_references.import_function(
                eval_input_fn or input_fn, "--eval_input_fn"
            ),
        }
        self.params = loading.parameters(params, "--model_params")
        self.name, self.dataset = model_fn, input_fn
        self.best: dict[str, float] = {}
        self._batch_size: int | None = None  # Once `batch_size` has read it.
        self._mixed_precision = mixed_precision
        self._described: dict[str, _Described] = {}

    def batch_size(self) -> int:
        """Returns the size of the input's first batch. Call it in the strategy's scope."""
        replicas = tf.distribute.get_strategy().num_replicas_in_sync
        for features, _ in self.batches_in_turn(1, 0, replicas).take(1):
            first = tf.nest.flatten(features, expand_composites=True)[0]
            self._batch_size = int(first.shape[0]) if first.shape.rank else 1
            return self._batch_size
        raise BridgeError(f"--input_fn={self.dataset} gives no data.")

    def examples(self) -> int:
        """Returns 0, because the number of examples of an input function is unknown."""
        return 0

    def _data(self, mode: str, context: tf.distribute.InputContext | None = None) -> Any:
        function = self._inputs[mode]
        providers: dict[str, Callable[[], Any]] = {
            "mode": lambda: mode,
            "params": lambda: copy.deepcopy(self.params),
            "config": run_config.RunConfig,
            "input_context": lambda: context,
        }
        with v1_behavior.on():
            call = unconverted.unconverted(function)
            data = call(**arguments.asked_for(function, providers))
        if not isinstance(data, tf.data.Dataset):
            raise BridgeError(
                f"{self._references[mode]} returned {type(data).__name__}: it must return a "
                "tf.data.Dataset of (features, labels). Tensors, as of an iterator's get_next() or "
                "of numpy_input_fn, are for an Estimator alone (legacy.train): return the Dataset "
                "they come from."
            )
        if not isinstance(data.element_spec, tuple) or len(data.element_spec) != 2:
            raise BridgeError(f"{self._references[mode]}: each element must be (features, labels).")
        self._described[mode] = _Described(data.element_spec)
        return data

    def _describe(self, mode: str, make: Callable[[], Any]) -> _Described:
        """Returns the description of the data of a mode.

        An input function can be slow. So `make`, which calls it, is called only if no data were
        made before.
        """
        if mode not in self._described:
            make()
        return self._described[mode]

    def train_batches(
        self, batch_size: int, seed: int, replicas: int, replica: Any, first_step: int
    ) -> tf.data.Dataset:
        """Returns the input of one replica, repeated without end.

        A continued training starts at the beginning of the input, as under an Estimator. With
        --autoshard, one input is for all replicas, so its batches are joined.
        """
        del seed, first_step
        # With parameter servers, steps are asynchronous, so one replica is in sync.
        in_sync = replicas if isinstance(replica, int) else 1
        batches = self.batches_in_turn(replicas, replica, in_sync)
        if self._batch_size in (None, batch_size):
            return batches
        return batches.rebatch(batch_size, drop_remainder=True)

    def batches_in_turn(self, trainers: int, trainer: Any, in_sync: int) -> tf.data.Dataset:
        """Returns the input of one trainer, repeated without end. See `InputInTurn`."""
        # ParameterServerStrategy traces the input once for all workers: the index is a tensor,
        # int64 as Dataset.shard takes it.
        index = trainer if isinstance(trainer, int) else tf.cast(trainer, tf.int64)
        context = tf.distribute.InputContext(trainers, index, in_sync)
        return self._data(calling.TRAIN, context).repeat()

    def eval_batches(self, batch_size: int) -> tf.data.Dataset:
        """Returns the evaluation data for one pass."""
        del batch_size
        data = self._data(calling.EVAL)
        if int(data.cardinality()) == tf.data.INFINITE_CARDINALITY:
            raise BridgeError(
                f"{self._references[calling.EVAL]} has no end, and evaluation needs one: give an "
                "--eval_input_fn without repeat()."
            )
        return data

    def training_model(
        self, counters: counted_model.Counters, replicas: int, **options: Any
    ) -> CountingModelFn:
        """Returns the model to train, with its variables. Call it in the strategy's scope."""
        del replicas
        # A model_fn does not know of precision.
        precision.rewrite_graphs(self._mixed_precision)
        model = CountingModelFn(self._model_fn, self.params or None)
        model.counters = counters
        in_sync = model.distribute_strategy.num_replicas_in_sync
        description = self._describe(calling.TRAIN, lambda: self.batches_in_turn(1, 0, in_sync))
        model.build_on(description, mode=calling.TRAIN)
        model.compile(**options)
        return model

    def evaluation_model(self) -> KerasModelFn:
        """Returns a model to evaluate and to export, with its variables."""
        model = KerasModelFn(self._model_fn, self.params or None)
        description = self._describe(calling.EVAL, lambda: self._data(calling.EVAL))
        model.build_on(description, mode=calling.EVAL)
        return model

    def check_first(self, exports: bool) -> None:
        """Checks the evaluation and the export at the end. See `CheckedFirst`."""
        self.eval_batches(0)
        try:
            model = self.evaluation_model()
        except BridgeError:
            raise
        except Exception as error:  # A model_fn that was never evaluated can raise any error.
            raise BridgeError(
                "in mode 'eval', which the evaluation after the training needs, model_fn raised "
                f"{type(error).__name__}: {error}"
            ) from error
        if exports and isinstance(model, KerasModelFn):
            try:
                export_files.check(model)
            except BridgeError as error:
                logging.warning("Nothing will be exported (--noexport asks for nothing): %s", error)

    def load_initial(self, model: CountingModelFn, prefix: str) -> None:
        """Loads an Estimator's checkpoint into a training model, for --init_checkpoint."""
        model.load_estimator_checkpoint(prefix)


class CountingModelFn(counted_model.CountingSteps, KerasModelFn):
    """Bridged model that counts its examples for the training engine."""

    def why_no_hooks(self) -> str:
        """Returns the reason why a program's own hooks do not run."""
        return (
            "migrate train runs many steps in one graph call: remove them from the EstimatorSpec, "
            "or train in your own program with bridge.KerasModelFn"
        )

    def train_step(self, data: Any) -> tf.Tensor:
        """Trains on a tagged batch, and returns the step in the form that `Counters.add` takes."""
        features, labels, replica = data
        loss = self.traced_step(features, labels).loss
        return self.counters.of_step(replica[0], tf.shape(replica)[0], loss)
