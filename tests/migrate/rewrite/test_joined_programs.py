"""Tests on programs that are joined, wrapped or cut into cells, unlike those of the corpus."""

import ast
import json
import random
import subprocess
import sys
import textwrap

from migrate.__main__ import main
from tests.migrate.rewrite import tools

COUNT = 60
FOLDERS = ("tests/migrate/corpus", "tests/migrate/programs", "migrate/recipes", "legacy/jobs")


def _programs():
    """Returns the old programs here, with `__future__` imports in a form that may come late."""
    paths = sorted(path for folder in FOLDERS for path in (tools.ROOT / folder).rglob("*.py"))
    texts = [path.read_text() for path in paths]
    texts = [text for text in texts if "tensorflow" in text and text.count("\n") < 500]
    return [text.replace("from __future__ import ", "import __future__ as ") for text in texts]


def _indented(text):
    return textwrap.indent(text, "    ", lambda line: True)


def _cells(text):
    """Returns a notebook with one top-level statement of the program per cell."""
    lines = text.splitlines(keepends=True)
    starts = [
        min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) - 1
        for node in ast.parse(text).body
    ]
    cuts = sorted({0, *starts, len(lines)})
    cells = [
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}],
            "source": ["%matplotlib inline\n", *lines[start:end]],
        }
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})


FORMS = {
    "behind.py": lambda one, other: one + other,
    "twice.py": lambda one, other: one + one,
    "functions.py": lambda one, other: (
        f"def first():\n{_indented(one)}\ndef second():\n{_indented(other)}\n"
    ),
    "method.py": lambda one, other: f"class Job:\n  def run(self):\n{_indented(one)}\n{other}",
    "tried.py": lambda one, other: (
        f"try:\n{_indented(one)}\nexcept ImportError:\n{_indented(other)}\n"
    ),
    "main.py": lambda one, other: f"if __name__ == '__main__':\n{_indented(one)}\n",
    "windows.py": lambda one, other: one.replace("\n", "\r\n"),
    "notebook.ipynb": lambda one, other: _cells(one + other),
}


def _write(folder):
    """Writes joined programs, each to its own sub-folder, and returns the paths."""
    chosen = random.Random(5)
    programs = _programs()
    paths = []
    for i in range(COUNT):
        name = list(FORMS)[i % len(FORMS)]
        text = FORMS[name](*chosen.sample(programs, 2))
        paths.append(folder / str(i) / name)
        paths[-1].parent.mkdir(parents=True)
        paths[-1].write_text(text, newline="")
    return paths


def _undefined(folder):
    """Returns the undefined names in a folder, as (file, message)."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", "--no-cache"]
        + ["--output-format=json", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    return {(one["filename"], one["message"]) for one in json.loads(done.stdout)}


def test_joined_programs_are_rewritten_whole_and_once(tmp_path, capsys):
    paths = _write(tmp_path)
    # Names may be undefined before the rewrite. The rewrite must not add any.
    undefined = _undefined(tmp_path)
    for to in ("legacy", "modern"):
        command = ["rewrite", f"--to={to}", "--unsafe"]
        assert main([*command, "--write", str(tmp_path)]) == 0, capsys.readouterr().out
        assert _undefined(tmp_path) <= undefined
        capsys.readouterr()
        assert main([*command, "--check", str(tmp_path)]) == 0, capsys.readouterr().out
        for path in paths:
            if path.name == "windows.py":
                assert b"\n" not in path.read_bytes().replace(b"\r\n", b""), path


def test_undefined_names_are_seen(tmp_path):
    (tmp_path / "late.py").write_text("x = tf.zeros([1])\nimport tensorflow as tf\n")
    assert [message for _, message in _undefined(tmp_path)] == ["Undefined name `tf`"]
