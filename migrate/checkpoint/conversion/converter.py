"""Converts one kind of checkpoint to another.

conversion = convert("/models/1", "/models/keras/ckpt-0", model="package.module:build_model")
conversion.files, conversion.plan.notes
"""

from __future__ import annotations

import contextlib
import dataclasses
import os

from migrate.checkpoint.cells import layout_view
from migrate.checkpoint.conversion import models, partial_files, plans, targets
from migrate.checkpoint.conversion.plans import Options, Plan
from migrate.checkpoint.formats import sources
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming.mapping import TensorMap
from modern.process import cli, files

_MOST = 20  # Largest number of problems that a message lists.


@dataclasses.dataclass(frozen=True)
class Conversion:
    """Result of a conversion.

    Attributes:
      plan: Plan of the conversion, with the source of each tensor.
      kind: Kind of the target.
      files: Written files.
    """

    plan: Plan
    kind: str
    files: list[str]


def convert(
    source: str,
    output: str,
    like: str | None = None,
    model: str | models.Model | None = None,
    kind: str | None = None,
    given: TensorMap | None = None,
    options: Options | None = None,
    overwrite: bool = False,
) -> Conversion:
    """Converts a checkpoint. Writes all of it or nothing.

    Args:
      source: Checkpoint of any kind: a prefix, a folder, a file.
      output: Prefix, file (`.weights.h5`, `.keras`, `.h5`) or folder of a SavedModel.
      like: Checkpoint of the new program, which provides names, structure and kept values.
      model: Reference "package.module:build_model" of the new program, if no checkpoint of it
        exists. A `models.Model` also has params and an input. With `like` or the kind "name-based",
        it is the model of a `.weights.h5` file `source`, whose optimizer has only numbers.
      kind: Kind of the target as in `targets.KINDS`, if the end of `output` and `like` leave it
        open.
      given: Settled pairs of variables. The others are proposed.
      options: Options of the user.
      overwrite: If true, replaces an existing `output`.

    Returns:
      The result of the conversion.

    Raises:
      cli.UsageError: A tensor is unmatched, does not fit or is damaged. The message lists all
        problems. Nothing was written.
    """
    # Imports TensorFlow and h5py, which other functions of this module do not need.
    from migrate.checkpoint.conversion import writers
    from migrate.checkpoint.formats import hdf5

    files.check_scheme(output)
    if targets.kind_of(output):
        hdf5.check_local(output)
    options = options or Options()
    model = models.Model(model) if isinstance(model, str) else model
    template: Source | None = None
    with contextlib.ExitStack() as stack:
        if model and (like or kind == "name-based"):
            original = stack.enter_context(models.open_numbered(model, source))
        else:
            original = stack.enter_context(sources.open_source(source))
        if like:
            template = stack.enter_context(sources.open_source(like))
        elif model and kind != "name-based":
            place = stack.enter_context(partial_files.Partial(output.rstrip("/") + ".template"))
            template_kind = kind or targets.kind_of(output) or "object-based"
            template = stack.enter_context(models.template(model, template_kind, place.folder))
        kind = _kind(output, kind, template)
        writers.check_output(output, kind, overwrite)
        if template:
            tensors, convention = template.stored, template.convention
        else:
            pairs = _named_pairs(original, given, options)
            tensors = targets.name_based_tensors(original, pairs, options.weights_only)
            convention = "v1"
            given = TensorMap(pairs=pairs, left_out=given.left_out if given else ())
        view = layout_view.View(original)
        if template:
            view = layout_view.like(
                template,
                original,
                given,
                options.forget_bias,
                has_slots=not options.weights_only,
                excluded=plans.excluded(original.stored, tensors, given, options),
            )
        plan = plans.make(view, tensors, convention, given, options)
        plan.problems[:0] = view.problems
        plan.notes += view.notes
        if plan.problems:
            raise cli.UsageError(_problem_message(plan.problems))
        paths = writers.write(plan.moves, view, template, output, kind)
        plan.notes.extend(_other_latest(output, kind))
    return Conversion(plan, kind, paths)


def _other_latest(output: str, kind: str) -> list[str]:
    """Returns a note if the folder's existing `checkpoint` file names another latest checkpoint."""
    import tensorflow as tf

    if kind not in ("name-based", "object-based"):
        return []
    folder, name = os.path.split(files.absolute(output))
    state = tf.train.get_checkpoint_state(folder)
    latest = os.path.basename(state.model_checkpoint_path) if state else name
    if latest == name:
        return []
    return [f"{folder}/checkpoint goes on naming {latest} as the latest: it was there before."]


def _kind(output: str, requested_kind: str | None, template: Source | None) -> str:
    """Returns the kind of the target. The output's name, the template and --kind must agree."""
    of_name = targets.kind_of(output)
    of_template = template.kind.removesuffix(" V1") if template else "name-based"
    kind = requested_kind or of_name or of_template
    for other_kind in (of_name, of_template):
        if other_kind and other_kind != kind:
            raise cli.UsageError(
                f"--output={output} would be {kind}, but "
                + (
                    f"the template is {of_template}: give a template of the same kind."
                    if template
                    else "without --like or --model only name-based checkpoints can be written."
                )
            )
    if kind in ("name-based", "object-based") and os.path.basename(output) == "":
        raise cli.UsageError(f"--output={output} must be a prefix such as {output}model.ckpt-0.")
    return kind


def _named_pairs(source: Source, settled_map: TensorMap | None, options: Options) -> dict[str, str]:
    """Returns the names of a target without a template: those of the map, or the same names."""
    names = [v.name for v in plans.variables(source.stored, options.leave_out)]
    if settled_map is None:
        return {name: name for name in names}
    missing = [
        name for name in names if name not in settled_map.pairs and name not in settled_map.left_out
    ]
    if missing:
        raise cli.UsageError(
            f"the map names nothing for {', '.join(missing[:5])}"
            + (f" and {len(missing) - 5} more" if missing[5:] else "")
            + ": without --like or --model it must name every variable."
        )
    return dict(settled_map.pairs)


def _problem_message(problems: list[str]) -> str:
    first = problems[:_MOST]
    rest = [f"and {len(problems) - _MOST} more."] if problems[_MOST:] else []
    if len(problems) == 1:
        return f"nothing was written: {problems[0]}"
    return "nothing was written:\n" + "\n".join(f"  - {text}" for text in [*first, *rest])
