"""Tests for the calls that train a model, and so make a program a job."""

import pytest

from migrate.scan import training_calls
from tests.migrate.scan.small_programs import CANNED, FACTORY, SESSION


def test_a_session_that_trains_nothing_is_no_job(plan):
    assert plan(tool=SESSION.replace("tf.train.AdamOptimizer().minimize(loss)", "x")) == {}


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow_estimator import estimator",
        "from tensorflow_estimator.python.estimator.api._v1 import estimator",
        "from tensorflow.python.estimator import estimator_lib as estimator",
        "from tensorflow.python.estimator import estimator",
    ],
)
def test_an_estimator_is_one_by_each_of_its_names(plan, line):
    text = f"{line}\nif __name__ == '__main__': estimator.Estimator(model_fn).train(input_fn)"
    (job,) = plan(train=text).values()
    assert job.trains_by == ["tf.estimator.Estimator"]
    assert job.input_functions == ["input_fn"]
    assert job.model_functions == ["model_fn"]


def test_an_estimator_that_other_files_make(plan):
    text = """
        import tensorflow as tf
        from company import make_model
        tf.logging.set_verbosity(tf.logging.INFO)
        if __name__ == "__main__":
            make_model().train(input_fn=read)
    """
    (job,) = plan(train=text).values()
    assert job.trains_by == [training_calls.UNSEEN_ESTIMATOR]
    assert job.blockers[0].what == "no Estimator in its files"
    assert plan(train=text.replace("input_fn=read", "read")) == {}


def test_a_converter_that_imports_the_files_of_a_job_is_no_job(plan):
    convert = """
        import tensorflow as tf
        from tensorflow.estimator import Estimator
        import model, job
        def check(estimator: Estimator):
            return isinstance(estimator, tf.estimator.DNNClassifier)
        if __name__ == "__main__":
            tf.train.Saver().save(tf.Session(), "converted")
    """
    task = CANNED.replace("tensorflow as tf", "tensorflow as tf, model")
    assert list(plan(convert=convert, model=FACTORY, job=task)) == ["job.py"]
    runs = convert.replace("tf.train.Saver()", "job.main();tf.train.Saver()")
    assert sorted(plan(convert=runs, model=FACTORY, job=task)) == ["convert.py", "job.py"]


def test_a_factory_in_another_file(plan):
    task = """
        import tensorflow as tf, model
        def run() -> tf.estimator.Estimator:
            estimator = model.build(None)
            estimator.train(read)
            return estimator
        trained = run()
    """
    (job,) = plan(task=task, model=FACTORY).values()
    # The annotation is no Estimator with a model_fn.
    assert (job.trains_by, job.rung, job.blockers) == (["tf.estimator.LinearClassifier"], 2, [])
