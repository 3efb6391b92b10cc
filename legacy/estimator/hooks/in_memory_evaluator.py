"""InMemoryEvaluatorHook, which evaluates during training without a checkpoint.

hook = InMemoryEvaluatorHook(estimator, eval_input_fn, every_n_iter=100)
estimator.train(train_input_fn, hooks=[hook], steps=1000)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import Estimator
from legacy.estimator.internals import session_run_hooks
from legacy.estimator.loops import distribute

tf1 = tf.compat.v1


class InMemoryEvaluatorHook(tf1.train.SessionRunHook):
    """Evaluates before the first step, at a fixed interval, and after the last step.

    The evaluation graph is built once. Each evaluation copies the values of the training's
    variables to the variables of the same names. Only training in a single process is supported.

    Args:
      estimator: The Estimator to be trained.
      input_fn: Input function of the evaluation. See `Estimator.evaluate`, also for `steps`,
        `hooks` and `name`.
      steps: Number of batches. None evaluates until the end of the input.
      hooks: `SessionRunHook`s for the evaluations.
      name: Suffix of the directory of event files, "eval_NAME".
      every_n_iter: Steps between two evaluations.

    Raises:
      ValueError: If `every_n_iter` or `steps` is not positive, or if several processes train.
      TypeError: If a hook is of the wrong type.
    """

    def __init__(
        self,
        estimator: Estimator,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Iterable[Any] | None = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}: it must be positive.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError(
                "InMemoryEvaluator supports only single machine (aka Local) setting. In a cluster, "
                "let train_and_evaluate's evaluator evaluate the checkpoints."
            )
        estimator._convert_eval_steps_to_hooks(steps)  # Only to check `steps`.
        self._estimator = estimator
        self._input_fn = input_fn
        self._steps = steps
        self._hooks = session_run_hooks(hooks)
        self._eval_dir = estimator.eval_dir(name)
        self._every_n_iter = every_n_iter

    def begin(self) -> None:
        """Builds the evaluation graph.

        Raises:
          ValueError: If the model has a custom saver or init_fn.
        """
        self._iterations = 0
        self._graph = tf.Graph()
        strategy = self._estimator._eval_distribution
        with self._graph.as_default(), distribute.scope(strategy):
            scaffold, self._update_op, self._values, self._all_hooks = (
                self._estimator._evaluate_build_graph(self._input_fn, self._hooks)
            )
            if scaffold.saver is not None:
                raise ValueError("InMemoryEvaluator does not support custom saver")
            if scaffold.init_fn is not None:
                raise ValueError("InMemoryEvaluator does not support custom init_fn")
            self._assignments = _assignments()
            # The first evaluation finalizes the scaffold. The others reuse it, like the graph.
            self._scaffold = tf1.train.Scaffold(init_fn=self._load, copy_from_scaffold=scaffold)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Evaluates the model before the first step.

        Raises:
          ValueError: If the training saves objects other than variables.
        """
        if tf1.get_collection(tf1.GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError(
                "InMemoryEvaluator does not support saveables other than global variables."
            )
        self._training_variables = {
            variable.name: variable
            for variable in tf1.global_variables()
            if variable.name in self._assignments
        }
        self._evaluate(session)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates if the interval has passed."""
        self._iterations += 1
        if self._iterations % self._every_n_iter == 0:
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        """Evaluates the model after the last step."""
        self._evaluate(session)

    def _evaluate(self, session: Any) -> None:
        self._latest = session.run(self._training_variables)
        with self._graph.as_default():
            self._estimator._evaluate_run(
                checkpoint_path=None,
                scaffold=self._scaffold,
                update_op=self._update_op,
                eval_dict=self._values,
                # Created for each evaluation, because the hook that counts steps has a state.
                all_hooks=[
                    *self._all_hooks,
                    *self._estimator._convert_eval_steps_to_hooks(self._steps),
                ],
                output_dir=self._eval_dir,
            )

    def _load(self, scaffold: Any, session: Any) -> None:
        """Copies the values of the training's variables to those of the evaluation."""
        operations, feed = [], {}
        for name, value in self._latest.items():
            placeholder, operation = self._assignments[name]
            operations.append(operation)
            feed[placeholder] = value
        session.run(operations, feed)


def _assignments() -> dict[str, tuple[tf.Tensor, Any]]:
    """Returns a placeholder and an assign op for each global variable, by name of the variable."""
    assignments = {}
    for variable in tf1.global_variables():
        placeholder = tf1.placeholder(variable.dtype.base_dtype)
        assignments[variable.name] = (placeholder, tf1.assign(variable, placeholder))
    return assignments
