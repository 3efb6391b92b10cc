"""The four kinds: their old programs, params, and flags of the conversion."""

from typing import Any, NamedTuple

BACKENDS = ("tensorflow", "jax", "torch")
BEFORE, AFTER = 5, 10  # Steps before and after the conversion.


class Kind(NamedTuple):
    """An old program and its conversion.

    Attributes:
      program: Name of the module `tests.migrate.programs.legacy_NAME`.
      params: Params that differ from those of the program. Without dropout.
      flags: Flags of `migrate checkpoint convert` beside --keras=3, --model and --output.
    """

    program: str
    params: dict[str, Any]
    flags: tuple[str, ...] = ()


KINDS = {
    # The rate changes within the ten steps.
    "resnet": Kind("resnet", {"boundaries": [8, 40], "learning_rates": [0.1, 0.01, 0.001]}),
    # One-hot as on TPUs, because tf.clip_by_global_norm takes the norm of each row of a lookup.
    "bert": Kind(
        "bert_encoder",
        {"dropout_prob": 0.0, "use_one_hot_embeddings": True},
        ("--slot=adam_m=m", "--slot=adam_v=v"),
    ),
    "wide_deep": Kind("wide_deep_columns", {}),
    # No clipping, for the same reason.
    "lstm": Kind("lstm_text", {"keep_prob": 1.0, "clip_norm": 1e9}),
}


def conversion(folder, kind, *flags):
    """Returns the arguments of `migrate checkpoint convert` for a kind.

    Args:
      folder: Folder of the Estimators and of the output.
      kind: A key of `KINDS`.
      *flags: Further flags.
    """
    model = f"tests.migrate.checkpoint.four_kinds.{kind}:build_model"
    files = [f"{folder}/{kind}/model.ckpt-{BEFORE}", f"--output={folder}/{kind}.weights.h5"]
    return [*files, f"--model={model}", "--keras=3", "--overwrite", *KINDS[kind].flags, *flags]
