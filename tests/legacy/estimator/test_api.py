"""The public names: those that are there have the original's signatures; no others are."""

import inspect

import pytest
import tensorflow as tf

from legacy import estimator

# Recorded from tf.estimator of TensorFlow 2.15; defaults that are objects are left out.
SIGNATURES = {
    "Estimator.__init__": "self, model_fn, model_dir=None, config=None, params=None, "
    "warm_start_from=None",
    "Estimator.train": "self, input_fn, hooks=None, steps=None, max_steps=None, "
    "saving_listeners=None",
    "Estimator.evaluate": "self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None",
    "Estimator.predict": "self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, "
    "yield_single_examples=True",
    "Estimator.export_saved_model": "self, export_dir_base, serving_input_receiver_fn, "
    "assets_extra=None, as_text=False, checkpoint_path=None, experimental_mode='infer'",
    "EstimatorSpec.__new__": "cls, mode, predictions=None, loss=None, train_op=None, "
    "eval_metric_ops=None, export_outputs=None, training_chief_hooks=None, training_hooks=None, "
    "scaffold=None, evaluation_hooks=None, prediction_hooks=None",
    "TrainSpec.__new__": "cls, input_fn, max_steps=None, hooks=None, saving_listeners=None",
    "EvalSpec.__new__": "cls, input_fn, steps=100, name=None, hooks=None, exporters=None, "
    "start_delay_secs=120, throttle_secs=600",
    "train_and_evaluate": "estimator, train_spec, eval_spec",
    "WarmStartSettings.__new__": "cls, ckpt_to_initialize_from, vars_to_warm_start='.*', "
    "var_name_to_vocab_info=None, var_name_to_prev_var_name=None",
    "LatestExporter.__init__": "self, name, serving_input_receiver_fn, assets_extra=None, "
    "as_text=False, exports_to_keep=5",
    "FinalExporter.__init__": "self, name, serving_input_receiver_fn, assets_extra=None, "
    "as_text=False",
    "Exporter.export": "self, estimator, export_path, checkpoint_path, eval_result, "
    "is_the_final_export",
    "export.ServingInputReceiver.__new__": "cls, features, receiver_tensors, "
    "receiver_tensors_alternatives=None",
    "export.PredictOutput.__init__": "self, outputs",
    "export.ClassificationOutput.__init__": "self, scores=None, classes=None",
    "export.RegressionOutput.__init__": "self, value",
    "export.build_raw_serving_input_receiver_fn": "features, default_batch_size=None",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    found = estimator
    for part in name.split("."):
        found = getattr(found, part)
    parameters = inspect.signature(found).parameters.values()
    text = ", ".join(
        p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters
    )
    assert text == SIGNATURES[name]


def test_all_is_complete_and_true():
    for name in estimator.__all__:
        assert hasattr(estimator, name)
    assert not hasattr(estimator, "DNNClassifierThatIsNotThere")


def test_modes():
    modes = estimator.ModeKeys
    assert (modes.TRAIN, modes.EVAL, modes.PREDICT) == ("train", "eval", "infer")


def test_layers_of_v1_are_there():
    assert callable(tf.compat.v1.layers.dense)
