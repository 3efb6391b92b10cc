"""Tests for methods and attributes that give Estimators to other files: all change, or none."""

import pytest

from tests.migrate.rewrite import tools
from tests.migrate.rewrite.program.across_files.test_estimators import HEAD, RUN, _rewritten
from tests.oracle import compare

MODEL = f"""{HEAD}
class Jobs:
    def __init__(self, rate):
        self.rate = rate

    def input_fn(self, epochs=1):
        features = {{"a": [[0.5], [1.5], [2.5]]}}
        data = (features, [1.0, 3.0, 4.0])
        return tf.data.Dataset.from_tensor_slices(data).repeat(epochs).batch(2)

    def make_regressor(self, folder):
        optimizer = tf.keras.optimizers.legacy.SGD(self.rate)
        columns = [tf.feature_column.numeric_column("a")]
        job = e.LinearRegressor(columns, folder, optimizer=optimizer)
        print("It is a", type(job))
        return job
"""
TASK = f"""{HEAD}
import model

def main():
    jobs = model.Jobs(0.05)
    job = jobs.make_regressor("job")
    job.train(lambda: jobs.input_fn(4), steps=7)
    return job.evaluate(jobs.input_fn), list(job.predict(jobs.input_fn))

if __name__ == "__main__":
    print(main())
"""
MODEL_FN = f"""{HEAD}import other
class Jobs:
    def make_job(self, folder):
        return e.Estimator(other.model_fn, folder)
"""
USER = f"""{HEAD}from model import Jobs
def main():
    job = Jobs().make_job("b")
    job.train(lambda: tf.data.Dataset.range(3))
main()
"""
OTHER = "def model_fn(features):\n    return features\n"


@pytest.mark.parametrize("is_attribute", [False, True])
def test_a_program_of_two_files_computes_the_same(is_attribute, tmp_path):
    model, task = MODEL, TASK
    if is_attribute:
        made = 'self.rate = rate\n        self.regressor = self.make_regressor("job")\n'
        model = MODEL.replace("self.rate = rate\n", made)
        task = TASK.replace('jobs.make_regressor("job")', "jobs.regressor")
    texts, suggested = _rewritten(tmp_path / "old", {"model": model, "task": task})
    assert suggested == []
    assert "heads.Regressor(" in texts["model"]
    assert "job.evaluate(jobs.input_fn(), verbose=0" in texts["task"]
    again, _ = _rewritten(tmp_path / "new", texts)
    assert again == texts
    folders = (repr(str(tmp_path / name)) for name in ("old", "new"))
    before, after = tools.run([RUN.replace("FOLDER", folder) for folder in folders], "eager")
    assert before["x"][0]["global_step"] == 6, before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize(
    "called",
    [
        "Jobs().make_job('b')",
        "jobs.make_job(folder='b')",
        "self.jobs.make_job('b')",
        "Jobs.make_job(None, 'b')",
    ],
)
def test_it_is_found_for_any_object(called, tmp_path):
    user = USER.replace('Jobs().make_job("b")', called)
    texts, _ = _rewritten(tmp_path, {"model": MODEL_FN, "user": user, "other": OTHER})
    assert "bridge.KerasModelFn(other.model_fn)" in texts["model"]
    assert f"job = {called}" in texts["user"]
    assert "job.fit(tf.data.Dataset.range(3)" in texts["user"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("use(job)", "job is passed on in line 7 of user.py"),
        ("print(job.config)", "job.config in line 7 of user.py has no counterpart"),
        ("jobs.make_job('c').train(f)", "it is not assigned to a name (user.py)"),
        ("use(jobs.make_job)", "it is passed on in line 7 of user.py"),
        ("getattr(Jobs(), 'make_job')('c').train(f)", ""),
        ("getattr(Jobs(), name)('c').train(f)", ""),
        ("vars(Jobs)['make_job'](1, 'c').train(f)", ""),
        ("class Wide(Jobs):\n  def make_job(self, folder):\n    return 3", ""),
        ("class Other:\n  def make_job(self):\n    return 3\nx = Other().make_job()", ""),
        ("from model import make_job", ""),
    ],
)
def test_no_file_changes_if_a_use_cannot_be_seen(more, reason, tmp_path):
    programs = {"model": MODEL_FN, "user": f"{USER}{more}\n", "other": OTHER}
    if "line 7" in reason or "assigned" in reason:
        programs["user"] = USER.removesuffix("main()\n") + f"    {more}\nmain()\n"
    texts, suggested = _rewritten(tmp_path, programs)
    assert texts == programs
    reasons = [said.reason for said in suggested if "make_job" in said.reason]
    assert reasons, suggested
    assert reasons[0].startswith("another file may also use make_job")
    assert reason in reasons[0]


def test_common_names_are_not_found_by_name(tmp_path):
    programs = {"model": MODEL_FN, "user": USER, "other": OTHER}
    programs = {name: text.replace("make_job", "build") for name, text in programs.items()}
    texts, _ = _rewritten(tmp_path, programs)
    assert texts == programs


ATTRIBUTE = f"""{HEAD}import other
class Jobs:
    def __init__(self, folder):
        self.model = e.Estimator(other.model_fn, folder)

    def fit(self):
        self.model.train(lambda: tf.data.Dataset.range(3))
"""
USES = f"""{HEAD}from model import Jobs
class Own:
    def __init__(self):
        self.model = 3
jobs = Jobs('a')
jobs.fit()
"""


def test_an_attribute_that_no_other_file_names_is_private(tmp_path):
    programs = {"model": ATTRIBUTE, "user": USES, "other": OTHER}
    texts, _ = _rewritten(tmp_path, programs)
    assert "self.model = bridge.KerasModelFn(other.model_fn)" in texts["model"]


@pytest.mark.parametrize(
    "more",
    [
        "jobs.model.train(f)",
        "getattr(jobs, 'model')",
        "getattr(jobs, name)",
        "class Wide(Jobs):\n  def run(self):\n    self.model.train(f)",
        "class Wide(Jobs):\n  model = None",
        "vars(jobs)",
    ],
)
@pytest.mark.parametrize("importer", ["user", "third", "loader"])
def test_an_attribute_that_another_file_may_use_stays(importer, more, tmp_path):
    programs = {"model": ATTRIBUTE, "user": USES, "other": OTHER}
    texts = {
        "user": f"{USES}{more}\n",
        "third": f"from model import Jobs\n{more}\n",
        "loader": f"import importlib\nJobs = importlib.import_module(name).Jobs\n{more}\n",
    }
    programs[importer] = texts[importer]
    texts, suggested = _rewritten(tmp_path, programs)
    assert "bridge" not in texts["model"]
    assert any("another file may also use model" in said.reason for said in suggested)


def test_a_module_without_a_known_program_keeps_its_attributes(tmp_path):
    texts, suggested = _rewritten(tmp_path, {"model": ATTRIBUTE, "other": OTHER})
    assert "bridge" not in texts["model"]
    assert "another file may also use model" in suggested[0].reason


def test_a_variable_that_another_file_imports_stays(tmp_path):
    model = f"{HEAD}import other\njob = e.Estimator(other.model_fn)\n"
    user = "import model\nprint(model.{})\nmodel.run()\n"
    run = "def run():\n  job.train(lambda: tf.data.Dataset.range(3))\n"
    programs = {"model": model + run, "user": user.format("job"), "other": OTHER}
    assert "bridge" not in _rewritten(tmp_path, programs)[0]["model"]
    programs["user"] = user.format("size")
    assert "bridge" in _rewritten(tmp_path, programs)[0]["model"]


HOLDER = f"""{HEAD}import other
class Jobs:
    def __init__(self):
        self.job = e.Estimator(other.model_fn, "b")
"""
PROPERTY = f"""{HEAD}import other
class Jobs:
    def __init__(self):
        self._made = None

    @property
    def job(self):
        if self._made is None:
            self._made = e.Estimator(other.model_fn, "b")
        return self._made
"""
READER = f"""{HEAD}from model import Jobs
jobs = Jobs()
jobs.job.train(lambda: tf.data.Dataset.range(3))
print(jobs.job.model_dir)
"""
OWNER = f"""{HEAD}import model
class Main:
    def __init__(self):
        self.jobs = model.Jobs()

    def run(self):
        job = self.jobs.job
        job.train(lambda: tf.data.Dataset.range(3))
Main().run()
"""


@pytest.mark.parametrize("model", [HOLDER, PROPERTY])
@pytest.mark.parametrize("user", [READER, OWNER])
def test_an_attribute_that_another_file_trains_changes_with_it(user, model, tmp_path):
    texts, _ = _rewritten(tmp_path, {"model": model, "user": user, "other": OTHER})
    assert "bridge.KerasModelFn(other.model_fn)" in texts["model"]
    assert "job.fit(tf.data.Dataset.range(3), callbacks=" in texts["user"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("print(jobs.job.config)", "no counterpart"),
        ("use(jobs.job)", "jobs.job is passed on in line 7 of user.py"),
        ("other().job.train(f)", "the class of other().job in line 7 of user.py is unknown"),
        ("def run(jobs):\n  jobs.job.train(f)", "in line 8 of user.py is unknown"),
        ("Jobs().job.train(f)", ""),
        ("jobs.job = 3", ""),
        ("jobs = other()", "the class of jobs.job in line 5 of user.py is unknown"),
        ("getattr(jobs, 'job').train(f)", ""),
        ("class Other:\n  def __init__(self):\n    self.job = 3", ""),
        ("class Wide(Jobs):\n  def job(self):\n    return 3", ""),
    ],
)
def test_an_attribute_stays_if_a_use_cannot_be_seen(more, reason, tmp_path):
    programs = {"model": HOLDER, "user": f"{READER}{more}\n", "other": OTHER}
    texts, suggested = _rewritten(tmp_path, programs)
    assert texts["user"] == programs["user"]
    assert "bridge" not in texts["model"]
    (said,) = [said.reason for said in suggested if "may also use" in said.reason]
    assert reason in said
