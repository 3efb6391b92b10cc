"""Tests for the obstacles that keep a job from a rung."""

import textwrap

import pytest

from migrate.scan import blockers, jobs, scanner
from tests.migrate.scan.small_programs import CANNED, CUSTOM, MODEL, SESSION


def test_what_is_gone_blocks_every_rung(plan):
    gone = MODEL + "\n        tf.contrib.tensorrt.create_inference_graph()"
    (job,) = plan(train=CUSTOM, model=gone).values()
    (blocker,) = job.blockers
    assert (job.rung, job.starts, blocker.rung) == (None, True, 0)
    assert blocker.where.endswith("model.py:6")
    assert blocker.todo.startswith("it fails when it is called: ")
    assert "Converter" in blocker.todo


def test_what_is_prepared_to_be_missing_blocks_nothing(plan):
    guarded = CANNED + "\n    try:\n        tf.contrib.tensorrt.x()\n    except Exception: pass\n"
    assert plan(train=guarded)["train.py"].rung == 2


def test_a_module_that_does_not_parse_blocks_every_rung(plan):
    (job,) = plan(train=CUSTOM, model=MODEL, data="print 'x'").values()
    assert job.rung is None
    assert job.blockers[0].what == "this is Python 2"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (SESSION, "its own session"),
        (CUSTOM, "no model_fn"),
        (CUSTOM.replace("tf.estimator.Estimator", "tf.contrib.learn.Estimator"), "learn.Estimator"),
        (CUSTOM.replace("tf.estimator.Estimator", "make_it"), "no Estimator"),
    ],
)
def test_what_the_bridge_cannot_take(plan, text, what):
    files = {"model": MODEL} if "Estimator" in what and "no " not in what else {}
    text = text if files else text.replace("model_fn=model_fn, ", "")
    (job,) = plan(train=text, **files).values()
    assert job.rung == 1
    assert what in job.blockers[0].what


def test_the_bridge_takes_a_model_fn_of_a_tpu_estimator(plan):
    text = CUSTOM.replace("tf.estimator.Estimator", "tf.contrib.tpu.TPUEstimator")
    job = plan(train=text, model=MODEL.replace("estimator.Est", "contrib.tpu.TPUEst"))["train.py"]
    assert (job.rung, job.blockers) == (2, [])


@pytest.mark.parametrize(
    ("made", "todo"),
    [
        ("DNNClassifier", "replace it by tf.estimator.DNNClassifier first"),
        ("KMeansClustering", "replace it by tf.estimator.experimental.KMeans first"),
        ("SVM", "replace it by an Estimator with your own model_fn first"),
        ("Estimator", "return an EstimatorSpec where the model_fn returns ModelFnOps"),
    ],
)
def test_what_a_model_of_contrib_learn_takes_to_be_bridged(plan, made, todo):
    text = CANNED.replace("tf.estimator.DNNClassifier", f"tf.contrib.learn.{made}")
    job = plan(train=text)["train.py"]
    assert any(blocker.todo.endswith(todo) for blocker in job.blockers)


def test_obstacles_of_a_job_that_has_no_blockers(tmp_path):
    (tmp_path / "job.py").write_text(textwrap.dedent(CANNED) + "    tf.get_default_session()\n")
    scan = scanner.scan_paths([str(tmp_path)], processes=1)
    (job,) = jobs.plan(scan)
    assert not job.blockers
    found = blockers.obstacles(job, scan)
    assert [(each.rung, each.what) for each in found][0] == (3, "tf.get_default_session")
    assert found[0].where.endswith("job.py:5")
