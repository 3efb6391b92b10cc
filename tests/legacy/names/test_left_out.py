"""Tests of the names that are left out, with their reasons."""

from legacy.names import left_out


def test_every_row_says_why_and_what_to_do():
    for name, (reason, instead, gone) in left_out.rows().items():
        assert name.startswith(("tf.", "tensorflow_estimator."))
        assert len(reason) > 10
        assert len(instead) > 5
        assert isinstance(gone, bool)


def test_reasons():
    assert left_out.is_gone("tf.contrib.kafka.KafkaDataset")
    assert not left_out.is_gone("tf.contrib.tensorrt")
    assert "Decision Forests" in left_out.message("tf.estimator.BoostedTreesClassifier")
    assert left_out.message("tf.contrib.x").startswith("tf.contrib.x is not provided: ")
