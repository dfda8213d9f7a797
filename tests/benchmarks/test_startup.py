"""The start of the command line is measured, and stays quick."""

from benchmarks import startup


def test_a_report_says_how_long_each_program_takes():
    content = {
        "command": "python -m benchmarks.startup",
        "machine": {"cores": 2},
        "versions": {"coterie": "0"},
        "others_share": 0.25,
        "seconds": {"coterie --help": [0.31, 0.2, 0.4]},
        "processor_seconds": {"coterie --help": [0.1, 0.11, 0.12]},
    }
    page = startup.report(content)
    assert "| `coterie --help` | 0.20       | 0.31      | 0.11" in page
    assert "Other processes used 25% of the cores" in page


def test_help_takes_less_than_half_a_second_of_the_processor(monkeypatch):
    programs = {"coterie --help": startup.PROGRAMS["coterie --help"]}
    monkeypatch.setattr(startup, "PROGRAMS", programs)
    _, processor = startup.measure(rounds=2)
    assert min(processor["coterie --help"]) < startup.AIM_SECONDS
