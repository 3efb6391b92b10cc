"""Tests for hooks that are removed from several calls."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import shared_hooks
from tests.migrate.rewrite import tools

HOOK = "hook = LoggingTensorHook(['loss'], 10)\n"


def removed(text, hook="hook", **facts):
    """Returns a program without its hook. `hook` is the name of the hook, or of its list."""
    file = SourceFile(text, plan=tools.plan(api="v1", **facts))
    assigned = next(node for node in file.tree.body if ast_name(node) == hook).value
    hook_call = assigned if hook == "hook" else assigned.elts[0]
    for edit in sorted(shared_hooks.removal(file, hook_call), key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def ast_name(statement):
    return getattr(getattr(statement, "targets", [None])[0], "id", "")


@pytest.mark.parametrize(
    ("text", "hook", "expected"),
    [
        (
            f"{HOOK}job.train(data, hooks=[hook])\njob.evaluate(data, hooks=[other, hook])\n",
            "hook",
            "job.train(data)\njob.evaluate(data, hooks=[other])\n",
        ),
        (
            "hooks = [log(), other]\njob.train(data, hooks=hooks)\njob.train(data, hooks=hooks)\n",
            "hooks",
            "hooks = [other]\njob.train(data, hooks=hooks)\njob.train(data, hooks=hooks)\n",
        ),
        (
            "hooks = [log()]\ne.TrainSpec(data, hooks=hooks)\ne.EvalSpec(data, hooks=hooks)\n",
            "hooks",
            "e.TrainSpec(data)\ne.EvalSpec(data)\n",
        ),
    ],
)
def test_a_hook_goes_from_all_calls(text, hook, expected):
    assert removed(text, hook) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"{HOOK}job.train(data, hooks=[hook])\nsession(hooks=[hook])\n",
        f"{HOOK}job.train(data, hooks=[hook])\nprint(hook)\n",
        f"{HOOK}job.train(data, [hook])\njob.train(data, [hook])\n",
        f"{HOOK}job.train(data, hooks=[hook] + others)\n",
        f"{HOOK}hooks = [hook, hook]\njob.train(data, hooks=hooks)\n",
        f"{HOOK}hooks = [hook]\nhooks.append(other)\njob.train(data, hooks=hooks)\n",
    ],
)
def test_a_hook_with_other_uses_stays(text):
    assert removed(text) == text


def test_a_hook_that_other_files_may_use_stays():
    text = f"{HOOK}job.train(data, hooks=[hook])\njob.evaluate(data, hooks=[hook])\n"
    assert removed(text, is_shared=True) == text
