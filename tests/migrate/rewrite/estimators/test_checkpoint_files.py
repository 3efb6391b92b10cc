"""Tests for code that depends on the names of an Estimator's checkpoint files."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head

CANNED = tools.rule("modern", "canned_models")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("path = 'model/model.ckpt-10'", ""),
        ("path = tf.train.latest_checkpoint('model')", ""),
        ("path = FLAGS.path", ""),
        ("path = glob.glob('model/*.index')[0][:-6]", "line 5 may list the files of checkpoints"),
        (
            "paths = [name for name in os.listdir('model') if name.startswith('model.ckpt')]\n"
            "path = paths[0]",
            "line 5 expects names of an Estimator's checkpoints",
        ),
        ("path = FLAGS.path\nstep = path.split('model.ckpt-')[1]", "line 6 expects names"),
        ("path = FLAGS.path\nif 'model.ckpt' in path: print(path)", "line 6 expects names"),
        ("path = FLAGS.path\nstep = re.search(r'model\\.ckpt-(\\d+)', path)", "line 6 expects"),
    ],
)
def test_a_model_does_not_replace_files_that_are_found_by_name(text, reason):
    text = (
        f"{head.HEAD}{text}\ncolumns = [tf.feature_column.numeric_column('a')]\n"
        "job = tf_estimator.LinearRegressor(columns, 'model')\n"
        "x = job.evaluate(input_fn, checkpoint_path=path)\n"
    )
    outcome = fixed_point.rewrite(text, CANNED, unsafe=True, plan=tools.plan(api="v2"))
    assert ("checkpoint_path=path)" in outcome.text and "heads." in outcome.text) == (not reason)
    assert not reason or reason in outcome.suggestions[0].reason
