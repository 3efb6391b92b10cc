"""Runs of the command."""

import json

from migrate.cluster import command


def run(capsys, *argv, code=0):
    assert command.main(argv) == code
    return capsys.readouterr()


def as_json(capsys, *argv, code=0):
    return json.loads(run(capsys, *argv, "--format=json", code=code).out)
