"""A program's own SessionRunHooks in a training by Keras, where there is no session.

    model.fit(data, callbacks=as_estimator.run_hooks([ExamplesPerSecond(), GradientNorms()]))

A hook is called when an Estimator called it: `begin` in the graph of the training step,
`before_run` and `after_run` around each step, `end` when the training has ended. What it fetches
comes from the step itself; of variables it gets the values before it. Its session reads variables,
and has what was fetched last; operations belong to the step, which runs as a whole.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

tf1 = tf.compat.v1


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


class RunHooks(tf_keras.callbacks.Callback):
    """Runs SessionRunHooks in a training of a `KerasModelFn`.

    Args:
      hooks: The hooks, or a function that returns them at the first step of each training.
    """

    def __init__(self, hooks: Sequence[Any] | Callable[[], Sequence[Any]] = ()) -> None:
        super().__init__()
        self._make = hooks if callable(hooks) else lambda: hooks
        self._running: list[_Running] | None = None

    def start(self) -> None:
        """Begins a training."""
        self._running = None

    def trace(self, spec: Any) -> None:
        """Makes what hooks fetch a part of the step that is being traced.

        Args:
          spec: The EstimatorSpec of that trace.
        """
        _name(self.model.variables_by_name)
        if self._running is None:
            self._running = [_Running(hook) for hook in self._hooks(spec)]
        for one in self._running:
            one.trace()

    def _hooks(self, spec: Any) -> Sequence[Any]:
        del spec
        return [*self._make()]

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Asks the hooks what they fetch; the first step is traced, and asks then."""
        anew = [one.asks_anew() for one in self._running or ()]
        if any(anew):
            self.model.make_train_function(force=True)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Hands out what the step has fetched."""
        for one in self._running or ():
            if one.after_run():
                self.model.stop_training = True

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Ends the hooks."""
        for one in self._running or ():
            one.end()


class RunSpecHooks(RunHooks):
    """Runs those of a training's EstimatorSpec, which each trace makes anew: the first ones.

    Args:
      choose: Which of a spec's they are.
    """

    def __init__(self, choose: Callable[[Any], Sequence[Any]]) -> None:
        super().__init__()
        self._choose = choose

    def _hooks(self, spec: Any) -> Sequence[Any]:
        return self._choose(spec)


class _Running:
    """A hook in a training."""

    def __init__(self, hook: Any) -> None:
        self.hook, self.name = hook, type(hook).__name__
        self._begun = False
        self._context: Any = None
        self._fetches: Any = None
        # What the step hands over, by name: a tensor of the latest trace, or None before one.
        self._fetched: dict[str, tf.Tensor | None] = {}
        self._values: dict[str, Any] = {}
        self._read: dict[int, Any] = {}  # Variables, as they were before the step.
        self._session = _Session(self.name, self._values)

    def trace(self) -> None:
        """Has the step that is being traced hand over what the hook fetches."""
        if not self._begun:
            self._begun = True
            self.hook.begin()
            self.hook.after_create_session(self._session, tf.train.Coordinator())
            self.asks_anew()
        self._fetched = {name: self._found(name, one) for name, one in self._fetched.items()}
        names = [*self._fetched]

        def keep(*values: Any) -> None:
            self._values.update(zip(names, (value.numpy() for value in values), strict=True))

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
        again = " when it is traced again: give all batches one shape" if before is not None else ""
        raise BridgeError(f"{self.name} fetches {name!r}, which the step does not have{again}.")

    def asks_anew(self) -> bool:
        """Asks the hook what it fetches; says whether the step does not hand that over yet."""
        self._context = tf1.train.SessionRunContext(None, self._session)
        asked = self.hook.before_run(self._context)
        if asked is not None and asked.feed_dict:
            raise BridgeError(f"{self.name} feeds the step, and a step of Keras takes no feeds.")
        self._fetches = asked.fetches if asked is not None else None
        flat = tf.nest.flatten(self._fetches)
        with tf.init_scope():
            self._read = {id(one): one.numpy() for one in flat if hasattr(one, "numpy")}
        wanted = [one for one in flat if self._is_of_step(one)]
        new = {_key(one): one for one in wanted if _key(one) not in self._fetched}
        self._fetched.update(
            {name: None if isinstance(one, str) else one for name, one in new.items()}
        )
        return bool(new)

    def after_run(self) -> bool:
        """Hands the hook its values; says whether it has asked to stop."""
        values = tf.nest.map_structure(self._value, self._fetches)
        self.hook.after_run(self._context, tf1.train.SessionRunValues(values, None, None))
        return self._context.stop_requested

    def end(self) -> None:
        """Ends the hook."""
        self.hook.end(self._session)

    def _value(self, fetch: Any) -> Any:
        if id(fetch) in self._read:
            return self._read[id(fetch)]
        return self._values[_key(fetch)] if self._is_of_step(fetch) else None

    def _is_of_step(self, fetch: Any) -> bool:
        """Says whether a fetch is an output of the step."""
        if fetch is None or isinstance(fetch, tf.Operation) or id(fetch) in self._read:
            return False  # An operation runs with the step anyway.
        if isinstance(fetch, str):
            return ":" in fetch  # Without it, it is an operation's.
        if isinstance(fetch, tf.Tensor):
            return True
        raise BridgeError(
            f"{self.name} fetches {fetch!r}: it can fetch tensors, by name too, and variables."
        )


def _key(fetch: str | tf.Tensor) -> str:
    return fetch if isinstance(fetch, str) else fetch.name


def _name(variables: Mapping[str, tf.Variable]) -> None:
    """Gives the step that is being traced operations named as variables, as a v1 graph had them."""
    graph = tf1.get_default_graph()
    with graph.name_scope(None):
        for name, variable in variables.items():
            try:
                graph.get_operation_by_name(name)
            except KeyError:
                tf.identity(variable, name=name)


class _Session:
    """What a hook has for a session: it reads variables, and knows what was fetched last.

    Args:
      hook: Its name.
      values: By name, what it has fetched.
    """

    def __init__(self, hook: str, values: Mapping[str, Any]) -> None:
        self._hook, self._values = hook, values

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """Returns the values of variables and tensors, in the structure that they are given in.

        Raises:
          BridgeError: There is something else.
        """
        if feed_dict:
            raise BridgeError(f"{self._hook} feeds its session, and Keras has none.")
        with tf.init_scope():
            return tf.nest.map_structure(self._value, fetches)

    def _value(self, fetch: Any) -> Any:
        if isinstance(fetch, tf.Variable):
            return fetch.numpy()
        name = fetch if isinstance(fetch, str) else getattr(fetch, "name", str(fetch))
        if name not in self._values:
            raise BridgeError(
                f"{self._hook} runs {name} in its session, and Keras has none: it can read "
                "variables, and what it fetches by before_run. Write the rest as a callback "
                "(python -m migrate recipes session_run_hook)."
            )
        return self._values[name]


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
