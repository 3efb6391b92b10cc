"""HTML pages from Jinja templates. Every text is escaped.

    page = html_pages.rendered("migrate/scan/report.html.j2", {"report": report})

The reports of the scan, of `verify`, of `port` and of the benchmarks are such pages.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

import jinja2


def rendered(
    template: str | os.PathLike[str],
    content: Mapping[str, Any],
    filters: Mapping[str, Callable[..., str]] | None = None,
) -> str:
    """Returns the page that a template makes of its content.

    Args:
      template: Path of the template.
      content: Values of the template's variables. A variable without a value is an error.
      filters: The template's own filters, by name.
    """
    template = pathlib.Path(template)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template.parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters or {})
    return environment.get_template(template.name).render(content)
