"""Tests of `benchmarks.reporting.report_html`, which renders a report as a self-contained page."""

import html
import html.parser
import re
import shutil
import subprocess

import pytest

from benchmarks.reporting import report, report_html
from tests.benchmarks import comparison

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000"),
)


@pytest.fixture(scope="module", params=[None, "shifted_labels"])
def page(request):
    return report_html.render(comparison.report_of(defect=request.param, notes=["A note."]))


class _Page(html.parser.HTMLParser):
    """Collects the tags of a page, and checks that they are properly nested."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_is_well_formed_and_says_its_language(page):
    tags = _Page(page).tags
    assert ("html", {"lang": "en"}) in tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    labelled = [attrs["aria-labelledby"] for _, attrs in tags if "aria-labelledby" in attrs]
    assert set(labelled) <= set(ids)


def test_nothing_is_loaded_from_outside(page):
    for tag, attrs in _Page(page).tags:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "href", "srcset", "xlink:href"} & attrs.keys()
        assert not any(name.startswith("on") for name in attrs)
    assert "@import" not in page
    assert "url(" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "default-src 'none'" in page


def test_pictures_have_a_text(page):
    for tag, attrs in _Page(page).tags:
        if tag == "svg" or attrs.get("role") == "img":
            assert attrs["aria-label"]


def test_verdict_is_in_words_with_its_numbers():
    good, bad = (
        report_html.render(comparison.report_of(defect=d)) for d in (None, "shifted_labels")
    )
    assert "<title>mnist_cnn on digits: equivalent</title>" in good
    assert "Equivalent: all 16 checks show it." in good
    assert "16 of 16" in good
    assert "<title>mnist_cnn on digits: different</title>" in bad
    top = bad[: bad.index('id="throughput"')]
    assert "Different: 2 of 16 checks show a difference." in top
    assert "evaluation loss" in top
    assert "legacy against single" in top


def test_every_part_is_there(page):
    whole = comparison.report_of()
    for name in whole["ways"]:
        assert name in page
    for check in whole["equivalence"]["checks"]:
        assert html.escape(check["name"]) in page
    for words in ("ps-0", "evaluator-0", "per parameter byte", comparison.COMMAND, "2.21.0"):
        assert words in page
    assert page.count("<svg") == len(whole["ways"]) - 1


def test_texts_of_the_report_are_escaped():
    evil = "<script>alert('x')</script>"
    text = report_html.render(comparison.report_of(notes=[evil], command=evil))
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 2


def test_unknown_way_gets_a_colour_of_its_own():
    runs = {"single": [comparison.result("single")], "a way": [comparison.result()]}
    text = report_html.render(report.build("j", "d", runs, [], command="c"))
    assert "c-other" in text
    assert "c-a way" not in text


def test_poor_report_makes_a_page_all_the_same():
    """A report without single, checks, curves and accuracy, and with a NaN loss, makes a page."""
    runs = {"legacy": [comparison.result(eval={"loss": float("nan")}, loss_curve=[])]}
    text = report_html.render(report.build("j", "d", runs, [], command="c"))
    _Page(text)
    assert "Inconclusive: no check was made." in text
    assert "No run left a loss curve." in text
    assert "has no speed of <code>single</code>" in text


@pytest.mark.parametrize("short", [("legacy",), tuple(comparison.TASKS)])
def test_ways_without_a_speed_have_no_bar(short):
    results = comparison.too_short(*short)
    text = report_html.render(report.build("j", "d", results, [], command="c"))
    _Page(text)
    assert text.count('<div class="fill"') == len(results) - len(short)


def test_write_leaves_one_file(tmp_path):
    path = report_html.write(comparison.report_of(), tmp_path / "report.html")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_colours_stand_out_from_their_ground(page):
    """Text has a contrast of 4.5 to 1 (WCAG AA) in the light and in the dark scheme."""
    for block in re.findall(r":root \{(.*?)\}", page, re.DOTALL):
        colours = dict(re.findall(r"--([a-z_-]+): (#[0-9a-f]{6})", block))
        ways = ("single", "mirrored", "legacy", "parameter_server", "multi_worker_mirrored")
        pairs = [(name, "card") for name in ("ink", "soft", "good", "bad", "other", *ways)]
        pairs += [("soft", "page"), ("good", "good-back"), ("bad", "bad-back")]
        for front, back in pairs:
            light, dark = sorted(map(_luminance, (colours[front], colours[back])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (front, back)


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(p * weight for p, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))


def _browse(tmp_path, text):
    """Opens a page in headless Chromium, and returns the document and the console messages."""
    path = tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    command = (CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom")
    done = subprocess.run(
        (*command, path.as_uri()), capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def _measure(tmp_path, text, width):
    """Returns scroll width, client width and height of a page in a frame of `width` pixels."""
    frame = f'<iframe width={width} height=900 style="border:0" srcdoc="{html.escape(text)}">'
    script = """<script>addEventListener("load", () => {
        const root = document.querySelector("iframe").contentDocument.documentElement;
        document.title = root.scrollWidth + " " + root.clientWidth + " " + root.scrollHeight;
    })</script>"""
    dom, logged = _browse(tmp_path, f"<!DOCTYPE html>{script}<body>{frame}</iframe>")
    assert not logged
    found = re.search(r"<title>(\d+) (\d+) (\d+)</title>", dom)
    assert found, dom[:500]
    return tuple(map(int, found.groups()))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium in PATH to show the page in")
class TestBrowser:
    def test_no_console_message(self, tmp_path, page):
        dom, logged = _browse(tmp_path, page)
        assert "checks" in dom
        assert not logged

    def test_console_messages_would_be_seen(self, tmp_path, page):
        planted = page.replace("</body>", '<img src="https://example.org/x.png"></body>')
        assert _browse(tmp_path, planted)[1]

    @pytest.mark.parametrize("width", [400, 1280])
    def test_does_not_scroll_sideways(self, tmp_path, page, width):
        scrolled, client, height = _measure(tmp_path, page, width)
        assert client == width
        assert scrolled <= width
        assert height > 1000

    def test_too_wide_a_page_would_be_seen(self, tmp_path, page):
        planted = page.replace("<footer>", '<footer><div style="width: 500px">.</div>')
        assert _measure(tmp_path, planted, 400)[0] > 400
