"""Tests for the recipe pages: each has all sections, and the names on it exist."""

import ast
import json
import pathlib
import re

import pytest

from legacy.reading import used_names as api_names
from migrate import __main__ as migrate_main
from migrate import recipes

ROOT = pathlib.Path(__file__).parents[3]
GUIDE = (
    *("canned_estimators", "custom_model_fn", "feature_columns", "metrics_and_optimizers"),
    *("checkpoints", "checkpoint_saver", "saved_model", "tensorboard", "logging_and_stop_hooks"),
    *("session_run_hook", "early_stopping", "evaluator", "fault_tolerance", "mirrored_strategy"),
    *("multi_worker_training", "tpu_embedding", "tflite", "correctness"),
)
BEYOND_THE_GUIDE = (
    *("exporters", "warm_start", "optimizer_slots", "tf_config", "synchronous_parameter_servers"),
    *("input_distribution", "throughput", "hparams", "input_functions", "flags_and_app"),
    *("layers_and_losses", "sessions_and_graphs"),
)
HEADINGS = ("Names", "What changes in meaning", "What stays", "What is compared", "What helps")
# Names of the pages under https://www.tensorflow.org/guide/migrate/.
GUIDE_PAGES = {
    *("canned_estimators", "checkpoint_saver", "early_stopping", "evaluator", "fault_tolerance"),
    *("logging_stop_hook", "metrics_optimizers", "migrating_checkpoints", "migrating_estimator"),
    *("migrating_feature_columns", "migration_debugging", "mirrored_strategy", "model_mapping"),
    *("multi_worker_cpu_gpu_training", "reuse_checkpoints", "saved_model", "tensorboard"),
    *("sessionrunhook_callback", "tf1_vs_tf2", "tflite", "tpu_embedding", "tpu_estimator"),
    *("upgrade", "validate_correctness"),
}
# Words that the warnings of a page must contain.
TRAPS = {
    "canned_estimators": ("loss_reduction=SUM", "0.05"),
    "checkpoint_saver": ("600 seconds", "save_freq"),
    "checkpoints": ("assert_consumed", "learning rate", "max_steps"),
    "correctness": ("seed", "dropout", "batch normalization"),
    "custom_model_fn": ("max_steps", "s / 2", "1e-7", "UPDATE_OPS", "32, 32 and 16"),
    "early_stopping": ("evaluations", "restore_best_weights"),
    "evaluator": ("100", "no part of the cluster"),
    "exporters": ("restart", "val_loss"),
    "fault_tolerance": ("data begin anew", "SIGTERM"),
    "feature_columns": ("order", "Unknown words", "truncated normal"),
    "flags_and_app": ("UnparsedFlagAccessError", "DuplicateFlagError", "exit code"),
    "hparams": ("JSON", "misspelt"),
    "input_distribution": ("FILE", "DATA", "OFF", "1 / N²"),
    "input_functions": ("repeat(2).batch(4)", "list_files"),
    "layers_and_losses": ("0.999", "keep_prob", "two thirds", "from_logits"),
    "logging_and_stop_hooks": ("mean of the epoch", "TerminateOnNaN"),
    "metrics_and_optimizers": ("1e-8", "1e-10", "mean of examples", "`rho=0.9`"),
    "mirrored_strategy": ("batch(8)", "global batch"),
    "multi_worker_training": ("Sharded twice", "Step N has used N", "linear rule"),
    "optimizer_slots": ("beta1_power", "minus the learning rate", "1.3e-5"),
    "saved_model": ("output_0", "training=False", "rename"),
    "session_run_hook": ("mean of the epoch", "stop_training"),
    "sessions_and_graphs": ("no order", "trace", "staircase"),
    "synchronous_parameter_servers": ("asynchronous", "replicas_to_aggregate", "no equal"),
    "tensorboard": ("package tensorboard", "mean of the epoch", "eval"),
    "tf_config": ("three trainers", "`master` is `chief`", "coordinat"),
    "tflite": ("toco", "ai-edge-litert", "resize_tensor_input"),
    "throughput": ("steps_per_execution", "examples per second"),
    "tpu_embedding": ("drop_remainder", "params[\"batch_size\"]"),
    "warm_start": ("global", "slots", "assert_existing_objects_matched"),
}  # fmt: skip
PARTS_OF_THE_TOOLKIT = ("scan", "rewrite", "cluster", *migrate_main._COMMANDS)

every = pytest.mark.parametrize("name", recipes.names())


def section(page, heading):
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def dotted_names(source, package):
    """Returns the full names of a package's symbols that a program uses, with aliases resolved."""
    tree, aliases, found = ast.parse(source), {}, set()

    def full(node):
        if isinstance(node, ast.Name):
            return aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{full(node.value)}.{node.attr}"
        return ""

    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            aliases.update({alias.name: f"{node.module}.{alias.name}" for alias in node.names})
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute):
            aliases.update(
                {t.id: full(node.value) for t in node.targets if isinstance(t, ast.Name)}
            )
        if isinstance(node, ast.Attribute):
            found.add(full(node))
    return {name for name in found if name.startswith(f"{package}.")}


def test_all_subjects_are_there():
    assert recipes.names() == sorted(GUIDE + BEYOND_THE_GUIDE) == sorted(TRAPS)


@every
def test_each_page_has_its_title_and_its_sections_in_order(name):
    page = recipes.find(name).page
    assert page.startswith("# ")
    assert re.findall("^## (.*)$", page, re.MULTILINE) == list(HEADINGS)
    assert all(section(page, heading).strip() for heading in HEADINGS)
    assert "## " not in recipes.find(name).title


@every
def test_pages_can_be_read_in_a_terminal(name):
    page = recipes.find(name).page
    assert max(map(len, page.splitlines())) <= 100
    assert page.endswith("\n")
    assert "\t" not in page


@every
def test_each_page_warns_of_its_traps(name):
    warned = " ".join(section(recipes.find(name).page, "What changes in meaning").split())
    page = " ".join(recipes.find(name).page.split())
    assert warned.count("- **") >= 4
    assert [trap for trap in TRAPS[name] if trap not in page] == []


@every
def test_old_names_are_those_of_the_old_program_and_new_ones_of_the_new(name):
    recipe = recipes.find(name)
    used = {
        "old": {use.name for use in api_names.uses_in(ast.parse(recipe.old), "old.py")},
        "new": dotted_names(recipe.new, "tf")
        | dotted_names(recipe.new, "tf_keras")
        | dotted_names(recipe.new, "absl"),
    }
    table = section(recipe.page, "Names").strip().split("\n\n")[0].splitlines()
    assert table[0] == "| old | new |"
    for row in table[2:]:
        _, old, new, _ = row.split("|")
        for side, cell in (("old", old), ("new", new)):
            named = re.findall(r"`((?:tf|tf_keras|absl)\.[\w.]+)`", cell)
            assert [api for api in named if api not in used[side]] == [], f"{side}: {row}"


@every
def test_links_lead_somewhere(name):
    page = recipes.find(name).page
    links = re.findall(r"https://\S+", page)
    assert len(links) >= 2
    for link in links:
        host_and_path = link.removeprefix("https://")
        assert host_and_path.startswith(
            ("www.tensorflow.org/", "docs.python.org/", "abseil.io/docs/")
        ), link
        if "/guide/migrate/" in link:
            assert link.rpartition("/")[2] in GUIDE_PAGES
    assert name not in GUIDE or any("/guide/migrate/" in link for link in links)


@every
def test_what_helps_exists(name):
    helps = section(recipes.find(name).page, "What helps")
    (line,) = re.findall(r"^Recipes: ([^.]*)\.", helps, re.MULTILINE)
    others = line.replace("\n", " ").split(", ")
    assert set(others) <= set(recipes.names()) - {name}
    page = recipes.find(name).page
    for path in re.findall(r"\b((?:modern|legacy|docs)/[\w/]+\.(?:py|md))\b", page):
        assert (ROOT / path).exists(), path
    for command in re.findall(r"`python -m migrate (\w+)", page):
        assert command in PARTS_OF_THE_TOOLKIT


# Whole packages. The scan recommends the public name instead.
NOT_ON_A_PAGE = {"tensorflow_estimator", "tensorflow_core", "tf._api", "tf.python.estimator"}


def names_in_code(page):
    """Returns the names between backquotes, and each part of the dotted ones."""
    found = set()
    for span in re.findall(r"`([^`]+)`", page):
        found |= set(re.findall(r"[\w.]+", span)) | set(re.findall(r"\w+", span))
    return found


ROWS = json.loads((ROOT / "migrate" / "scan" / "symbols.json").read_text())
BY_HAND = [row for row in ROWS if row["verdict"] == "by hand"]


@pytest.mark.parametrize("row", BY_HAND, ids=[row["names"][0] for row in BY_HAND])
def test_what_the_scan_leaves_to_a_person_is_on_the_page_that_it_names(row):
    told = names_in_code(recipes.find(row["recipe"]).page)
    asked = [name for name in row["names"] if name not in NOT_ON_A_PAGE]
    assert [name for name in asked if name.rpartition(".")[2] not in told] == []


def test_every_recipe_is_pointed_at_by_another():
    pages = {name: recipes.find(name).page for name in recipes.names()}
    for name in pages:
        others = "".join(page for other, page in pages.items() if other != name)
        assert re.search(rf"\b{name}\b", others), name


def test_the_documentation_lists_all():
    text = (ROOT / "docs" / "recipes.md").read_text()
    assert [name for name in recipes.names() if f"`{name}`" not in text] == []
