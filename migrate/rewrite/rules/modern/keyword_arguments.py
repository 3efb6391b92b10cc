"""Renames keyword arguments: keep_dims is keepdims, keep_prob is 1 - rate."""

from __future__ import annotations

from collections.abc import Iterator

from legacy.names import v1_only
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import modern_names

_REDUCE = {"keep_dims": "keepdims", "reduction_indices": "axis"}
# Not tf.arg_max and tf.arg_min, which accept only the old name.
_RENAMED: dict[str, dict[str, str]] = {
    "tf.argmax": {"dimension": "axis"},
    "tf.argmin": {"dimension": "axis"},
    "tf.count_nonzero": {**_REDUCE, "input_tensor": "input"},
    "tf.expand_dims": {"dim": "axis"},
    "tf.math.argmax": {"dimension": "axis"},
    "tf.nn.log_softmax": {"dim": "axis"},
    "tf.nn.softmax": {"dim": "axis"},
    "tf.nn.moments": {"keep_dims": "keepdims"},
    "tf.nn.l2_normalize": {"dim": "axis"},
    "tf.nn.weighted_moments": {"keep_dims": "keepdims"},
    "tf.squeeze": {"squeeze_dims": "axis"},
} | {
    f"tf.{module}reduce_{name}": _REDUCE
    for name in ["all", "any", "logsumexp", "max", "mean", "min", "prod", "sum"]
    for module in ("", "math.")
}
_DROPOUT = "tf.nn.dropout"


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        if match.call is None:
            continue
        if match.name == _DROPOUT:
            yield from _dropout(file, match)
            continue
        new_names = _RENAMED[match.name]
        names = {keyword.arg for keyword in match.call.keywords}
        for keyword in match.call.keywords:
            new = new_names.get(keyword.arg or "")
            if new and new not in names:
                start, end = file.span(keyword)
                text = file.text[start:end].replace(keyword.arg or "", new, 1)
                yield file.replacement(keyword, text)


def _dropout(file: SourceFile, match: Match) -> Iterator[Change]:
    """Rewrites tf.nn.dropout(x, keep_prob), because the rate is the share that is dropped."""
    call = match.call
    assert call is not None
    args = arguments.bind(call, ("x", "keep_prob", "noise_shape", "seed", "name"))
    if args is None:
        yield file.suggestion(call, "tf.nn.dropout is called with *args or **kwargs")
        return
    keep_prob = args.get("keep_prob")
    if keep_prob is None or "rate" in args or modern_names.is_constant(keep_prob, None):
        return
    editor = arguments.Arguments(file.segment(call))
    editor.name_positional(("x", "keep_prob", "noise_shape", "seed", "name"), start=1)
    editor.rename("keep_prob", "rate")
    editor.set_value("rate", f"1 - {modern_names.factor(file, keep_prob)}")
    yield file.replacement(call, editor.code)


RULE = Rule(
    __name__,
    _find,
    message="Arguments get their current names, and dropout takes the rate to drop instead of "
    "keep_prob.",
    source="https://www.tensorflow.org/guide/migrate/upgrade",
    symbols=(*_RENAMED, _DROPOUT, *sorted(v1_only.ARGUMENTS - {"colocate_gradients_with_ops"})),
    recipe="sessions_and_graphs",
)
