"""Tests of the evaluator task of a training."""

import json
import threading

import pytest

from modern import porting
from modern.records import summaries, task_records
from tests.modern import generated
from tests.modern.cluster.processes import until


class Evaluator:
    """An evaluator task that runs in a thread."""

    def __init__(self, folder, monkeypatch, **options):
        config = {"cluster": {"chief": ["localhost:1"]}, "task": {"type": "evaluator", "index": 0}}
        monkeypatch.setenv("TF_CONFIG", json.dumps(config))
        self.model = generated.compiled()
        porting.restore(self.model, str(folder))
        given = {"start_delay_secs": 0, "throttle_secs": 0} | options
        exported = [porting.FinalExporter("final", generated.serving)]
        self.thread = threading.Thread(
            target=lambda: porting.train_and_evaluate(
                self.model, None, generated.eval_data, exporters=exported, **given
            ),
            daemon=True,  # A failed test must not wait for the thread.
        )
        self.thread.start()

    def wait(self):
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """Returns a folder with a checkpoint of step 10 and without evaluations, and its model."""
    model = generated.compiled()
    porting.restore(model, str(tmp_path), save_steps=100)
    model.fit(generated.train_data().take(10), callbacks=porting.callbacks(model), verbose=0)
    return tmp_path, model


def test_an_evaluator_ends_with_the_last_step(trained, monkeypatch):
    folder, model = trained
    evaluator = Evaluator(folder, monkeypatch, max_steps=10, throttle_secs=600)
    evaluator.wait()
    found = summaries.read(str(folder / "eval"))
    assert found == {
        10: pytest.approx(model.evaluate(generated.eval_data(), verbose=0, return_dict=True))
    }
    assert int(evaluator.model.optimizer.iterations) == 10
    assert len([*(folder / "export" / "final").iterdir()]) == 1


def test_an_evaluator_ends_with_the_training(trained, monkeypatch):
    folder, _ = trained
    with task_records.Recorder(folder, "chief-0"):
        evaluator = Evaluator(folder, monkeypatch, max_steps=100)
        until(lambda: summaries.read(str(folder / "eval")))
        assert not (folder / "export").exists()
        assert evaluator.thread.is_alive()
    evaluator.wait()
    assert len([*(folder / "export" / "final").iterdir()]) == 1


def test_an_evaluator_waits_first_unless_the_training_is_over(trained, monkeypatch):
    folder, _ = trained
    with task_records.Recorder(folder, "chief-0"):
        evaluator = Evaluator(folder, monkeypatch, max_steps=100, start_delay_secs=600)
        evaluator.thread.join(1.0)
        assert evaluator.thread.is_alive()
        assert not (folder / "eval").exists()
    evaluator.wait()
    assert list(summaries.read(str(folder / "eval"))) == [10]
