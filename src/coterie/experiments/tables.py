"""The paper's four tables of recovery; cells that two of them share are run once."""

from __future__ import annotations

from coterie.experiments.recovery import Recovery

TABLE1 = Recovery("table1", "Syn1 to Syn4, main methods", "synthetic", all_methods=False)
TABLE2 = Recovery("table2", "Chem1 to Chem3, main methods", "chemistry", all_methods=False)
SYNTHETIC = Recovery(
    "table-synthetic-all", "Syn1 to Syn4, all methods", "synthetic", all_methods=True
)
CHEMISTRY = Recovery(
    "table-chemistry-all", "Chem1 to Chem3, all methods", "chemistry", all_methods=True
)
