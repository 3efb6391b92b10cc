"""Tests for the dataflow of Estimators in a file, and for the reason where it ends."""

import pytest

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools

HEAD = "import functools\nfrom legacy import estimator as e\n"
JOB = "job = e.Estimator(f, 'a')\n"


def _read(text, **facts):
    file = SourceFile(HEAD + text, plan=tools.plan(api="v2", **facts))
    names = [found for found in file.names() if found.name == "tf.estimator.Estimator"]
    call = next(found.call for found in names if found.call is not None)
    return estimator_uses.read(file, call)


def _calls(text):
    used = _read(text)
    assert not isinstance(used, str), used
    return [(one.receiver, one.method, one.is_near) for one in used.calls]


@pytest.mark.parametrize(
    ("text", "receiver"),
    [
        (f"{JOB}job.train(g)", "job"),
        (f"{JOB}def later():\n  job.train(g)", "job"),
        ("def make():\n  return e.Estimator(f)\nmade = make()\nmade.train(g)", "made"),
        ("def make():\n  job = e.Estimator(f)\n  return job\nmade = make()\nmade.train(g)", "made"),
        (f"{JOB}def use(given):\n  given.train(g)\nuse(job)", "given"),
        (f"{JOB}def use(a, *, given):\n  given.train(g)\nuse(1, given=job)", "given"),
        (f"{JOB}def use(given, a):\n  given.train(g)\nfunctools.partial(use, job)(1)", "given"),
        (f"{JOB}other = job\nother.train(g)", "other"),
        (
            "def use(given=None):\n  if given == None:\n    given = e.Estimator(f)\n"
            "  given.train(g)\nuse()",
            "given",
        ),
        (f"{JOB}last = e.Estimator(h)\nother = job if a else last\nother.train(g)", "other"),
        (f"{JOB}last = e.Estimator(h)\nfor one in (job, last):\n  one.train(g)", "one"),
        (
            "class Job:\n"
            "  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "  def run(self):\n    self.made.train(g)",
            "self.made",
        ),
        (
            "class Job:\n  def __init__(self, given):\n    self.made = given\n"
            f"  def run(self):\n    self.made.train(g)\n{JOB}Job(job).run()",
            "self.made",
        ),
        (
            "class Job:\n"
            "  def make(self):\n    return e.Estimator(f)\n"
            "  def run(self):\n    job = self.make()\n    job.train(g)",
            "job",
        ),
        (  # Another function has a variable of the same name.
            "def train(given):\n  given.train(g)\n"
            f"def predict(a):\n  train = 1\n  predict = 2\n{JOB}train(job)",
            "given",
        ),
        (
            "class Job:\n"
            "  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "job = Job()\njob.made.train(g)",
            "job.made",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "class Wide(Job):\n  def run(self):\n    self.made.train(g)",
            "self.made",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "  def run(self):\n    self.made.train(g)\n"
            "class Other:\n  def __init__(self):\n    self.made = 3\n",
            "self.made",
        ),
        (
            "class Job:\n"
            "  def __init__(self):\n    self.made = None\n"
            "  def run(self):\n    if self.made is None:\n      self.made = e.Estimator(f)\n"
            "    self.made.train(g)",
            "self.made",
        ),
        (
            "class Job:\n"
            "  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "  @property\n  def job(self):\n    return self.made\n"
            "  def run(self):\n    self.job.train(g)",
            "self.job",
        ),
        (
            "class Job:\n"
            "  @functools.cached_property\n  def job(self):\n    return e.Estimator(f)\n"
            "  def run(self):\n    self.job.train(g)",
            "self.job",
        ),
        (
            "class Job:\n"
            "  @staticmethod\n  def make(a):\n    return e.Estimator(f)\n"
            "  @classmethod\n  def run(cls, a, given):\n    given.train(g)\n"
            "job = Job.make(1)\nJob.run(2, job)\nJob().run(2, given=job)",
            "given",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "  def run(self):\n    train(self)\n"
            "def train(job):\n  job.made.train(g)\n",
            "job.made",
        ),
        ("job = None\n" + JOB + "job.train(g)\nprint(type(job))", "job"),
    ],
)
def test_an_estimator_is_followed(text, receiver):
    ((found, method, is_near),) = _calls(text)
    assert (found, method) == (receiver, "train")
    assert is_near == (f"{JOB}job.train(g)" in text)


def test_an_estimator_with_more_metrics_is_followed():
    calls = _calls(f"{JOB}job = e.add_metrics(job, f)\njob.train(g)")
    assert calls == [("job", "add_metrics", True), ("job", "train", False)]
    calls = _calls(
        "def make(job):\n  return e.add_metrics(job, f)\n" + JOB + "made = make(job)\nmade.train(g)"
    )
    assert [method for _, method, _ in calls] == ["add_metrics", "train"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{JOB}use(job)", "job is passed on in line 4"),
        (f"{JOB}jobs = [job]", "job is passed on in line 4"),
        (f"{JOB}print(job.train)", "has no counterpart"),
        (f"{JOB}use(x=job)", "job is passed on in line 4"),
        ("def use(given):\n  given.train(g)\nuse(e.Estimator(f))", "not assigned to a name"),
        (f"{JOB}other = job if a else e.Estimator(f)", "not assigned to a name"),
        (f"{JOB}def use(*given):\n  pass\nuse(job)", "passed on in line 6"),
        (
            f"{JOB}def use(given=other):\n  given.train(g)\nuse(job)\nuse()",
            "the argument given in line 7 is unknown",
        ),
        (f"{JOB}def use(given):\n  given.train(g)\nuse(job)\nuse(None)", "may not be an Estimator"),
        (f"{JOB}def use(given):\n  given.train(g)\nuse(job)\nrun(use)", "use is passed on"),
        (
            f"{JOB}@wrapped\ndef use(given):\n  given.train(g)\nuse(job)",
            "the argument given is unknown",
        ),
        (f"{JOB}with a as job:\n  job.train(g)", "gets another value"),
        (f"{JOB}def job():\n  pass", "gets another value"),
        ("def make():\n  job = e.Estimator(f)\n  yield job\n", "passed on"),
        (
            "@wrapped\ndef make():\n  return e.Estimator(f)\n",
            "something other than a plain function",
        ),
        (
            "def make():\n  if a:\n    return\n  return e.Estimator(f)\nmake().train(g)",
            "returns nothing in line 5",
        ),
        ("def make():\n  return e.Estimator(f)\nmake().train(g)", "not assigned to a name"),
        ("make = lambda: e.Estimator(f)\njob = make()\n", "passed on in line 3"),
        ("job = {}\njob.made = e.Estimator(f)\n", "stored in job.made"),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "Job().made.train(g)",
            "not assigned to a name",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "  def run(self, name):\n    return getattr(self, name)",
            "may use made in line 7",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "def run(job):\n  return getattr(job, 'made')",
            "may use made in line 7",
        ),
        (
            "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
            "def run(job):\n  job.made.train(g)",
            "job.made in line 7 may belong to another object",
        ),
        (
            "class Job:\n  @property\n  def job(self):\n    return e.Estimator(f)\n"
            "  def run(self):\n    self.job.train(g)",
            "the property job may return another one each time",
        ),
        (
            "class Job:\n  def make(self):\n    return e.Estimator(f)\n"
            "class Wide(Job):\n  def make(self):\n    return 3\n"
            "  def run(self):\n    job = self.make()\n    job.train(g)",
            "may not be an Estimator",
        ),
        ("job = None\njob = job or e.Estimator(f)", "passed on"),
        (
            "class Job:\n  def __init__(self, given):\n    self.made = given\n"
            f"class Wide(Job):\n  pass\n{JOB}Job(job)",
            "passed on",
        ),
        (
            "class Job:\n  def __init__(self, given):\n    self.made = given\n"
            f"{JOB}Job(job)\nmake = Job",
            "the function __init__ is passed on in line 8",
        ),
    ],
)
def test_where_it_cannot_be_followed_that_is_said(text, reason):
    assert reason in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "def make():\n  return e.Estimator(f)\n",
        "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n",
        f"{JOB}def use(given):\n  given.train(g)\nuse(job)",
    ],
)
def test_what_other_files_may_use_as_well_is_not_followed(text):
    assert isinstance(_read(text), estimator_uses.EstimatorUse)
    assert "another file may also use" in _read(text, is_shared=True)
    private = text.replace("make", "_make").replace("made", "_made").replace("given", "_given")
    assert isinstance(_read(private, is_shared=True), estimator_uses.EstimatorUse)


def test_an_object_that_other_files_may_make_is_not_followed():
    text = "class Job:\n  def __init__(self, given):\n    self._made = given\n"
    text += "def run():\n  job = e.Estimator(f)\n  Job(job)\n"
    assert isinstance(_read(text), estimator_uses.EstimatorUse)
    assert "passed on" in _read(text, is_shared=True, used_elsewhere=frozenset(["Job"]))


ATTRIBUTE = (
    "class Job:\n  def __init__(self):\n    self.made = e.Estimator(f)\n"
    "  def run(self):\n    self.made.train(g)\n"
)
METHOD = (
    "class Job:\n  def make(self):\n    return e.Estimator(f)\n"
    "  def run(self):\n    job = self.make()\n    job.train(g)\n"
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ATTRIBUTE, "made"),
        (METHOD, "make"),
        ("def make():\n  return e.Estimator(f)\njob = make()\njob.train(g)", "make"),
        (f"{JOB}def use(given):\n  given.train(g)\nuse(job)", "use"),
        (f"{JOB}job.train(g)", "job"),
    ],
)
def test_names_that_no_other_file_uses_are_followed(text, name):
    for used in ((), ("other", "Job", "given")):
        use = _read(text, is_shared=True, used_elsewhere=frozenset(used))
        assert isinstance(use, estimator_uses.EstimatorUse), use
    for used in (name, "*"):
        reason = _read(text, is_shared=True, used_elsewhere=frozenset([used]))
        assert "another file may also use" in reason
        assert ("computes" in reason) == (used == "*")


def test_lines_that_print_an_estimator_are_found():
    assert _read(f"{JOB}job.train(g)\nprint(type(job))").shown == (5,)


def test_estimators_that_may_stand_for_each_other_are_one():
    text = (
        "def make(a):\n"
        "  if a:\n    return e.Estimator(f, 'a')\n"
        "  return e.DNNRegressor([3], [])\n"
        "job = make(1)\n"
        "if b:\n  job = e.LinearRegressor([])\n"
        "job.train(g)\njob.evaluate(g)\n"
    )
    used = _read(text)
    assert [one.name for one in used.constructions] == ["", "", "job"]
    assert [one.method for one in used.calls] == ["train", "evaluate"]
    assert not any(one.is_near for one in used.calls)


def test_types_that_are_said_of_it_are_found():
    text = (
        "def make() -> e.Estimator:\n  return e.Estimator(f)\n"
        "def use(job: e.Estimator):\n  job.train(g)\n"
        "use(make())\n"
    )
    assert [one.attr for one in _read(text).annotations] == ["Estimator", "Estimator"]
