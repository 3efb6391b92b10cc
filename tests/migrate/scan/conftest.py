"""The plan of small programs."""

import textwrap

import pytest

from migrate.scan import jobs, scanner


@pytest.fixture
def plan(tmp_path):
    def plan(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        found = jobs.plan(scanner.scan_paths([str(tmp_path)], processes=1))
        return {job.path.removeprefix(f"{tmp_path}/"): job for job in found}

    return plan
