"""The private members of Estimator that Estimator-era programs call and override.

    class Frozen(estimator.Estimator):
        def _create_and_assert_global_step(self, graph):
            return None  # The model function imports a graph that has one.

Their names, arguments and behavior are those of TensorFlow 2.15. Each member has only a few lines.
The work is done in `loops.training`, `loops.evaluation`, `loops.distribute`,
`inputs.input_pipeline` and `modern.porting.predicted_batches`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from legacy.estimator.cluster import coordination
from legacy.estimator.loops import (
    distribute,
    evaluation,
    evaluation_events,
    foreign_datasets,
    input_pipeline,
    training,
    warm_start,
)
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec
from modern.porting import predicted_batches

tf1 = tf.compat.v1


class EstimatorInternals:
    """Private members of Estimator. `Estimator.__init__` sets the attributes that they use."""

    def _create_global_step(self, graph: tf.Graph) -> Any:
        """Creates the graph's global step."""
        return tf1.train.create_global_step(graph)

    def _create_and_assert_global_step(self, graph: tf.Graph) -> Any:
        """Creates and returns the graph's global step.

        A subclass whose model_fn creates the global step overrides this and returns None.
        """
        step = self._create_global_step(graph)
        assert step is tf1.train.get_global_step(), f"{step} is not the graph's global step."
        assert step.dtype.is_integer, f"The global step must be an integer, and is {step}."
        return step

    def _call_input_fn(
        self, input_fn: Callable[..., Any], mode: str | None, input_context: Any = None
    ) -> Any:
        """Calls an input function on the CPU, with the arguments that it names."""
        argument_values = {
            "mode": lambda: mode,
            "params": lambda: self.params,
            "config": lambda: self.config,
        }
        if input_context is not None:
            argument_values["input_context"] = lambda: input_context
        call_arguments = arguments.asked_for(input_fn, argument_values)
        with tf.device("/cpu:0"), foreign_datasets.copying():
            return input_fn(**call_arguments)

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: RunConfig) -> Any:
        """Calls the model_fn with the arguments that it names and returns its EstimatorSpec."""
        if labels is not None and "labels" not in arguments.names(self._model_fn):
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        argument_values = {
            "labels": lambda: labels,
            "mode": lambda: mode,
            "params": lambda: self.params,
            "config": lambda: config,
        }
        call_arguments = arguments.asked_for(self._model_fn, argument_values)
        tf1.logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **call_arguments)
        tf1.logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError(f"model_fn should return an EstimatorSpec. It returned {spec!r}.")
        return spec

    def _get_features_and_labels_from_input_fn(
        self, input_fn: Callable[..., Any], mode: str
    ) -> tuple[Any, Any, list[Any]]:
        """Returns the features, the labels and the input's hooks."""
        return input_pipeline.features_and_labels(self._call_input_fn(input_fn, mode))

    def _get_features_from_input_fn(
        self, input_fn: Callable[..., Any], mode: str
    ) -> tuple[Any, list[Any]]:
        """Returns the features and the input's hooks, for prediction."""
        features, _, hooks = self._get_features_and_labels_from_input_fn(input_fn, mode)
        self._validate_features_in_predict_input(features)
        return features, hooks

    def _validate_features_in_predict_input(self, result: Any) -> None:
        input_pipeline.warn_if_endless(result)

    def _get_iterator_from_input_fn(
        self, input_fn: Callable[..., Any], mode: str | None, distribution: Any = None
    ) -> tuple[Any, list[Any]]:
        """Returns an iterator over the input, and the input's hooks."""
        if distribution is None:
            dataset = self._call_input_fn(input_fn, mode)
            iterator = tf1.data.make_initializable_iterator(dataset)
            return iterator, [input_pipeline.DatasetInitializerHook(iterator)]
        iterator = distribute.make_iterator(
            distribution, lambda context: self._call_input_fn(input_fn, mode, context)
        )
        return iterator, [distribute.IteratorInitializerHook(iterator)]

    def _extract_keys(self, predictions: Any, predict_keys: Any) -> Any:
        return predicted_batches.select(predictions, predict_keys)

    def _extract_batch_length(self, preds_evaluated: dict[str, Any]) -> int:
        return predicted_batches.batch_length(preds_evaluated)

    def _maybe_warm_start(self, checkpoint_path: str | None) -> None:
        """Applies the warm-start settings, if any, unless a checkpoint will be restored."""
        if self._warm_start_settings and not checkpoint_path:
            warm_start.apply(self._warm_start_settings)

    def _convert_train_steps_to_hooks(self, steps: int | None, max_steps: int | None) -> list[Any]:
        if steps is None and max_steps is None:
            return []
        return [tf1.train.StopAtStepHook(steps, max_steps)]

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[Any]:
        return evaluation.stop_hooks(steps)

    def _train_model(
        self, input_fn: Callable[..., Any], hooks: list[Any], saving_listeners: Iterable[Any]
    ) -> Any:
        """Trains and returns the last loss. See `Estimator.train`."""
        if self._train_distribution is not None:
            return self._train_model_distributed(input_fn, hooks, saving_listeners)
        return self._train_model_default(input_fn, hooks, saving_listeners)

    def _train_model_default(
        self, input_fn: Callable[..., Any], hooks: list[Any], saving_listeners: Iterable[Any]
    ) -> Any:
        """Trains without a strategy."""
        with contextlib.ExitStack() as stack:
            graph = stack.enter_context(tf.Graph().as_default())
            stack.enter_context(graph.device(self._device_fn))
            stack.enter_context(coordination.container(graph, self._training))
            tf1.set_random_seed(self._config.tf_random_seed)
            if self._create_and_assert_global_step(graph) is not None:
                training.create_global_step_read()
            features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                input_fn, ModeKeys.TRAIN
            )
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            step = tf1.train.get_global_step(graph)
            return self._train_with_estimator_spec(
                spec, [*input_hooks], hooks, step, saving_listeners
            )

    def _train_model_distributed(
        self, input_fn: Callable[..., Any], hooks: list[Any], saving_listeners: Iterable[Any]
    ) -> Any:
        """Trains under the strategy of the RunConfig."""
        strategy = self._train_distribution
        return self._actual_train_model_distributed(strategy, input_fn, hooks, saving_listeners)

    def _actual_train_model_distributed(
        self,
        strategy: Any,
        input_fn: Callable[..., Any],
        hooks: list[Any],
        saving_listeners: Iterable[Any],
    ) -> Any:
        """Trains under a strategy."""
        with contextlib.ExitStack() as stack:
            graph = stack.enter_context(tf.Graph().as_default())
            stack.enter_context(coordination.container(graph, self._training))
            stack.enter_context(strategy.scope())
            stack.enter_context(distribute.optimizers_scale(strategy))
            tf1.set_random_seed(self._config.tf_random_seed)
            iterator, input_hooks = self._get_iterator_from_input_fn(
                input_fn, ModeKeys.TRAIN, strategy
            )
            if self._create_and_assert_global_step(graph) is not None:
                training.create_global_step_read()

            def model_fn(features: Any, labels: Any) -> Any:
                return self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)

            features, labels = input_pipeline.split(iterator.get_next())
            spec = distribute.replicate(strategy, model_fn, features, labels)
            step = tf1.train.get_global_step(graph)
            return self._train_with_estimator_spec(
                spec, [*input_hooks], hooks, step, saving_listeners
            )

    def _train_with_estimator_spec(
        self,
        estimator_spec: EstimatorSpec,
        worker_hooks: list[Any],
        hooks: list[Any],
        global_step_tensor: Any,
        saving_listeners: Iterable[Any],
    ) -> Any:
        """Trains the model of the default graph and returns the last loss."""
        del global_step_tensor  # It is also in a collection of the graph.
        self._maybe_warm_start(tf1.train.latest_checkpoint(self._model_dir))
        return training.run(
            estimator_spec,
            [*worker_hooks, *hooks],
            saving_listeners,
            config=self._config,
            session_config=distribute.session_config(
                self._train_distribution, self._session_config
            ),
            model_dir=self._model_dir,
            training=self._training,
        )

    def _actual_eval(
        self,
        input_fn: Callable[..., Any],
        strategy: Any = None,
        steps: int | None = None,
        hooks: Iterable[Any] | None = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates a checkpoint. See `Estimator.evaluate`."""
        hooks = [*session_run_hooks(hooks), *self._convert_eval_steps_to_hooks(steps)]
        checkpoint_path = checkpoint_path or checkpoint_or_none(self._model_dir, "evaluate")
        with tf.Graph().as_default(), distribute.scope(strategy):
            scaffold, update_op, values, all_hooks = self._evaluate_build_graph(
                input_fn, hooks, checkpoint_path
            )
            return self._evaluate_run(
                checkpoint_path=checkpoint_path,
                scaffold=scaffold,
                update_op=update_op,
                eval_dict=values,
                all_hooks=all_hooks,
                output_dir=self.eval_dir(name),
            )

    def _evaluate_build_graph(
        self,
        input_fn: Callable[..., Any],
        hooks: Iterable[Any] | None = None,
        checkpoint_path: str | None = None,
    ) -> tuple[Any, Any, dict[str, Any], list[Any]]:
        """Builds the input and the model.

        Returns:
          The scaffold, the update op, the tensors to read at the end by name, and all hooks.
        """
        tf1.set_random_seed(self._config.tf_random_seed)
        self._create_and_assert_global_step(tf1.get_default_graph())
        build = self._call_model_fn_eval
        if self._eval_distribution is not None:
            build = self._call_model_fn_eval_distributed
        scaffold, evaluation_hooks, input_hooks, update_op, values = build(input_fn, self.config)
        values = evaluation.with_global_step(values)
        self._maybe_warm_start(checkpoint_path)
        all_hooks = [*input_hooks, *(hooks or ()), *(evaluation_hooks or ())]
        return evaluation.with_local_variables(scaffold), update_op, values, all_hooks

    def _call_model_fn_eval(
        self, input_fn: Callable[..., Any], config: RunConfig
    ) -> tuple[Any, Any, list[Any], Any, dict[str, Any]]:
        """Returns the scaffold, evaluation hooks, input hooks, update op and values by name."""
        features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
            input_fn, ModeKeys.EVAL
        )
        spec = self._call_model_fn(features, labels, ModeKeys.EVAL, config)
        metrics = evaluation.with_loss(spec.eval_metric_ops, spec.loss)
        update_op, values = evaluation.updates_and_values(metrics)
        return spec.scaffold, spec.evaluation_hooks, input_hooks, update_op, values

    def _call_model_fn_eval_distributed(
        self, input_fn: Callable[..., Any], config: RunConfig
    ) -> tuple[Any, Any, list[Any], Any, dict[str, Any]]:
        """Returns the same as `_call_model_fn_eval`, under the strategy of the RunConfig."""
        strategy = self._eval_distribution
        iterator, input_hooks = self._get_iterator_from_input_fn(input_fn, ModeKeys.EVAL, strategy)

        def model_fn(features: Any, labels: Any) -> EstimatorSpec:
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL, config)
            metrics = evaluation.with_loss(spec.eval_metric_ops, spec.loss)
            return spec._replace(eval_metric_ops=metrics)

        features, labels = input_pipeline.split(iterator.get_next())
        spec = distribute.replicate(strategy, model_fn, features, labels)
        update_op, values = evaluation.updates_and_values(spec.eval_metric_ops)
        return spec.scaffold, spec.evaluation_hooks, input_hooks, update_op, values

    def _evaluate_run(
        self,
        checkpoint_path: str | None,
        scaffold: Any,
        update_op: Any,
        eval_dict: dict[str, Any],
        all_hooks: list[Any],
        output_dir: str,
    ) -> dict[str, Any]:
        """Evaluates the model of the default graph and writes the results."""
        results = evaluation.run(
            update_op,
            eval_dict,
            scaffold,
            all_hooks,
            checkpoint_path=checkpoint_path,
            master=self._config.evaluation_master,
            session_config=distribute.session_config(self._eval_distribution, self._session_config),
        )
        evaluation_events.write(results, output_dir, checkpoint_path)
        return results


def session_run_hooks(hooks: Iterable[Any] | None) -> list[Any]:
    """Returns hooks as a list.

    Args:
      hooks: An iterable, or None.

    Raises:
      TypeError: An element is not a `SessionRunHook`.
    """
    message = "Hooks must be a SessionRunHook"
    return [*arguments.check_hooks(hooks, tf1.train.SessionRunHook, message)]


def checkpoint_or_none(model_dir: str, purpose: str) -> str | None:
    """Returns the path of the latest checkpoint, or logs that it is missing and returns None.

    Args:
      model_dir: The model's folder.
      purpose: The purpose for the log message, such as "evaluate".
    """
    path = tf1.train.latest_checkpoint(model_dir)
    if not path:
        tf1.logging.info(
            "Could not find trained model in model_dir: %s, running initialization to %s.",
            model_dir,
            purpose,
        )
    return path
