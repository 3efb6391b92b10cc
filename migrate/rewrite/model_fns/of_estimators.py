"""The model_fn of an Estimator, where its file has it, as a Keras model.

found = read(file, job)
if isinstance(found, KerasModel):
    print(found.text())
"""

from __future__ import annotations

import ast

from migrate.rewrite import input_functions
from migrate.rewrite.carried_jobs import Job
from migrate.rewrite.model_fns import writing
from migrate.rewrite.model_fns.writing import KerasModel
from migrate.rewrite.source_file import SourceFile

_NOTES = "model_fns"


def read(file: SourceFile, job: Job) -> KerasModel | str:
    """Returns an Estimator's model_fn as a Keras model, or why there is none.

    Args:
      file: The file.
      job: The Estimator.
    """
    function = input_functions.function_of(file, job.given["model_fn"])
    if not isinstance(function, ast.FunctionDef) or file.parent(function) is not file.tree:
        return "its model_fn is not a function of this file"
    known = file.notes.setdefault(_NOTES, {})
    if function not in known:
        known[function] = writing.read(file, function)
    return known[function]
