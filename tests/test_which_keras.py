"""Tests that each cell of the table in docs/which_keras.md has a test of what it says."""

import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[1]
BACKENDS_REFUSED = (
    "modern/tasks/test_train_flags.py::test_what_another_backend_cannot_do_is_refused"
)
# The tests of each cell of a row: with tf_keras, with Keras 3, and with JAX or torch.
TESTS = {
    "`single`": (
        "modern/test_train.py::test_result",
        "cluster/test_keras3.py::test_another_strategy_continues",
        "modern/tasks/test_other_backends.py::test_it_trains_as_on_tensorflow",
    ),
    "`mirrored`, `multi_worker_mirrored`": (
        "cluster/test_several_devices.py::"
        "test_all_replicas_together_equal_one_process_with_the_global_batch",
        "cluster/test_keras3.py::test_two_replicas_equal_one_process_of_tf_keras",
        BACKENDS_REFUSED,
    ),
    "`parameter_server`": (
        "cluster/test_modern_parameter_server.py::test_result_is_complete",
        "cluster/test_keras3.py::test_all_steps_are_made_and_counted",
        BACKENDS_REFUSED,
    ),
    "a `model_fn` (`migrate train`)": (
        "cluster/test_bridge.py::test_synchronous_training_goes_on_as_the_estimator_does",
        "migrate/test_train.py::test_misuse_is_one_line_and_code_2",
        "migrate/test_train.py::test_misuse_is_one_line_and_code_2",
    ),
    "a model of your own (`migrate train --keras_model`)": (
        "migrate/bridge/jobs/test_port_job.py::test_it_trains_as_its_own_fit_does",
        "cluster/test_keras3_ports.py::test_a_cluster_equals_one_process_of_tf_keras",
        "migrate/bridge/jobs/test_keras3_ports.py::test_what_cannot_work_is_refused",
    ),
    "a program (`migrate port`)": (
        "migrate/port/test_command.py::test_a_program_without_model_dir_and_seed_climbs_to_the_top",
        "migrate/port/test_command.py::test_a_program_goes_on_to_keras_3",
        "migrate/port/test_keras_3.py::test_another_backend_is_refused",
    ),
    "a port under `migrate verify`": (
        "migrate/verify/test_command.py::"
        "test_verifies_an_untouched_program_and_writes_a_certificate",
        "migrate/verify/test_keras3.py::test_a_right_port_is_the_same",
        "migrate/verify/test_keras3.py::test_a_right_port_is_the_same_with_another_backend",
    ),
    "a checkpoint of an Estimator (`migrate checkpoint convert`)": (
        "migrate/checkpoint/test_ported_programs.py::"
        "test_the_command_of_the_error_carries_weights_slots_and_step",
        "migrate/checkpoint/test_keras3.py::test_training_goes_on_the_same_in_keras_3_and_back",
        "migrate/checkpoint/four_kinds/test_four_kinds.py::test_losses_are_those_of_the_estimator",
    ),
}


def rows():
    """Returns the rows of the page's first table."""
    lines = (ROOT / "docs/which_keras.md").read_text().splitlines()
    start = lines.index("| --- | --- | --- | --- |") + 1
    table = lines[start : lines.index("", start)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_each_row_has_tests():
    assert [row[0] for row in rows()] == [*TESTS]
    assert {len(row) for row in rows()} == {4}


@pytest.mark.parametrize("row", TESTS)
def test_the_tests_of_a_row_exist(row):
    for test in TESTS[row]:
        file, _, name = test.partition("::")
        tree = ast.parse((ROOT / "tests" / file).read_text())
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


@pytest.mark.parametrize("row", TESTS)
def test_a_cell_that_says_no_has_a_test_of_the_refusal(row):
    [cells] = [cells for name, *cells in rows() if name == row]
    for cell, test in zip(cells, TESTS[row], strict=True):
        is_refusal = test.endswith(("_refused", "_and_code_2"))
        assert cell.startswith("no") == is_refusal, (cell, test)
