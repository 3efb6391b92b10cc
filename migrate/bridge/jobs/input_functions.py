"""Base class of a user's own job, which reads the data of its input functions.

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

from legacy.estimator import arguments
from migrate import loading, v1_behavior
from migrate.bridge import function_references, run_config
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling
from modern.training import unconverted


@dataclasses.dataclass(frozen=True)
class Described:
    """The type of data that an input function has made.

    Attributes:
      element_spec: The `element_spec` of the dataset.
    """

    element_spec: Any


class InputFunctions:
    """Base class of a user's job, which implements `InputInTurn` and the data of a `Job`.

    Args:
      function: Reference "package.module:function" to the function of the model.
      input_fn: Reference to a function that returns a tf.data.Dataset of (features, labels), in
        batches.
      eval_input_fn: Reference to the input function of evaluations, whose dataset ends. None uses
        the input_fn.
      params: Params of the model_fn, and of the input functions that take them: a JSON object, or
        "package.module:name".
      mixed_precision: The precision of the training, one of `choices.PRECISIONS`.

    Attributes:
      MODEL_FLAG: The flag that names the function of the model.
      name: The reference to that function.
      dataset: The reference to the input_fn.
      best: Empty, because the best possible metrics are unknown.
      params: The value of the argument `params`.
      mixed_precision: The argument of this name.

    Raises:
      cli.UsageError: A reference cannot be imported.
    """

    MODEL_FLAG: str

    def __init__(
        self,
        function: str,
        input_fn: str,
        eval_input_fn: str | None,
        params: str,
        mixed_precision: str = "none",
    ) -> None:
        # A model_fn of the Estimator era uses old names throughout. The warnings would tell the
        # user nothing new.
        warnings.filterwarnings("ignore", r"`tf\.\w+[\w.]*` is deprecated", UserWarning)
        warnings.filterwarnings("ignore", r"`layer\.updates` will be removed", UserWarning)
        self._function = function_references.import_function(function, self.MODEL_FLAG)
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
        self.name, self.dataset = function, input_fn
        self.best: dict[str, float] = {}
        self.mixed_precision = mixed_precision
        self._batch_size: int | None = None  # Once `batch_size` has read it.
        self._described: dict[str, Described] = {}

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

    def data_of(self, mode: str, context: tf.distribute.InputContext | None = None) -> Any:
        """Returns the dataset that the input function of a mode makes.

        Args:
          mode: `calling.TRAIN` or `calling.EVAL`.
          context: The `input_context` of the input function, if it has this argument.

        Raises:
          BridgeError: It returns another object.
        """
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
        self._described[mode] = Described(data.element_spec)
        return data

    def describe(self, mode: str, make: Callable[[], Any]) -> Described:
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
        return self.data_of(calling.TRAIN, context).repeat()

    def eval_batches(self, batch_size: int) -> tf.data.Dataset:
        """Returns the evaluation data for one pass."""
        del batch_size
        data = self.data_of(calling.EVAL)
        if int(data.cardinality()) == tf.data.INFINITE_CARDINALITY:
            raise BridgeError(
                f"{self._references[calling.EVAL]} has no end, and evaluation needs one: give an "
                "--eval_input_fn without repeat()."
            )
        return data

    def check_first(self, exports: bool) -> None:
        """Checks the data of the evaluation at the end. See `CheckedFirst`."""
        del exports
        self.eval_batches(0)
