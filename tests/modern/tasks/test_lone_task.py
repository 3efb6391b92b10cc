"""Tests of a task whose cluster does not come. tests/cluster/test_lone_workers.py runs programs."""

import pytest

from modern.cluster import gathering, tf_config
from modern.records import task_records
from modern.tasks import lone_task

ERROR = gathering.MissingTasksError("worker-1 has waited 4 s for another task. Start it.")


@pytest.mark.parametrize(("leader", "types"), [("chief-0", ("chief",)), ("worker-0", ())])
def test_it_fails_unless_the_training_is_over(leader, types, tmp_path, capsys):
    cluster = dict.fromkeys(types, ("a:1",)) | {"worker": ("b:1", "c:1")}
    config = tf_config.TFConfig(cluster, "worker", 1)
    assert lone_task.end(ERROR, str(tmp_path), config) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f": {ERROR}")
    with task_records.Recorder(str(tmp_path), leader):
        assert lone_task.end(ERROR, str(tmp_path), config) == 1  # It trains.
    capsys.readouterr()
    assert lone_task.end(ERROR, str(tmp_path), config) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert f": {ERROR} The training in {tmp_path} is over since 2" in line
