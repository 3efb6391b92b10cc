"""Names of private modules that were the same object as a public name of TensorFlow 1.15.

>>> OF_MODULE["tensorflow.python.ops.lookup_ops"]["HasherSpec"]
'legacy.contrib.lookup.HasherSpec'

Programs compare them, as in `output is export_output.PredictOutput`, and test suites replace them
by mocks. Today's TensorFlow still has these private modules, but legacy provides the public names.
"""

from __future__ import annotations

_PYTHON = "tensorflow.python"


def _same_names(place: str, *names: str) -> dict[str, str]:
    return {name: f"{place}.{name}" for name in names}


# The place of each object, by the private module and the name there.
OF_MODULE: dict[str, dict[str, str]] = {
    f"{_PYTHON}.distribute.cross_device_ops": {
        "AllReduceCrossDeviceOps": "legacy.contrib.distribute.AllReduceCrossDeviceOps",
        "AllReduceCrossTowerOps": "legacy.contrib.distribute.AllReduceCrossDeviceOps",
    },
    f"{_PYTHON}.distribute.distribute_config": _same_names(
        "legacy.contrib.distribute", "DistributeConfig"
    ),
    f"{_PYTHON}.distribute.distribute_coordinator": _same_names(
        "legacy.contrib.distribute", "run_standard_tensorflow_server"
    ),
    f"{_PYTHON}.eager.backprop": {
        "gradients_function": "legacy.contrib.eager.gradients_function",
        "implicit_grad": "legacy.contrib.eager.implicit_gradients",
        "implicit_val_and_grad": "legacy.contrib.eager.implicit_value_and_gradients",
        "val_and_grad_function": "legacy.contrib.eager.value_and_gradients_function",
    },
    f"{_PYTHON}.framework.smart_cond": _same_names(
        "legacy.contrib.framework", "smart_cond", "smart_constant_value"
    ),
    f"{_PYTHON}.framework.test_util": {
        "run_all_in_graph_and_eager_modes": (
            "legacy.contrib.eager.run_all_tests_in_graph_and_eager_modes"
        ),
        "run_in_graph_and_eager_modes": "legacy.contrib.eager.run_test_in_graph_and_eager_modes",
    },
    f"{_PYTHON}.ops.logging_ops": _same_names(
        "legacy.contrib.deprecated",
        *("audio_summary", "histogram_summary", "image_summary", "merge_all_summaries"),
        *("merge_summary", "scalar_summary"),
    ),
    f"{_PYTHON}.ops.lookup_ops": _same_names(
        "legacy.contrib.lookup",
        *("HasherSpec", "MutableHashTable", "StrongHashSpec", "index_table_from_file"),
        "index_to_string_table_from_file",
    ),
    f"{_PYTHON}.ops.nn_ops": _same_names("legacy.contrib.nn", "nth_element"),
    f"{_PYTHON}.saved_model.model_utils.export_output": _same_names(
        "legacy.estimator.export",
        *("ClassificationOutput", "ExportOutput", "PredictOutput", "RegressionOutput"),
    ),
    f"{_PYTHON}.saved_model.model_utils.mode_keys": {
        "EstimatorModeKeys": "legacy.estimator.mode_keys.ModeKeys"
    },
    f"{_PYTHON}.training.evaluation": {
        "_StopAfterNEvalsHook": "legacy.contrib.training.StopAfterNEvalsHook",
        "_evaluate_once": "legacy.contrib.training.evaluate_once",
        "_get_or_create_eval_step": "legacy.contrib.training.get_or_create_eval_step",
    },
}
