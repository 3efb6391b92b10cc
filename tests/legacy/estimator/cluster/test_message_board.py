"""Tests of the message board, with a ps in this process. tests/cluster restarts tasks."""

import pytest
import tensorflow as tf

from legacy.estimator.cluster.message_board import Board


@pytest.fixture(scope="module")
def target():
    server = tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)
    return server.target


def test_a_later_message_replaces_an_earlier_one_and_outlives_the_session(target):
    board = Board(target, 1, "/job:ps/task:0", own_ps=0)
    board.put("training", "open")
    board.put("worker-1", "joined")
    board.put("training", "ending")
    board.close()
    expected = {"training": "ending", "worker-1": "joined"}
    assert board.read() == expected
    assert Board(target, 1, "/job:ps/task:0").read() == expected


def test_a_board_waits_before_each_connection(target):
    waits = []
    board = Board(target, 1, "/job:ps/task:0", own_ps=0, before_connecting=lambda: waits.append(1))
    for _ in range(2):
        board.read()
        board.read()
        board.close()
    assert len(waits) == 2
