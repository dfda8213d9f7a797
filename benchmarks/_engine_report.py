"""From the timings of ``benchmarks.engine`` to ratios, GFLOP/s and a page."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

from benchmarks._common import describe, markdown_table

PAPER_EPOCHS = 35
N_LEARNERS, HIDDEN, N_CLASSES = 5, 20, 2
NOISES = {"sample": "a draw per sample", "batch": "a draw per batch"}
STARTS = ("cold", "warm")
AIMS = {"sample": 20, "batch": 35}
AIM_SEEDS = 0.5
QUIET = 0.05
"""Share of the cores that others may use while times are taken."""

FLOP_FORMULA = """\
Operations are those of the matrix products, 2 m k n for (m, k) by (k, n). A step of B rows, with N
learners, p columns, width h and c classes:

- first layer: forward 2 B N p h, gradient of its weights 2 B N p h and, with a draw per sample,
  gradient of the gated rows 2 B N p h (shared gates take theirs from the gradient of the weights);
- second layer: forward, gradients of weights and inputs, 6 B N h h;
- heads: of the ensemble, forward, weights and inputs, 6 B N h c; of the learners, forward and
  weights, 4 B N h c (their gradient stops there).

Padding, gates, losses and Adam are not counted."""

Run = dict[str, Any]


def matrix_flops(gate_noise: str, n_rows: int, n_features: int) -> int:
    """Count the operations of the steps that take so many rows; see ``FLOP_FORMULA``."""
    first = {"sample": 6, "batch": 4}[gate_noise] * n_features * HIDDEN
    second = 6 * HIDDEN**2
    heads = (6 + 4) * HIDDEN * N_CLASSES
    return n_rows * N_LEARNERS * (first + second + heads)


def epoch_seconds(run: Run) -> float:
    """Return the median time from the end of an epoch to the end of the next."""
    return median(later - sooner for sooner, later in pairwise(run["epoch_ends"]))


def import_seconds(run: Run) -> float:
    """Return what a fresh process spends on imports."""
    return float(run["import_seconds"])


def set_up_seconds(run: Run) -> float:
    """Return what a fit spends on all but epochs: compilation, set-up, reading off the groups."""
    return float(run["fit_seconds"] - len(run["epoch_ends"]) * epoch_seconds(run))


def whole_fit_seconds(run: Run) -> float:
    """Return the time of a fit of 35 epochs, extrapolated if fewer were run."""
    missing = PAPER_EPOCHS - len(run["epoch_ends"])
    return float(run["fit_seconds"] + missing * epoch_seconds(run))


def process_seconds(run: Run) -> float:
    """Return the time of imports and a whole fit."""
    return import_seconds(run) + whole_fit_seconds(run)


MEASURES = (epoch_seconds, import_seconds, set_up_seconds, whole_fit_seconds, process_seconds)
COMPARED = ("epoch_seconds", "whole_fit_seconds", "process_seconds")


def summarise(runs: list[Run], n_rows: int, n_features: int) -> dict[str, Any]:
    """Take each engine's best round, and ratios to the authors' package at its best.

    Others on the machine only ever add time, and not to all engines alike.
    """
    peak = max(run["peak_gflops"] for run in runs if run["name"] == "peak")
    threads = sorted({run["threads"] for run in runs if run["name"] == "authors"})
    by_threads = {count: _best([r for r in runs if r.get("threads") == count]) for count in threads}
    authors = min(by_threads.values(), key=lambda fit: fit["whole_fit_seconds"])
    summary: dict[str, Any] = {
        "peak_gflops": peak,
        "authors": authors,
        "authors_by_threads": by_threads,
        "others_share": max((run["others_share"] or 0.0) for run in runs),
    }
    for noise in NOISES:
        fits = {
            start: _best([r for r in runs if r["name"] == noise and r["cache"] == start])
            for start in STARTS
        }
        gflop = matrix_flops(noise, n_rows, n_features) / 1e9
        reached = gflop / fits["warm"]["epoch_seconds"]
        summary[noise] = {
            **fits,
            "times_faster": {
                start: {name: authors[name] / fit[name] for name in COMPARED}
                for start, fit in fits.items()
            },
            "gflop_an_epoch": gflop,
            "gflops": reached,
            "share_of_peak": reached / peak,
            "seeds": _seeds([run for run in runs if run["name"] == f"seeds-{noise}"]),
        }
    return summary


def _best(runs: list[Run]) -> dict[str, float]:
    best = min(runs, key=whole_fit_seconds)
    values = {measure.__name__: measure(best) for measure in MEASURES}
    return {**values, "peak_memory_mb": max(run["peak_memory_mb"] for run in runs)}


def _seeds(runs: list[Run]) -> dict[str, Any]:
    single = min(run["single_seconds"] for run in runs)
    together = min(run["together_seconds"] for run in runs)
    return {
        "single_seconds": single,
        "together_seconds": together,
        "share": together / single,
        "same_groups": all(run["same_groups"] for run in runs),
        "together_memory_mb": max(run["together_memory_mb"] for run in runs),
    }


def report(content: dict[str, Any]) -> str:
    """Write the page."""
    summary, settings = content["summary"], content["settings"]
    tables = (
        _times_table(summary),
        _ratios_table(summary),
        _arithmetic_table(summary),
        _seeds_table(summary, settings),
        _groups_table(content["runs"]),
        FLOP_FORMULA,
    )
    return "\n\n".join([*_preface(content), *tables]) + "\n"


def _preface(content: dict[str, Any]) -> list[str]:
    settings = content["settings"]
    extrapolated = (
        f" ONLY {settings['epochs']} EPOCHS WERE RUN: whole fits are extrapolated."
        if settings["epochs"] != PAPER_EPOCHS
        else ""
    )
    return [
        "# A fit of Syn2 by the authors' package and by this one",
        f"`{content['command']}`",
        f"{describe(content['machine'])}; {describe(content['versions'])}.",
        f"{settings['rows']} rows, {settings['features']} columns, the paper's settings, "
        f"threads: {settings['threads']}; the best of {settings['repeats']} rounds, in each of "
        f"which every fit had its turn and a process of its own.{extrapolated}",
        _disturbance(content["summary"]["others_share"]),
        "Set-up is what a fit spends on all but epochs: compiling (cold cache) or reading what was "
        "compiled (warm), moving data, reading off the groups. A whole fit is set-up and "
        f"{PAPER_EPOCHS} epochs; with imports it is what a fresh process takes. The authors' "
        "package is given its data set ready-made; ratios are to the faster of its thread counts.",
    ]


def _disturbance(others_share: float) -> str:
    """Say whether the numbers can be trusted."""
    used = f"During the measurements other processes used up to {others_share:.0%} of the cores."
    if others_share <= QUIET:
        return used
    return f"**DISTURBED, NOT TO BE QUOTED.** {used} Repeat it on a quiet machine."


def _times_table(summary: dict[str, Any]) -> str:
    header = ["engine", "s an epoch", "imports, s", "set-up, s", "whole fit, s", "with imports, s"]
    rows = [
        [f"authors' package, threads: {count}", *_times(fit)]
        for count, fit in summary["authors_by_threads"].items()
    ]
    rows += [
        [f"ours, {words}, {start} cache", *_times(summary[noise][start])]
        for noise, words in NOISES.items()
        for start in STARTS
    ]
    return markdown_table([*header, "peak MB"], rows)


def _times(fit: dict[str, float]) -> list[str]:
    epoch, *others = (fit[measure.__name__] for measure in MEASURES)
    return [f"{epoch:.4f}", *(f"{value:.2f}" for value in others), f"{fit['peak_memory_mb']:.0f}"]


def _ratios_table(summary: dict[str, Any]) -> str:
    rows = [
        [
            f"ours, {words}, {start} cache",
            *(f"{summary[noise]['times_faster'][start][name]:.1f}" for name in COMPARED),
            AIMS[noise],
        ]
        for noise, words in NOISES.items()
        for start in STARTS
    ]
    header = ["times faster than the authors' package", "epochs", "whole fit", "with imports"]
    return markdown_table([*header, "aim, whole fit"], rows)


def _arithmetic_table(summary: dict[str, Any]) -> str:
    rows = [
        [
            f"ours, {words}",
            f"{summary[noise]['gflop_an_epoch']:.2f}",
            f"{summary[noise]['gflops']:.1f}",
            f"{summary[noise]['share_of_peak']:.0%}",
        ]
        for noise, words in NOISES.items()
    ]
    peak = f"share of numpy's {summary['peak_gflops']:.0f} GFLOP/s in this run"
    return markdown_table(["engine", "GFLOP an epoch", "GFLOP/s", peak], rows)


def _seeds_table(summary: dict[str, Any], settings: dict[str, Any]) -> str:
    rows = []
    for noise, words in NOISES.items():
        seeds = summary[noise]["seeds"]
        row = [words, f"{seeds['single_seconds']:.2f}", f"{seeds['together_seconds']:.2f}"]
        row += [f"{seeds['share']:.2f}", str(AIM_SEEDS)]
        row += ["yes" if seeds["same_groups"] else "NO", f"{seeds['together_memory_mb']:.0f}"]
        rows.append(row)
    header = ["gates", f"{settings['seeds']} single fits, s", "`fit_seeds`, s", "share", "aim"]
    return markdown_table([*header, "same groups", "peak MB"], rows)


def _groups_table(runs: list[Run]) -> str:
    rows = [
        [run["name"], run.get("cache", ""), run["repeat"], _groups_text(run["groups"])]
        for run in runs
        if "groups" in run
    ]
    return markdown_table(["engine", "cache", "round", "groups found"], rows)


def _groups_text(groups: list[list[int]]) -> str:
    """List small groups, and count the members of those that training has not thinned out."""
    texts = (str(group) if len(group) <= 6 else f"[{len(group)} features]" for group in groups)
    return ", ".join(texts)
