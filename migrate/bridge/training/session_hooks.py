"""A program's own SessionRunHooks in a training by Keras, where there is no session.

    model.fit(data, callbacks=as_estimator.run_hooks([ExamplesPerSecond(), GradientNorms()]))

A hook is called when an Estimator called it: `begin` in the graph of the training step,
`before_run` and `after_run` around each step, `end` when the training has ended. What it fetches
comes from the step itself; of variables it gets the values behind it, as it did of TensorFlow 1's.
Its session reads variables, and has what was fetched last; operations belong to the step, which
runs as a whole, so a hook may make none that write.
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
_STEP_READ = "global_step_read_op_cache"  # The collection in which tf.train looks for it.
# Operations that are stateful and write nothing.
_READ = (
    *("DisableCopyOnRead", "Placeholder", "ReadVariableOp", "ResourceGather", "VarHandleOp"),
    "VarIsInitializedOp",
)
_RECIPE = "write it as a callback (python -m migrate recipes session_run_hook)"


def why_not(strategy: tf.distribute.Strategy) -> str:
    """Returns why hooks do not run under a strategy; "" where they do.

    Args:
      strategy: Any.
    """
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return "ParameterServerStrategy has no single steps"
    if strategy.num_replicas_in_sync == 1:
        return ""
    count = len(strategy.extended.worker_devices)  # In a ring, those of this process.
    if count > 1:
        return f"this process has {count} replicas, each of which has values of its own"
    return ""


def without_steps(options: Mapping[str, Any]) -> str:
    """Returns why a compiled model has no steps for hooks; "" where it has.

    Args:
      options: What `compile` is given.
    """
    if (options.get("steps_per_execution") or 1) != 1:
        return "steps_per_execution has several steps run at once"
    return "jit_compile leaves no room for hooks in a step" if options.get("jit_compile") else ""


class RunHooks(tf_keras.callbacks.Callback):
    """Runs SessionRunHooks in a training of a `KerasModelFn`.

    Args:
      hooks: The hooks.
    """

    def __init__(self, hooks: Sequence[Any]) -> None:
        super().__init__()
        self._given = hooks
        self._graph: Any = None
        self._running: list[_Running] | None = None

    def start(self) -> None:
        """Begins a training."""
        self._running = None

    def trace(self, spec: Any) -> None:
        """Makes what hooks fetch a part of the step that is being traced.

        Args:
          spec: The EstimatorSpec of that trace.
        """
        self._graph = tf1.get_default_graph()
        _name(self._graph, self.model.variables_by_name)
        with self._in_graph():
            if self._running is None:
                self._begin(spec)
        for one in self._running or ():
            one.trace()

    def _begin(self, spec: Any) -> None:
        """Begins the hooks, each part of that in all of them before the next."""
        variables = self.model.variables_by_name
        self._running = [_Running(hook, self._graph, variables) for hook in self._hooks(spec)]
        before = len(self._graph.get_operations())
        for one in self._running:
            one.hook.begin()
        self._check(self._graph.get_operations()[before:])
        for one in self._running:
            one.hook.after_create_session(one.session, tf.train.Coordinator())
        for one in self._running:
            one.note_tensors()
            one.asks_anew()
        self._check(self._graph.get_operations()[before:])

    def _check(self, operations: Sequence[tf.Operation]) -> None:
        """Refuses what hooks have made to be run now and then: it would run with each step."""
        for op in operations:
            is_read = op.type.startswith(_READ) or "Random" in op.type
            if op.op_def.is_stateful and not is_read:
                names = ", ".join(one.name for one in self._running or ())
                raise BridgeError(
                    f"one of the hooks {names} makes the operation {op.name!r} ({op.type}), which "
                    f"would run with each step of Keras: {_RECIPE}."
                )

    @contextlib.contextmanager
    def _in_graph(self) -> Iterator[None]:
        """What hooks expect around them: a graph with its collections, variables that have `op`."""
        variables = self.model.variables_by_name.values()
        with self._graph.as_default(), variable_ops.named(variables):
            yield

    def _hooks(self, spec: Any) -> Sequence[Any]:
        del spec
        return self._given

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Asks the hooks what they fetch; the first step is traced, and asks then."""
        if self._running is None:
            return
        with self._in_graph():
            anew = [one.asks_anew() for one in self._running]
        if any(anew):
            self.model.make_train_function(force=True)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Hands out what the step has fetched."""
        if self._running is None:
            return
        with self._in_graph():
            stopped = [one.after_run() for one in self._running]
        if any(stopped):
            self.model.stop_training = True

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Ends the hooks."""
        if self._running is None:
            return
        with self._in_graph():
            for one in self._running:
                one.hook.end(one.session)


class RunSpecHooks(RunHooks):
    """Runs those of a training's EstimatorSpec, which each trace makes anew: the first ones.

    Args:
      choose: Which of a spec's they are.
    """

    def __init__(self, choose: Callable[[Any], Sequence[Any]]) -> None:
        super().__init__(())
        self._choose = choose

    def _hooks(self, spec: Any) -> Sequence[Any]:
        return self._choose(spec)


class _Running:
    """A hook in a training."""

    def __init__(self, hook: Any, graph: Any, variables: Mapping[str, tf.Variable]) -> None:
        self.hook, self.name = hook, type(hook).__name__
        self._context: Any = None
        self._fetches: Any = None
        # What the step hands over, by name: a tensor of the latest trace, or None before one.
        self._fetched: dict[str, tf.Tensor | None] = {}
        self._values: dict[str, Any] = {}
        self.session = _Session(self.name, graph, variables, self._values)

    def trace(self) -> None:
        """Has the step that is being traced hand over what the hook fetches."""
        self._fetched = {name: self._found(name, one) for name, one in self._fetched.items()}
        names = [*self._fetched]

        def keep(*values: Any) -> None:
            self._values.update(zip(names, values, strict=True))

        if names:
            tf.py_function(keep, [*self._fetched.values()], [])

    def _found(self, name: str, before: tf.Tensor | None) -> tf.Tensor:
        """A tensor of the step that is being traced; one of another trace is there by its name."""
        graph = tf1.get_default_graph()
        if before is not None and before.graph is graph:
            return before
        with contextlib.suppress(KeyError, ValueError):
            found = graph.get_tensor_by_name(name)
            if before is None or found.op.type == before.op.type:
                return found
        again = ""
        if before is not None:
            again = (
                ", which is traced again: let batches have one shape, and a hook keep what it "
                "makes in `begin` as an attribute"
            )
        raise BridgeError(f"{self.name} fetches {name!r}, which is not in the step{again}.")

    def note_tensors(self) -> None:
        """Has the step hand over the tensors that the hook has, which it may fetch later."""
        with contextlib.suppress(TypeError, ValueError):
            for one in tf.nest.flatten([*vars(self.hook).values()]):
                is_of_step = isinstance(one, tf.Tensor) and hasattr(one, "graph")
                if is_of_step and one.dtype not in (tf.resource, tf.variant):
                    self._fetched[one.name] = one

    def asks_anew(self) -> bool:
        """Asks the hook what it fetches; says whether the step does not hand that over yet."""
        self._context = tf1.train.SessionRunContext(tf1.train.SessionRunArgs(None), self.session)
        asked = self.hook.before_run(self._context)
        if asked is not None and asked.feed_dict:
            raise BridgeError(f"{self.name} feeds the step, and a step of Keras takes no feeds.")
        self._fetches = asked.fetches if asked is not None else None
        wanted = [one for one in tf.nest.flatten(self._fetches) if self._is_of_step(one)]
        new = {_key(one): one for one in wanted if _key(one) not in self._fetched}
        self._fetched.update(
            {name: None if isinstance(one, str) else one for name, one in new.items()}
        )
        return bool(new)

    def after_run(self) -> bool:
        """Hands the hook its values; says whether it has asked to stop."""
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
        """Says whether a fetch is an output of the step."""
        if fetch is None or isinstance(fetch, (tf.Operation, tf.Variable)):
            return False  # An operation runs with the step anyway; a variable is read behind it.
        if isinstance(fetch, str):
            return ":" in fetch  # Without it, it is an operation's.
        if isinstance(fetch, tf.Tensor):
            return True
        raise BridgeError(
            f"{self.name} fetches {fetch!r}: it can fetch tensors, by name too, and variables."
        )


def _key(fetch: str | tf.Tensor) -> str:
    return fetch if isinstance(fetch, str) else fetch.name


def _name(graph: Any, variables: Mapping[str, tf.Variable]) -> None:
    """Gives the step that is being traced operations named as variables, as a v1 graph had them."""
    with graph.name_scope(None):
        for name, variable in variables.items():
            try:
                graph.get_operation_by_name(name)
            except KeyError:
                tf.identity(variable, name=name)
    if not graph.get_collection(_STEP_READ):
        graph.add_to_collection(_STEP_READ, graph.get_tensor_by_name("global_step:0"))


class _Session:
    """What a hook has for a session: it reads variables, and knows what was fetched last.

    Args:
      hook: The hook's name.
      graph: The one in which it began; an attribute, as a session has it.
      variables: Those that it can read, by name.
      values: What it has fetched, by name.
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
        """Returns the values of variables and tensors, in the structure that they are given in.

        Raises:
          BridgeError: There is something else.
        """
        if feed_dict:
            raise BridgeError(f"{self._hook} feeds its session, and Keras has none: {_RECIPE}.")
        with tf.init_scope():
            return tf.nest.map_structure(self._value, fetches)

    def _value(self, fetch: Any) -> Any:
        if isinstance(fetch, tf.Variable):
            return fetch.numpy()
        name = fetch if isinstance(fetch, str) else getattr(fetch, "name", str(fetch))
        variable = self._variables.get(name.removesuffix(":0"))
        found = variable if variable is not None else self._values.get(name)
        if found is None:
            raise BridgeError(
                f"{self._hook} runs {name} in its session, and Keras has none: it can read "
                f"variables, and what it fetches by before_run. For the rest, {_RECIPE}."
            )
        return found.numpy()


class Steps:
    """What the steps of a model serve besides the model."""

    def __init__(self) -> None:
        self._hooks: list[RunHooks] = []

    def trace(self, spec: Any) -> None:
        """Makes what the hooks fetch a part of the step that is being traced.

        Args:
          spec: The EstimatorSpec of that trace.
        """
        for one in self._hooks:
            one.trace(spec)

    @contextlib.contextmanager
    def serving(self, model: KerasModelFn, callbacks: Sequence[Any]) -> Iterator[None]:
        """While the block runs, a model's steps serve the hooks of a training.

        Args:
          model: The model.
          callbacks: What `fit` is given.

        Raises:
          BridgeError: The strategy has no steps at which hooks could be called.
        """
        hooks = [one for one in callbacks if isinstance(one, RunHooks)]
        reason = model.why_no_hooks() if hooks else ""
        if reason:
            raise BridgeError(f"hooks do not run here, as {reason}: write them as callbacks.")
        for one in hooks:
            one.start()
        self._hooks = hooks
        try:
            # A step that there is already serves no hooks, and so must the next one.
            if hooks:
                model.train_function = None
            yield
        finally:
            self._hooks = []
            if hooks:
                model.train_function = None
