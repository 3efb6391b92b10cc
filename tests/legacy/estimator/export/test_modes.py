"""Tests of export outputs by mode, and of the default output."""

import pytest
import tensorflow as tf

from legacy.estimator.export import modes
from legacy.estimator.export.outputs import PredictOutput
from legacy.estimator.export.supervised_outputs import EvalOutput, TrainOutput

DEFAULT = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


@pytest.fixture
def tensor():
    with tf.Graph().as_default():
        yield tf.constant(1.0)


def test_each_mode_has_its_kind_of_output(tensor):
    for mode, kind in {"train": TrainOutput, "eval": EvalOutput, "infer": PredictOutput}.items():
        outputs = modes.export_outputs_for_mode(mode, predictions=tensor, loss=tensor)
        assert [type(output) for output in outputs.values()] == [kind]
        assert list(outputs) == [modes.SIGNATURE_KEY_MAP[mode]]
    with pytest.raises(ValueError, match="Export output type not found for `mode`: x"):
        modes.export_outputs_for_mode("x", predictions=tensor)


def test_one_output_alone_is_the_default_too(tensor):
    given = {"mine": PredictOutput(tensor)}
    outputs = modes.get_export_outputs(given, None)
    assert outputs is given
    assert outputs[DEFAULT] is outputs["mine"]


def test_outputs_of_another_class(tensor):
    class Output:
        def as_signature_def(self, receiver_tensors):
            raise NotImplementedError

    given = {DEFAULT: PredictOutput(tensor), "mine": Output()}
    assert modes.get_export_outputs(given, None) is given


def test_wrong_export_outputs(tensor):
    output = PredictOutput(tensor)
    for outputs, error, message in (
        ([output], TypeError, "`export_outputs` must be dict"),
        ({"a": tensor}, TypeError, "must be ExportOutput objects"),
        ({"a": output, "b": output}, ValueError, "none of them are specified as the default"),
    ):
        with pytest.raises(error, match=message):
            modes.get_export_outputs(outputs, None)
