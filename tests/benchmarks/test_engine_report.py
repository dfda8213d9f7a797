"""From timings to ratios, on numbers worked by hand."""

import pytest

from benchmarks._engine_report import (
    QUIET,
    epoch_seconds,
    matrix_flops,
    process_seconds,
    report,
    set_up_seconds,
    summarise,
    whole_fit_seconds,
)


def fit(set_up: float, epoch: float, n_epochs: int = 35, **about):
    """Make up a fit of equal epochs, a fifth of the set-up after them."""
    first = 0.8 * set_up
    return {
        "import_seconds": 2.0,
        "fit_seconds": set_up + n_epochs * epoch,
        "epoch_ends": [first + (i + 1) * epoch for i in range(n_epochs)],
        "peak_memory_mb": 400.0,
        "groups": [[0, 1], [2, 3]],
        "others_share": 0.01,
        "repeat": 0,
        **about,
    }


def all_runs(others_share: float = 0.01):
    runs = [{"name": "peak", "repeat": 0, "peak_gflops": 100.0, "others_share": others_share}]
    for threads, epoch in [(1, 3.0), (2, 30.0)]:
        runs.append(fit(0.0, epoch, name="authors", threads=threads))
    for noise, epoch in [("sample", 0.1), ("batch", 0.05)]:
        runs += [
            fit(3.0, epoch, name=noise, cache="cold"),
            fit(0.5, epoch, name=noise, cache="warm"),
            fit(9.0, 2 * epoch, name=noise, cache="warm", repeat=1),
            {
                "name": f"seeds-{noise}", "repeat": 0, "single_seconds": 30.0,
                "together_seconds": 12.0, "same_groups": True, "together_memory_mb": 500.0,
                "others_share": None,
            },
        ]  # fmt: skip
    return runs


def test_the_time_of_a_fit_is_taken_apart():
    run = fit(set_up=1.5, epoch=0.1)
    assert epoch_seconds(run) == pytest.approx(0.1)
    assert set_up_seconds(run) == pytest.approx(1.5)
    assert whole_fit_seconds(run) == pytest.approx(5.0)
    assert process_seconds(run) == pytest.approx(7.0)


def test_a_shorter_run_is_extrapolated_to_the_papers_epochs():
    assert whole_fit_seconds(fit(1.5, 0.1, n_epochs=3)) == pytest.approx(5.0)


def test_operations_are_those_of_the_products_counted_one_by_one():
    """A step of 50 rows: (m, k) by (k, n) for each of five learners."""

    def product(m, k, n):
        return 2 * m * k * n

    first = product(50, 500, 20)
    second = product(50, 20, 20)
    head = product(50, 20, 2)
    per_sample = 5 * (3 * first + 3 * second + 3 * head + 2 * head)
    assert matrix_flops("sample", 50, 500) == per_sample
    assert matrix_flops("batch", 50, 500) == per_sample - 5 * first


def test_ratios_are_between_the_best_rounds_and_the_better_thread_count():
    summary = summarise(all_runs(), n_rows=20_000, n_features=500)
    assert summary["authors"]["epoch_seconds"] == pytest.approx(3.0)
    sample = summary["sample"]
    assert sample["times_faster"]["warm"]["epoch_seconds"] == pytest.approx(30)
    assert sample["times_faster"]["warm"]["whole_fit_seconds"] == pytest.approx(105 / 4)
    assert sample["times_faster"]["cold"]["process_seconds"] == pytest.approx(107 / 8.5)
    assert sample["gflops"] == pytest.approx(matrix_flops("sample", 20_000, 500) / 1e8)
    assert sample["share_of_peak"] == pytest.approx(sample["gflops"] / 100)
    assert sample["seeds"]["share"] == pytest.approx(0.4)


@pytest.mark.parametrize(("share", "disturbed"), [(QUIET / 2, False), (2 * QUIET, True)])
def test_a_busy_machine_is_named_on_the_page(share, disturbed):
    runs = all_runs(share)
    settings = {"rows": 20_000, "features": 500, "threads": 2, "repeats": 2, "epochs": 35}
    content = {"command": "c", "machine": {}, "versions": {}, "settings": {**settings, "seeds": 10}}
    page = report({**content, "runs": runs, "summary": summarise(runs, 20_000, 500)})
    assert ("NOT TO BE QUOTED" in page) == disturbed
    assert "EPOCHS WERE RUN" not in page
