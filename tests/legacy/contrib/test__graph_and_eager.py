"""Tests of the decorators that run a test in graph mode and eagerly."""

import os
import unittest

import pytest
import tensorflow as tf

from legacy.contrib import eager

tf1 = tf.compat.v1


def outcome(case):
    """Runs the tests of a class and returns the numbers of (tests, failures, skipped)."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert not result.errors, result.errors
    return result.testsRun, len(result.failures), len(result.skipped)


class Modes(tf.test.TestCase):
    """Records the modes in which its tests run. A subclass decorates them."""

    def setUp(self):
        super().setUp()
        self.seen = getattr(self, "seen", [])
        self.seen.append("setUp")

    def record(self):
        self.seen.append(tf.executing_eagerly())
        path = os.path.join(self.get_temp_dir(), "file")
        assert not os.path.exists(path)
        open(path, "w").close()


def test_a_test_runs_in_both_modes_with_its_own_folder():
    modes = []

    class Case(Modes):
        @eager.run_test_in_graph_and_eager_modes
        def test_sum(self):
            self.record()
            variable = tf1.get_variable("v", initializer=1, use_resource=True)
            self.evaluate(tf1.global_variables_initializer())
            assert self.evaluate(variable + 3) == 4
            modes[:] = self.seen

    assert outcome(Case)[:2] == (2, 0)  # TensorFlow adds test_session, which is skipped.
    assert modes == ["setUp", False, "setUp", True]


def test_arguments_of_the_decorator():
    modes = []

    class Case(Modes):
        @eager.run_test_in_graph_and_eager_modes(reset_test=False, use_gpu=False)
        def test_device(self):
            modes.append((tf.executing_eagerly(), tf.constant(1).device))

        @eager.run_test_in_graph_and_eager_modes()
        def test_fails_eagerly(self):
            assert not tf.executing_eagerly()

        @eager.run_test_in_graph_and_eager_modes()
        def test_skips_the_graph(self):
            if not tf.executing_eagerly():
                self.skipTest("eager only")
            modes.append("eager")

    assert outcome(Case)[:2] == (4, 1)
    assert [mode for mode, *_ in modes if mode is not True][0] is False
    assert "eager" in modes
    assert "CPU:0" in dict(one for one in modes if one != "eager")[True]


def test_all_tests_of_a_class():
    modes = []

    @eager.run_all_tests_in_graph_and_eager_modes
    class Case(tf.test.TestCase):
        def test_one(self):
            modes.append(tf.executing_eagerly())

    assert outcome(Case)[1] == 0
    assert modes == [False, True]


def test_a_class_is_refused_by_the_decorator_of_methods():
    with pytest.raises(ValueError, match="run_all_tests_in_graph_and_eager_modes"):
        eager.run_test_in_graph_and_eager_modes(Modes)
