"""Tests that the check of each way finds planted defects."""

import json
import os
import sys

import pytest

from tests.matrix import ways

VERSIONS = {"python": "3.12.1", "tensorflow": "2.18.1", "tf-keras": "2.18.0", "keras": "3.6.0"}
RESULT = {
    "way": "mirrored",
    "steps": ways.STEPS,
    "global_step": ways.STEPS,
    "uncounted_steps": 0,
    "examples": {"replica-0": 32 * ways.STEPS, "replica-1": 32 * ways.STEPS},
    "batch_size": 32,
    "versions": {"python": "3.12.1", "tensorflow": "2.18.1", "tf_keras": "2.18.0"},
    "eval": {"loss": 0.01},
}


def check(tmp_path, keras=2, **changed):
    """Returns the mistakes in a training's result with changed entries."""
    model = tmp_path / "model"
    (model / "export").mkdir(parents=True)
    for name in ("ckpt.index", "export/saved_model.pb"):
        (model / name).touch()
    files = {"checkpoint": str(model / "ckpt"), "export": str(model / "export")}
    (model / "result.json").write_text(json.dumps(RESULT | files | changed))
    return ways.check_training(
        tmp_path,
        VERSIONS,
        strategy="mirrored",
        batches=2 * ways.STEPS,
        most_loss=0.1,
        keras=keras,
    )


def test_a_whole_training_passes(tmp_path):
    assert check(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"way": "single"}, "way"),
        ({"steps": ways.STEPS - 1}, "steps"),
        ({"examples": {"replica-0": 32 * ways.STEPS}}, "examples"),
        ({"uncounted_steps": 3}, "uncounted steps"),
        ({"versions": RESULT["versions"] | {"tensorflow": "2.21.0"}}, "versions"),
        ({"eval": {"loss": 0.2}}, "loss"),
        ({"eval": {"loss": float("nan")}}, "loss"),
        ({"checkpoint": "/none"}, "/none.index is missing"),
        ({"export": "/none"}, "/none/saved_model.pb is missing"),
    ],
)
def test_a_defect_of_a_training_is_found(tmp_path, changed, word):
    (mistake,) = check(tmp_path, **changed)
    assert word in mistake


def test_a_training_with_the_other_keras_is_found(tmp_path):
    (mistake,) = check(tmp_path, keras=3)
    assert "'keras': '3.6.0'" in mistake


@pytest.mark.parametrize(
    ("results", "word"),
    [
        ({"loss": 0.01, "global_step": ways.STEPS}, None),
        ({"loss": 1.0, "global_step": ways.STEPS}, "loss"),
        ({"loss": 0.01, "global_step": 1}, "steps"),
        ({"loss": 0.01, "global_step": ways.STEPS + 1}, "checkpoint"),
        (None, "missing"),
    ],
)
def test_a_defect_of_an_old_job_is_found(tmp_path, results, word):
    (tmp_path / "model").mkdir()
    for step in (1, ways.STEPS):
        (tmp_path / "model" / f"model.ckpt-{step}.index").touch()
    if results:
        (tmp_path / "model" / "evaluation.json").write_text(json.dumps(results))
    mistakes = ways.check_old_job(tmp_path, VERSIONS)
    assert len(mistakes) == (word is not None)
    assert not word or word in mistakes[0]


def test_averages_of_one_replica_are_found(tmp_path):
    path = tmp_path / "averages.json"
    path.write_text(json.dumps({"replicas": [[1.0], [3.0]], "read": [2.0]}))
    assert ways.check_averages(tmp_path, VERSIONS) == []
    path.write_text(json.dumps({"replicas": [[1.0], [3.0]], "read": [1.0]}))
    (mistake,) = ways.check_averages(tmp_path, VERSIONS)
    assert "moving averages" in mistake


def end_with(code, said, keras=3):
    program = f"import sys; print({said!r}); sys.exit({code})"
    return ways.Way("planted", ("-c", program), lambda *_: ["a mistake"], keras=keras)


@pytest.mark.parametrize(
    ("way", "state"),
    [
        (end_with(0, ""), ways.FAILED),
        (end_with(1, "--keras=3 needs another"), ways.FAILED),
        (end_with(2, "--keras=3 needs another"), ways.REFUSED),
        (end_with(2, "--keras=3 needs another", keras=2), ways.FAILED),
        (end_with(2, "another misuse"), ways.FAILED),
    ],
)
def test_only_keras_3_may_be_refused(tmp_path, way, state):
    outcome = ways.run(way, sys.executable, VERSIONS, tmp_path / "way")
    assert outcome.state == state
    assert outcome.reason


def test_a_way_that_does_not_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(ways, "TIMEOUT_SECS", 1)
    program = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
    way = ways.Way("planted", ("-c", program), lambda *_: [])
    outcome = ways.run(way, sys.executable, VERSIONS, tmp_path / "way")
    assert (outcome.state, "ended after 1 s" in outcome.reason) == (ways.FAILED, True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(outcome.reason.splitlines()[1]), 0)


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.parametrize("way", ["legacy", "bridge"])
def test_the_old_program_trains_here(tmp_path, way):
    """It trains in this environment, so that a change of the program need not wait for the run."""
    from modern.process import versions as installed

    of = installed.installed()
    of = {"python": of["python"], "tensorflow": of["tensorflow"], "tf-keras": of["tf_keras"]}
    outcome = ways.run(ways.NAMES[way], sys.executable, of, tmp_path / "way")
    assert outcome.state == ways.PASSED, outcome.reason
