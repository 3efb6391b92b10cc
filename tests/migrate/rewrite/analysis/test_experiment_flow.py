"""Tests for following an Experiment to the calls that run it."""

import pytest

from migrate.rewrite.analysis.experiment_flow import Flow
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools

HEAD = "from legacy.contrib import learn\n"
MAKE = "def make(output_dir):\n    return learn.Experiment(job, f, f)\n"
RUN = "learn.learn_runner.run({}, 'model'{})\n"


def flow(text, **decisions):
    return Flow(SourceFile(HEAD + text, plan=tools.plan(**decisions)))


@pytest.mark.parametrize(
    "text",
    [
        MAKE + RUN.format("make", ""),
        MAKE + RUN.format("experiment_fn=make", "").replace("'model'", "output_dir='model'"),
        MAKE + "how = 'train_and_evaluate'\n" + RUN.format("make", ", schedule=how"),
        MAKE + RUN.format("lambda folder: make(folder)", ""),
        MAKE + "g = functools.partial(make, rate=1)\n" + RUN.format("g", ""),
        "def maker():\n    def make(output_dir):\n        return learn.Experiment(job, f, f)\n"
        "    return make\n" + RUN.format("maker()", ""),
        "class Task:\n    def make(self, output_dir):\n        return learn.Experiment(job, f, f)\n"
        "    def main(self):\n        " + RUN.format("self.make", ""),
        "def make(output_dir):\n    made = learn.Experiment(job, f, f)\n    return made\n"
        + RUN.format("make", ""),
    ],
)
def test_an_experiment_reaches_the_runner(text):
    result = flow(text)
    assert (result.reason, result.method) == ("", "train_and_evaluate")
    assert (len(result.experiments), len(result.runs)) == (1, 1)


def test_a_method_call_on_the_result_of_a_function_runs_it():
    result = flow(MAKE + "make('model').local_run()\n")
    assert (result.reason, result.method, len(result.other_methods)) == ("", "local_run", 1)


def test_a_return_type_is_no_other_use():
    result = flow(MAKE.replace("):", ") -> learn.Experiment:", 1) + RUN.format("make", ""))
    assert (result.reason, len(result.annotations)) == ("", 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (MAKE + "tune(make)\n", "make is passed on in line 4"),
        (MAKE + "isinstance(x, learn.Experiment)\n", "named in line 4, but not called"),
        (MAKE + RUN.format("other", ""), "the Experiment that runs in line 4 is not known"),
        (MAKE + RUN.format("make", ", schedule=FLAGS.how"), "knows its schedule, FLAGS.how"),
        (MAKE + RUN.format("make", ", *more"), "takes *args or **kwargs"),
        ("@cached\n" + MAKE + RUN.format("make", ""), "something other than a plain function"),
        (
            MAKE.replace("    return", "    if x:\n        return other\n    return")
            + RUN.format("make", ""),
            "the value in line 4 may not be an Experiment",
        ),
        (MAKE + "print(make('model').estimator.x)\n", "is not a call that runs an Experiment"),
    ],
)
def test_what_cannot_be_followed_has_a_reason(text, reason):
    assert reason in flow(text).reason


def test_a_function_of_a_module_may_have_other_users():
    result = flow(MAKE, is_shared=True)
    assert (result.reason, result.exported_functions) == (
        "another file may also use make",
        {"make": 1},
    )
