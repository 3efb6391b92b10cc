"""Runs a program's own SessionRunHooks in a Keras training, which has no session.

    model.fit(data, callbacks=as_estimator.run_hooks([ExamplesPerSecond(), GradientNorms()]))

Hooks are called at the same points as by an Estimator: `begin` in the graph of the training step,
`before_run` and `after_run` around each step, and `end` after the training. A hook's fetches come
from the step itself. Fetched variables have the values after the step, as in TensorFlow 1.

The hook's session reads variables, and returns the values that were fetched last. Operations belong
to the step, and the step runs as a whole. Therefore a hook may not create operations that write.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import variable_ops

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

tf1 = tf.compat.v1
# tf.train looks for the global step's read operation in this collection.
_STEP_READ = "global_step_read_op_cache"
# Stateful operations that write nothing.
_READ = (
    *("DisableCopyOnRead", "Placeholder", "ReadVariableOp", "ResourceGather", "VarHandleOp"),
    "VarIsInitializedOp",
)
_RECIPE = "write it as a callback (python -m migrate recipes session_run_hook)"


def why_not(strategy: tf.distribute.Strategy) -> str:
    """Returns the reason why hooks do not run under a strategy, or "".

    Args:
      strategy: Strategy of the model.
    """
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return "ParameterServerStrategy has no single steps"
    if strategy.num_replicas_in_sync == 1:
        return ""
    # Of several workers, worker_devices lists only the devices of this process.
    count = len(strategy.extended.worker_devices)
    if count > 1:
        return f"this process has {count} replicas, each with its own values"
    return ""


def why_no_steps(options: Mapping[str, Any]) -> str:
    """Returns the reason why a compiled model has no single steps for hooks, or "".

    Args:
      options: Options of `compile`.
    """
    if (options.get("steps_per_execution") or 1) != 1:
        return "steps_per_execution runs several steps at once"
    return "jit_compile leaves no room for hooks in a step" if options.get("jit_compile") else ""


class RunHooks(tf_keras.callbacks.Callback):
    """Runs SessionRunHooks in a training of a `KerasModelFn`.

    Args:
      hooks: Hooks to run.
    """

    def __init__(self, hooks: Sequence[Any]) -> None:
        super().__init__()
        self._chosen_hooks = hooks
        self._graph: Any = None
        self._running_hooks: list[_RunningHook] | None = None

    def start(self) -> None:
        """Prepares for a new training."""
        self._running_hooks = None

    def trace(self, spec: Any) -> None:
        """Adds the hooks' fetches to the step that is being traced.

        Args:
          spec: EstimatorSpec of the trace.
        """
        self._graph = tf1.get_default_graph()
        _name(self._graph, self.model.variables_by_name)
        with self._in_graph():
            if self._running_hooks is None:
                self._begin(spec)
        for running_hook in self._running_hooks or ():
            running_hook.trace()

    def _begin(self, spec: Any) -> None:
        """Starts the hooks, calling each method for all hooks before the next method."""
        variables = self.model.variables_by_name
        self._running_hooks = [
            _RunningHook(hook, self._graph, variables) for hook in self._hooks(spec)
        ]
        op_count = len(self._graph.get_operations())
        for running_hook in self._running_hooks:
            running_hook.hook.begin()
        self._check(self._graph.get_operations()[op_count:])
        for running_hook in self._running_hooks:
            running_hook.hook.after_create_session(running_hook.session, tf.train.Coordinator())
        for running_hook in self._running_hooks:
            running_hook.note_tensors()
            running_hook.call_before_run()
        self._check(self._graph.get_operations()[op_count:])

    def _check(self, operations: Sequence[tf.Operation]) -> None:
        """Raises BridgeError for operations that write: they would run in each step."""
        for op in operations:
            is_read = op.type.startswith(_READ) or "Random" in op.type
            if op.op_def.is_stateful and not is_read:
                names = ", ".join(running_hook.name for running_hook in self._running_hooks or ())
                raise BridgeError(
                    f"one of the hooks {names} makes the operation {op.name!r} ({op.type}), which "
                    f"would run with each step of Keras: {_RECIPE}."
                )

    @contextlib.contextmanager
    def _in_graph(self) -> Iterator[None]:
        """Sets the environment of hooks: a graph with collections, and variables with `op`."""
        variables = self.model.variables_by_name.values()
        with self._graph.as_default(), variable_ops.with_ops(variables):
            yield

    def _hooks(self, spec: Any) -> Sequence[Any]:
        del spec
        return self._chosen_hooks

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Calls `before_run`. The first step calls it while it is being traced."""
        if self._running_hooks is None:
            return
        with self._in_graph():
            retraces = [running_hook.call_before_run() for running_hook in self._running_hooks]
        if any(retraces):
            self.model.make_train_function(force=True)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Passes the values that the step fetched to the hooks."""
        if self._running_hooks is None:
            return
        with self._in_graph():
            stop_requests = [running_hook.after_run() for running_hook in self._running_hooks]
        if any(stop_requests):
            self.model.stop_training = True

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Ends the hooks."""
        if self._running_hooks is None:
            return
        with self._in_graph():
            for running_hook in self._running_hooks:
                running_hook.hook.end(running_hook.session)


class RunSpecHooks(RunHooks):
    """Runs the hooks of a training's EstimatorSpec.

    Each trace creates new hooks. Those of the first trace run.

    Args:
      choose: Function that returns the hooks of a spec to run.
    """

    def __init__(self, choose: Callable[[Any], Sequence[Any]]) -> None:
        super().__init__(())
        self._choose = choose

    def _hooks(self, spec: Any) -> Sequence[Any]:
        return self._choose(spec)


class _RunningHook:
    """A hook in a training."""

    def __init__(self, hook: Any, graph: Any, variables: Mapping[str, tf.Variable]) -> None:
        self.hook, self.name = hook, type(hook).__name__
        self._context: Any = None
        self._fetches: Any = None
        # Fetches by name. A value is a tensor of the latest trace, or None before the first.
        self._fetched_tensors: dict[str, tf.Tensor | None] = {}
        self._values: dict[str, Any] = {}
        self.session = _Session(self.name, graph, variables, self._values)

    def trace(self) -> None:
        """Adds the hook's fetches to the step that is being traced."""
        self._fetched_tensors = {
            name: self._current_tensor(name, tensor)
            for name, tensor in self._fetched_tensors.items()
        }
        names = [*self._fetched_tensors]

        def keep(*values: Any) -> None:
            self._values.update(zip(names, values, strict=True))

        if names:
            # The return value of a step goes to Keras' logs, so the values leave the step in this
            # way.
            tf.py_function(keep, [*self._fetched_tensors.values()], [])

    def _current_tensor(self, name: str, earlier_tensor: tf.Tensor | None) -> tf.Tensor:
        """Returns a tensor of the step that is being traced.

        The name identifies a tensor of an earlier trace.
        """
        graph = tf1.get_default_graph()
        if earlier_tensor is not None and earlier_tensor.graph is graph:
            return earlier_tensor
        with contextlib.suppress(KeyError, ValueError):
            tensor = graph.get_tensor_by_name(name)
            if earlier_tensor is None or tensor.op.type == earlier_tensor.op.type:
                return tensor
        hint = ""
        if earlier_tensor is not None:
            hint = (
                ", which was traced again: use batches of one shape, and store tensors that a hook "
                "creates in `begin` as attributes"
            )
        raise BridgeError(f"{self.name} fetches {name!r}, which is not in the step{hint}.")

    def note_tensors(self) -> None:
        """Adds the tensors among the hook's attributes to the fetches: it may fetch them later."""
        # A hook with __slots__ has no `vars`, and not every attribute is a nest.
        with contextlib.suppress(TypeError, ValueError):
            for attribute in tf.nest.flatten([*vars(self.hook).values()]):
                is_of_step = isinstance(attribute, tf.Tensor) and hasattr(attribute, "graph")
                if is_of_step and attribute.dtype not in (tf.resource, tf.variant):
                    self._fetched_tensors[attribute.name] = attribute

    def call_before_run(self) -> bool:
        """Calls `before_run`. Returns true if the step must be traced again for new fetches."""
        self._context = tf1.train.SessionRunContext(tf1.train.SessionRunArgs(None), self.session)
        run_args = self.hook.before_run(self._context)
        if run_args is not None and run_args.feed_dict:
            raise BridgeError(f"{self.name} feeds the step, but a step of Keras takes no feeds.")
        self._fetches = run_args.fetches if run_args is not None else None
        step_fetches = [
            fetch for fetch in tf.nest.flatten(self._fetches) if self._is_of_step(fetch)
        ]
        new_fetches = {
            _key(fetch): fetch for fetch in step_fetches if _key(fetch) not in self._fetched_tensors
        }
        self._fetched_tensors.update(
            {name: None if isinstance(fetch, str) else fetch for name, fetch in new_fetches.items()}
        )
        return bool(new_fetches)

    def after_run(self) -> bool:
        """Calls `after_run` with the fetched values. Returns true if the hook requests a stop."""
        # The graph of the hooks is the default here. Values can only be read outside of it.
        with tf.init_scope():
            values = tf.nest.map_structure(self._value, self._fetches)
        run_values = tf1.train.SessionRunValues(values, tf1.RunOptions(), tf1.RunMetadata())
        self.hook.after_run(self._context, run_values)
        return self._context.stop_requested

    def _value(self, fetch: Any) -> Any:
        if isinstance(fetch, tf.Variable):
            return fetch.numpy()
        return self._values[_key(fetch)].numpy() if self._is_of_step(fetch) else None

    def _is_of_step(self, fetch: Any) -> bool:
        """Returns true if a fetch is an output of the step."""
        if fetch is None or isinstance(fetch, (tf.Operation, tf.Variable)):
            return False  # An operation runs with the step. A variable is read after the step.
        if isinstance(fetch, str):
            return ":" in fetch  # Without a colon, the name is that of an operation.
        if isinstance(fetch, tf.Tensor):
            return True
        raise BridgeError(
            f"{self.name} fetches {fetch!r}: it can fetch tensors, by name too, and variables."
        )


def _key(fetch: str | tf.Tensor) -> str:
    return fetch if isinstance(fetch, str) else fetch.name


def _name(graph: Any, variables: Mapping[str, tf.Variable]) -> None:
    """Adds operations with the variables' names to the traced step, as a v1 graph has them."""
    with graph.name_scope(None):
        for name, variable in variables.items():
            try:
                graph.get_operation_by_name(name)
            except KeyError:
                tf.identity(variable, name=name)
    if not graph.get_collection(_STEP_READ):
        graph.add_to_collection(_STEP_READ, graph.get_tensor_by_name("global_step:0"))


class _Session:
    """Replaces a hook's session: reads variables, and returns the values fetched last.

    Args:
      hook: Name of the hook.
      graph: Graph in which the hook began. An attribute, as of a session.
      variables: Readable variables by name.
      values: Fetched values by name.
    """

    def __init__(
        self,
        hook: str,
        graph: Any,
        variables: Mapping[str, tf.Variable],
        values: Mapping[str, Any],
    ) -> None:
        self._hook, self.graph = hook, graph
        self._variables, self._values = variables, values

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """Returns the values of variables and tensors, in the structure of `fetches`.

        Raises:
          BridgeError: A fetch is neither a variable nor a fetched tensor, or values are fed.
        """
        if feed_dict:
            raise BridgeError(
                f"{self._hook} feeds its session, but Keras has no session: {_RECIPE}."
            )
        with tf.init_scope():
            return tf.nest.map_structure(self._value, fetches)

    def _value(self, fetch: Any) -> Any:
        if isinstance(fetch, tf.Variable):
            return fetch.numpy()
        name = fetch if isinstance(fetch, str) else getattr(fetch, "name", str(fetch))
        variable = self._variables.get(name.removesuffix(":0"))
        value = variable if variable is not None else self._values.get(name)
        if value is None:
            raise BridgeError(
                f"{self._hook} runs {name} in its session, but Keras has no session. It can read "
                f"variables and the fetches of before_run. For other values, {_RECIPE}."
            )
        return value.numpy()


class Steps:
    """Connects a model's training steps to the hooks of a training."""

    def __init__(self) -> None:
        self._hooks: list[RunHooks] = []

    def trace(self, spec: Any) -> None:
        """Adds the hooks' fetches to the step that is being traced.

        Args:
          spec: EstimatorSpec of the trace.
        """
        for hook in self._hooks:
            hook.trace(spec)

    @contextlib.contextmanager
    def serving(self, model: KerasModelFn, callbacks: Sequence[Any]) -> Iterator[None]:
        """Makes the model's steps call the hooks of a training within the block.

        Args:
          model: The bridged model.
          callbacks: Callbacks that `fit` gets.

        Raises:
          BridgeError: The training has no single steps at which hooks could be called.
        """
        hooks = [callback for callback in callbacks if isinstance(callback, RunHooks)]
        reason = model.why_no_hooks() if hooks else ""
        if reason:
            raise BridgeError(f"hooks do not run here, as {reason}: write them as callbacks.")
        for callback in hooks:
            callback.start()
        self._hooks = hooks
        try:
            # An existing train function was traced without hooks. The next training must not use
            # the function with hooks either.
            if hooks:
                model.train_function = None
            yield
        finally:
            self._hooks = []
            if hooks:
                model.train_function = None
