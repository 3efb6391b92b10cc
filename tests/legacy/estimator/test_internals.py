"""Tests of private members that programs call and override. The oracle compares their effects."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.estimator import Estimator
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


# All private members of Estimator in TensorFlow 2.15.
PRIVATE = {
    "_actual_eval",
    "_actual_train_model_distributed",
    "_add_meta_graph_for_mode",
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
    "_train_with_estimator_spec_distributed",
    "_validate_features_in_predict_input",
}


@pytest.mark.parametrize("api", [estimator.Estimator, Estimator])
def test_there_are_no_other_private_members(api):
    """Other private names stay free for methods of a user's subclass."""
    found = {n for n in dir(api) if n.startswith("_") and not n.startswith("__")}
    assert found <= PRIVATE


def test_a_training_loop_of_ones_own(tmp_path):
    class Own(estimator.Estimator):
        def _assert_members_are_not_overridden(self):
            pass

        def _train_model(self, input_fn, hooks, saving_listeners):
            with tf.Graph().as_default() as graph, graph.device(self._device_fn):
                tf1.set_random_seed(self._config.tf_random_seed)
                self._create_and_assert_global_step(graph)
                features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                    input_fn, "train"
                )
                spec = self._call_model_fn(features, labels, "train", self.config)
                hooks = [*input_hooks, *hooks]
                with tf1.train.MonitoredTrainingSession(
                    checkpoint_dir=self._model_dir, hooks=hooks, config=self._session_config
                ) as session:
                    while not session.should_stop():
                        session.run(spec.train_op)

    own = Own(model_fn, tmp_path).train(dataset, steps=3)
    assert own.get_variable_value("global_step") == 3


def test_a_model_function_that_makes_the_global_step(tmp_path):
    class Own(estimator.Estimator):
        def _create_and_assert_global_step(self, graph):
            return None

    def with_step(features, labels, mode):
        tf1.train.create_global_step()
        return model_fn(features, labels, mode)

    own = Own(with_step, tmp_path).train(dataset, steps=2)
    assert own.get_variable_value("global_step") == 2
    assert own.evaluate(dataset, steps=1)["global_step"] == 2
