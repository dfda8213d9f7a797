"""A real Chromium, and pages opened in it that report what went wrong."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from benchmarks._browser import FLAGS, NAMES, find_chromium


@pytest.fixture(scope="session")
def browser():
    """Start Chromium once; skip without it, unless COTERIE_REQUIRE_BROWSER says to fail."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _give_up("Playwright is not installed: pip install playwright")
    found = find_chromium()
    if found is None:
        _give_up(f"no Chromium was found (looked for {', '.join(NAMES)})")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield running
        running.close()


def _give_up(reason):
    if os.environ.get("COTERIE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"COTERIE_REQUIRE_BROWSER=1, but {reason}", pytrace=False)
    pytest.skip(f"Tests in a browser are left out: {reason}")


@dataclass
class Opened:
    """A page, and everything it should not have done."""

    page: Any
    problems: list[str] = field(default_factory=list)


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens HTML from a file and listens for errors and requests."""
    contexts = []

    def open_html(html, width=1280, scheme="light", **options):
        path = tmp_path / f"report-{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
            **options,
        )
        contexts.append(context)
        opened = Opened(context.new_page())
        note = opened.problems.append
        opened.page.on("console", lambda said: note(f"console: {said.text}"))
        opened.page.on("pageerror", lambda error: note(f"error: {error}"))
        opened.page.on("dialog", lambda dialog: note(f"dialog: {dialog.message}"))
        opened.page.on("request", lambda request: _judge(request.url, path, note))
        opened.page.goto(path.as_uri())
        return opened

    yield open_html
    for context in contexts:
        context.close()


def _judge(url, path, note):
    if url != path.as_uri() and not url.startswith("data:"):
        note(f"request: {url}")
