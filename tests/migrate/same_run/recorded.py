"""Records programs of the tests."""

from migrate import same_run
from tests.migrate.rewrite import tools


def record(folder, *command, **options):
    env = {**tools.ENVIRONMENT, **options.pop("env", {})}
    return same_run.record(["python", *command], str(folder), env=env, **options)
