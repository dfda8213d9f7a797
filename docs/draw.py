"""Draws the pictures of these pages and of README.md from real fits: ``python docs/draw.py``.

``python docs/draw.py digits genes`` draws some of them. Those of digits and genes need the data
files (see the guides); the pictures of a report need Chromium.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import which

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image
from sklearn.metrics import roc_auc_score

from coterie import CompFSClassifier, CoterieClassifier
from coterie.datasets import fetch_metabric, fetch_mnist, make_syn
from coterie.model.thresholds import TopK
from coterie.plots import (
    GatePaths,
    plot_effect,
    plot_gate_paths,
    plot_importance,
    plot_network,
    plot_pixels,
    plot_screen,
)
from coterie.report import render_report

PICTURES = Path(__file__).parent / "pictures"
COLOURS = 96  # enough for these pictures, at a third of the size


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG."""
    path = PICTURES / f"{name}.png"
    figure.savefig(path, dpi=130, bbox_inches="tight", facecolor="white")
    plt.close(figure)
    shrink(path)


def shrink(path: Path) -> None:
    """Keep few colours of a PNG."""
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


@cache
def pairs() -> tuple:
    """Return the task of ``coterie demo``, and Coterie fitted on it."""
    task = make_syn(rule=2, n_samples=5000, n_features=100, random_state=0)
    return task, CoterieClassifier(random_state=0).fit(task.data, task.target)


def draw_answer() -> None:
    """Draw what README.md shows: the groups, and what each does."""
    task, model = pairs()
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.3), layout="constrained")
    plot_network(model, ax=axes[0]).set_title("2 groups among 100 features", fontsize=10)
    for group, ax in enumerate(axes[1:]):
        plot_effect(model, group, task.data, ax=ax).set_title(f"Group {group + 1}", fontsize=10)
    save(figure, "answer")


def draw_idea() -> None:
    """Draw the same rows by one feature, and by two."""
    task, _ = pairs()
    x, y = task.data[:, :2], task.target
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.2), layout="constrained")
    edges = np.linspace(-2, 2, 17)
    bins = np.digitize(x[:, 0], edges)
    shares = [y[bins == b].mean() for b in range(1, len(edges))]
    axes[0].plot((edges[:-1] + edges[1:]) / 2, shares, "o-", color="#0072B2")
    axes[0].set(xlabel="x0", ylabel="share of rows with y = 1", ylim=(0, 1))
    axes[0].set_title("By itself, x0 says little", fontsize=10)
    for label, colour in ((0, "#BBBBBB"), (1, "#D55E00")):
        axes[1].scatter(*x[y == label].T, s=3, color=colour, label=f"y = {label}")
    axes[1].set(xlabel="x0", ylabel="x1", xlim=(-2.5, 2.5), ylim=(-2.5, 2.5), aspect="equal")
    axes[1].set_title("With x1 it says a lot", fontsize=10)
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, markerscale=4)
    save(figure, "idea")


def draw_screen() -> None:
    """Draw the scores before any model was trained."""
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    plot_screen(pairs()[1], top=10, ax=ax)
    save(figure, "screen")


def draw_importance() -> None:
    """Draw the strengths of the groups."""
    figure, ax = plt.subplots(figsize=(6.4, 1.8))
    plot_importance(pairs()[1], ax=ax)
    save(figure, "importance")


def draw_gates() -> None:
    """Draw how the gates of the paper's method open and shut, at the paper's settings."""
    task = make_syn(rule=2, random_state=0)
    gates = GatePaths()
    model = CompFSClassifier(random_state=0, callbacks=[gates]).fit(task.data, task.target)
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    plot_gate_paths(gates.of(model), threshold=0.7, ax=ax)
    save(figure, "gates")


def draw_digits() -> None:
    """Draw the pixels that tell 3 from 8, as the paper's method groups them."""
    digits = fetch_mnist(subset="train")
    chosen = np.flatnonzero(np.isin(digits.target, [3, 8]))
    X, y = digits.data[chosen], digits.target[chosen]
    model = CompFSClassifier(n_groups=4, threshold=TopK(15), random_state=0).fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(7, 3.5), layout="constrained")
    for digit, ax in zip((3, 8), axes, strict=True):
        plot_pixels(model, background=X[y == digit].mean(axis=0), ax=ax)
        ax.set_title(f"on the mean {digit}", fontsize=10)
    save(figure, "digits")


def draw_genes() -> None:
    """Draw the genes that tell the status of the progesterone receptor."""
    patients = fetch_metabric(subset="train", as_frame=True)
    model = CoterieClassifier(max_features=25, effort="fast", random_state=0)
    model.fit(patients.data, patients.target)
    figure, ax = plt.subplots(figsize=(6.4, 0.9 + 0.3 * len(model.groups_)))
    plot_importance(model, ax=ax)
    fresh = fetch_metabric(subset="test", as_frame=True)
    area = roc_auc_score(fresh.target, model.predict_proba(fresh.data)[:, 1])
    title = f"{len(model.groups_)} of 489 genes; AUROC {area:.3f} on {len(fresh.target)} patients"
    ax.set_title(title, fontsize=10, loc="left", pad=22)
    save(figure, "genes")


def draw_report() -> None:
    """Take pictures of the report, as a browser shows it."""
    _, model = pairs()
    browser = which("chromium") or which("chromium-browser") or which("google-chrome")
    if browser is None:
        raise SystemExit("The pictures of the report need Chromium: none was found.")
    fresh = make_syn(rule=2, n_samples=1000, n_features=100, random_state=1)
    page = render_report(model, fresh.data, fresh.target, title="What acts together")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(page, encoding="utf-8")
        picture = PICTURES / "report.png"
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        size = ["--window-size=1180,1250", "--virtual-time-budget=4000"]
        subprocess.run(
            [browser, *flags, *size, f"--screenshot={picture}", file.as_uri()],
            check=True,
            capture_output=True,
        )
    shrink(picture)


DRAWN: dict[str, Callable[[], None]] = {
    name.removeprefix("draw_"): function
    for name, function in list(globals().items())
    if name.startswith("draw_")
}

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or DRAWN:
        DRAWN[name]()
