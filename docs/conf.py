"""How Sphinx builds these pages: ``make docs``."""

from importlib.metadata import version as version_of
from pathlib import Path

import ziamath
from docutils.nodes import Element, SkipNode
from latex2mathml.converter import convert
from sphinx.application import Sphinx

project = "Coterie"
author = "the authors of Coterie"
project_copyright = author
version = release = version_of("coterie")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_default_options = {"exclude-members": "score,set_fit_request,set_score_request"}
autodoc_typehints = "none"  # numpydoc says the types
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False

copybutton_exclude = ".linenos, .gp, .go"
html_theme = "furo"
html_title = "Coterie"
html_static_path = ["_static", str(Path(ziamath.__file__).parent / "fonts")]  # for formulas
html_css_files = ["coterie.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "github-dark"


def write_math(translator: object, node: Element) -> None:
    """Write a formula as MathML, which browsers draw by themselves: no script, no download."""
    display = "block" if node.tagname == "math_block" else "inline"
    formula = convert(node.astext(), display=display)
    if display == "block":
        formula = f'<div class="math" id="{"".join(node["ids"])}">{formula}</div>'
    translator.body.append(formula)  # type: ignore[attr-defined]
    raise SkipNode


def setup(app: Sphinx) -> None:
    """Let Sphinx write formulas so."""
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
