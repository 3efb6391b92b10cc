"""A job that needs a name that no TensorFlow of today has."""

import pytest

JOB = """import tensorflow as tf

def model_fn(features, labels, mode):
    return tf.estimator.EstimatorSpec(mode, loss=tf.losses.log_loss(labels, features["<x>"]))

if __name__ == "__main__":
    tf.estimator.Estimator(model_fn).train(lambda: None)
    tf.contrib.tensorrt.create_inference_graph()
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a job.py").write_text(JOB)
    (tmp_path / "bad.py").write_text("print 'x'\n")
    return "a job.py"
