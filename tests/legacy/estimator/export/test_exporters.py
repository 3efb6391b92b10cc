"""Tests of when exporters export and which exports they keep."""

import pytest
import tensorflow as tf

from legacy import estimator

tf1 = tf.compat.v1


class Recorder:
    """Fake Estimator that records the arguments of its exports."""

    def __init__(self, model_dir):
        self.model_dir = str(model_dir)
        self.calls = []

    def export_saved_model(self, *arguments, **named):
        self.calls.append((arguments, named))
        return b"exported"


def receiver_fn():
    return None


def write_losses(folder, losses):
    with tf.Graph().as_default(), tf1.summary.FileWriter(str(folder)) as writer:
        for step, loss in enumerate(losses):
            value = tf1.Summary.Value(tag="loss", simple_value=loss)
            writer.add_summary(tf1.Summary(value=[value]), step)


@pytest.mark.parametrize("kind", [estimator.LatestExporter, estimator.BestExporter])
def test_the_newest_are_kept(tmp_path, kind):
    for name in ("1500000003", "1500000001", "1500000002", "99", "temp-1500000000"):
        (tmp_path / name / "variables").mkdir(parents=True)
    exporter = kind("name", receiver_fn, exports_to_keep=2)
    exporter.export(Recorder(tmp_path), str(tmp_path), None, {"loss": 1}, False)
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"1500000003", "1500000002", "99", "temp-1500000000"}


def test_what_is_passed_on(tmp_path):
    recorder = Recorder(tmp_path)
    exporter = estimator.FinalExporter("name", receiver_fn, {"a": "b"}, as_text=True)
    assert exporter.export(recorder, "path", "checkpoint", {}, False) is None
    assert exporter.export(recorder, "path", "checkpoint", {}, True) == b"exported"
    named = {"assets_extra": {"a": "b"}, "as_text": True, "checkpoint_path": "checkpoint"}
    assert recorder.calls == [(("path", receiver_fn), named)]


def test_the_first_and_each_better_evaluation_is_exported(tmp_path):
    write_losses(tmp_path / "eval", [50, 60])
    exporter = estimator.BestExporter(serving_input_receiver_fn=receiver_fn)
    recorder = Recorder(tmp_path)
    done = [
        exporter.export(recorder, str(tmp_path), "c", {"loss": loss}, False) is not None
        for loss in (100, 45, 45, 30)
    ]
    assert done == [True, True, False, True]


def test_the_best_of_event_files(tmp_path):
    write_losses(tmp_path / "eval", [50, 40, 60])
    exporter = estimator.BestExporter()
    best = exporter._get_best_eval_result(str(tmp_path / "eval" / "*.tfevents.*"))
    assert best == {"loss": 40}
    assert exporter._get_best_eval_result(str(tmp_path / "none*")) is None


def test_the_arguments_of_compare_fn_may_be_in_any_order(tmp_path):
    def larger(current_eval_result, best_eval_result):
        return current_eval_result["loss"] > best_eval_result["loss"]

    write_losses(tmp_path / "eval", [50, 40, 60])
    exporter = estimator.BestExporter(serving_input_receiver_fn=receiver_fn, compare_fn=larger)
    best = exporter._get_best_eval_result(str(tmp_path / "eval" / "*.tfevents.*"))
    assert best == {"loss": 60}
    exporter.export(Recorder(tmp_path), str(tmp_path), "c", {"loss": 50}, False)
    assert exporter.export(Recorder(tmp_path), str(tmp_path), "c", {"loss": 40}, False) is None


def test_what_programs_override(tmp_path):
    calls = []

    class Mine(estimator.BestExporter):
        def _garbage_collect_exports(self, export_dir_base):
            calls.append(export_dir_base)

        def _get_best_eval_result(self, event_files):
            calls.append(event_files)
            return {"loss": 5.0}

    Mine("mine", receiver_fn).export(Recorder("/model"), "base", "c", {"loss": 9.0}, False)
    assert calls == ["/model/eval/*.tfevents.*", "base"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"exports_to_keep": 0}, "must be a positive number. Got 0"),
        ({"compare_fn": None}, "`compare_fn` must not be None"),
        ({"compare_fn": lambda current_eval_result: True}, "must include best_eval_result"),
        ({"compare_fn": lambda best_eval_result: True}, "must include current_eval_result"),
        (
            {"compare_fn": lambda best_eval_result, current_eval_result, x: True},
            "has following not expected args: .'x'.",
        ),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        estimator.BestExporter(**arguments)


def test_evaluations_without_a_loss(tmp_path):
    exporter = estimator.BestExporter(serving_input_receiver_fn=receiver_fn)
    exporter.export(Recorder(tmp_path), str(tmp_path), "c", {}, False)
    with pytest.raises(ValueError, match="best_eval_result cannot be empty or no loss is found"):
        exporter.export(Recorder(tmp_path), str(tmp_path), "c", {"loss": 1}, False)
