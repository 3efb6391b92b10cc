"""Tests for the recorder in the process of a program."""

import os

from migrate import same_run
from tests.migrate.rewrite import tools
from tests.migrate.same_run import recorded


def test_what_cannot_be_recorded_does_not_end_the_program(tmp_path):
    """The recorder watches the module `tf_keras`, but its results here are no arrays."""
    (tmp_path / "tf_keras.py").write_text(
        "class Model:\n"
        "    def fit(self): pass\n"
        "    def evaluate(self): return {'ragged': [[1], [1, 2]]}\n"
        "    def predict(self): yield [[1], [1, 2]]\n"
    )
    path = os.pathsep.join([str(tmp_path), tools.ENVIRONMENT["PYTHONPATH"]])
    program = "import tf_keras; m = tf_keras.Model(); print(m.evaluate(), *m.predict())"
    run = recorded.record(tmp_path / "run", "-c", program, env={"PYTHONPATH": path})
    assert run.output == "{'ragged': [[1], [1, 2]]} [[1], [1, 2]]\n"
    assert [note.partition(":")[0] for note in run.not_recorded] == ["evaluation", "predictions"]
    assert same_run.same_run(run, run).verdict == "could not tell"
