"""Tests of a dataset that is read through queues."""

import pytest
import tensorflow as tf

from legacy.contrib import slim
from tests.legacy.contrib.slim import records

tf1 = tf.compat.v1


def test_samples_are_read_in_order_until_the_last_epoch_ends(session, tmp_path):
    path = records.write(tmp_path, [3, 1, 2])
    provider = slim.dataset_data_provider.DatasetDataProvider(
        records.dataset(path, 3), shuffle=False, num_epochs=2
    )
    label, key = provider.get(["label", "record_key"])
    session.run(tf1.local_variables_initializer())
    with slim.queues.QueueRunners(session):
        found = [session.run([label, key]) for _ in range(6)]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(label)
    assert [int(value) for value, _ in found] == [3, 1, 2] * 2
    assert all(key.startswith(path.encode()) for _, key in found)
    assert provider.num_samples() == 3


@pytest.mark.usefixtures("session")
def test_the_key_has_a_name_of_its_own(tmp_path):
    path = records.write(tmp_path, [1])
    with pytest.raises(ValueError, match="cannot also be used for a dataset item: label"):
        slim.dataset_data_provider.DatasetDataProvider(records.dataset(path, 1), record_key="label")
