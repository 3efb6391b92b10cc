"""Tests of readers that fill one queue."""

import pytest
import tensorflow as tf

from legacy.contrib import slim
from legacy.contrib.slim import parallel_reader
from tests.legacy.contrib.slim import records

tf1 = tf.compat.v1


def test_several_readers_read_each_record_once(session, tmp_path):
    for values in ([1, 2], [3, 4]):
        records.write(tmp_path, values)
    _, record = parallel_reader.parallel_read(
        f"{tmp_path}/part-*", tf1.TFRecordReader, num_epochs=1, num_readers=2, min_after_dequeue=0
    )
    session.run(tf1.local_variables_initializer())
    found = []
    with slim.queues.QueueRunners(session):
        for _ in range(4):
            example = tf.train.Example.FromString(session.run(record))
            found.append(example.features.feature["label"].int64_list.value[0])
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(record)
    assert sorted(found) == [1, 2, 3, 4]


def test_files_match_names_and_patterns(tmp_path):
    paths = [records.write(tmp_path, [value]) for value in (1, 2)]
    found = parallel_reader.get_data_files([f"{tmp_path}/part-*", "plain"])
    assert sorted(found) == sorted([*paths, "plain"])
    with pytest.raises(ValueError, match="No data files found in"):
        parallel_reader.get_data_files(f"{tmp_path}/none-*")


@pytest.mark.usefixtures("session")
def test_a_queue_holds_keys_and_records():
    queue = tf.queue.FIFOQueue(2, [tf.string, tf.int64])
    with pytest.raises(TypeError, match=r"must be \[tf.string, tf.string\]"):
        parallel_reader.ParallelReader(tf1.TFRecordReader, queue)
