"""Private members of Estimator that programs of its time call, or define anew."""

import inspect
import os

import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import counting, input_fn, kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1

NAMES = (
    "_actual_eval",
    "_actual_train_model_distributed",
    "_assert_members_are_not_overridden",
    "_call_input_fn",
    "_call_model_fn",
    "_call_model_fn_eval",
    "_call_model_fn_eval_distributed",
    "_convert_eval_steps_to_hooks",
    "_convert_train_steps_to_hooks",
    "_create_and_assert_global_step",
    "_create_global_step",
    "_evaluate_build_graph",
    "_evaluate_run",
    "_export_all_saved_models",
    "_extract_batch_length",
    "_extract_keys",
    "_get_features_and_labels_from_input_fn",
    "_get_features_from_input_fn",
    "_get_iterator_from_input_fn",
    "_maybe_warm_start",
    "_train_model",
    "_train_model_default",
    "_train_model_distributed",
    "_train_with_estimator_spec",
    "_validate_features_in_predict_input",
)


def run(estimator, folder):
    base = estimator.Estimator
    one = base(counting(estimator), folder)
    return {
        "signatures": {
            name: [
                [p.name, None if p.default is p.empty else repr(p.default)]
                for p in inspect.signature(getattr(base, name)).parameters.values()
            ]
            for name in NAMES
        },
        "train": trained(estimator, os.path.join(folder, "train")),
        "own train": own_train(estimator, os.path.join(folder, "own")),
        "calls": calls(estimator, one),
        "overridden": overridden(estimator, os.path.join(folder, "overridden")),
    }


def trained(estimator, folder):
    """The method as a whole, called directly."""
    one = estimator.Estimator(counting(estimator), folder)
    loss = one._train_model(input_fn, [tf1.train.StopAtStepHook(last_step=3)], [])
    return [float(loss), int(one.get_variable_value("global_step"))]


def own_train(estimator, folder):
    """A subclass with a training loop of its own, as real programs have one."""

    class Own(estimator.Estimator):
        def _assert_members_are_not_overridden(self):
            pass

        def _train_model(self, input_fn, hooks, saving_listeners):
            with tf.Graph().as_default() as graph, graph.device(self._device_fn):
                tf1.set_random_seed(self._config.tf_random_seed)
                step = self._create_and_assert_global_step(graph)
                features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                    input_fn, "train"
                )
                spec = self._call_model_fn(features, labels, "train", self.config)
                return self._train_with_estimator_spec(
                    spec, list(input_hooks), hooks, step, saving_listeners
                )

        def _convert_eval_steps_to_hooks(self, steps):
            return super(Own, self)._convert_eval_steps_to_hooks(2)

        def _create_global_step(self, graph):
            with tf1.variable_scope("scope"):
                return super(Own, self)._create_global_step(graph)

    one = Own(counting(estimator), folder)
    one.train(input_fn, steps=4)
    results = one.evaluate(input_fn)
    return [one.get_variable_names(), facts.plain(dict(results)), facts.files(folder)]


def calls(estimator, one):
    found = {}
    with tf.Graph().as_default() as graph:
        step = one._create_and_assert_global_step(graph)
        found["step"] = [step.dtype.name, step.op.name]
        features, labels, hooks = one._get_features_and_labels_from_input_fn(input_fn, "train")
        found["input"] = [features.shape.as_list(), labels.shape.as_list(), len(hooks)]
        spec = one._call_model_fn(features, labels, "eval", one.config)
        found["spec"] = [type(spec).__name__, spec.mode]
        features, hooks = one._get_features_from_input_fn(input_fn, "infer")
        found["features"] = [features.shape.as_list(), len(hooks)]
        dataset = one._call_input_fn(input_fn, "train")
        found["dataset"] = isinstance(dataset, tf.data.Dataset)
        found["no step"] = kind(one._create_and_assert_global_step, graph)
        public = one.model_fn(features, None, "eval", one.config)
        found["model_fn"] = [
            sorted(inspect.signature(one.model_fn).parameters),
            type(public).__name__,
        ]
    with tf.Graph().as_default():
        scaffold, update_op, values, hooks = one._evaluate_build_graph(input_fn, [], None)
        found["evaluation"] = [
            type(scaffold).__name__,
            type(update_op).__name__,
            list(values),
            len(hooks),
        ]
    found["steps"] = [
        [type(hook).__name__ for hook in one._convert_train_steps_to_hooks(*steps)]
        for steps in ((None, None), (1, None), (None, 2))
    ]
    found["keys"] = one._extract_keys({"a": 1, "b": 2}, ["a"])

    class Strategy(object):
        def make_input_fn_iterator(self, function):
            return function("a context")

    def with_context(input_context):
        return [input_context]

    iterator, hooks = one._get_iterator_from_input_fn(with_context, None, Strategy())
    found["iterator"] = [iterator, len(hooks)]
    found["attributes"] = sorted(
        name
        for name in (
            "_config", "_device_fn", "_eval_distribution", "_model_dir", "_model_fn", "_params",
            "_session_config", "_train_distribution", "_warm_start_settings",
        )
        if hasattr(one, name)
    )  # fmt: skip
    return found


def overridden(estimator, folder):
    class Own(estimator.Estimator):
        def latest_checkpoint(self):
            return super(Own, self).latest_checkpoint() or "none"

        def helper(self):
            return 5

    one = Own(counting(estimator), folder)
    return [one.latest_checkpoint(), one.helper(), type(one.train(input_fn, steps=1)).__name__]
