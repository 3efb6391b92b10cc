"""Rewrites the old programs of the recipes, runs them in one process, and writes figures as JSON.

    python -m tests.migrate.rewrite.run_recipes OUTPUT.json legacy [modern]

Nothing is patched: each program runs as `migrate rewrite` left it.
"""

import json
import os
import pathlib
import sys
import tempfile
import traceback

from migrate import recipes
from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.recipes import run_programs
from tests.migrate.rewrite import tools


def main(output, ways):
    texts = {name: rewritten(recipes.find(name).old, ways) for name in recipes.names()}
    found = {name: run(text) for name, text in texts.items()}
    pathlib.Path(output).write_text(json.dumps(found))


def rewritten(text, ways):
    for to in ways:
        plan = tools.plan(api="v1" if to == "legacy" else "v2", names=("tf.keras",))
        text = fixed_point.rewrite(text, rules.all_rules(to), plan=plan).text
    return text


def run(text):
    tf = sys.modules.get("tensorflow")
    if tf is not None:
        tf.compat.v1.reset_default_graph()
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = run_programs.load(text, folder).main(os.path.join(folder, "model"))
            found = {"figures": json.loads(json.dumps(figures))}
        except Exception:
            found = {"error": traceback.format_exc()}
    os.environ.clear()
    os.environ.update(environment)  # some programs set TF_CONFIG
    return found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
