"""The Python of README.md runs as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.slow
def test_the_python_of_the_readme_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    for block in blocks:
        exec(block, {})
    assert "accuracy on fresh rows" in capsys.readouterr().out
