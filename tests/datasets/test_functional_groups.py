import pandas as pd
import pytest

from coterie.datasets._functional_groups import (
    contains_functional_groups,
    functional_group_patterns,
)

# One small molecule that has the group.
EXAMPLES = {
    "acetic anydride": "CC(=O)OC(C)=O",
    "acetylenic carbon": "CC#C",
    "acyl bromide": "CC(=O)Br",
    "acyl chloride": "CC(=O)Cl",
    "acyl fluoride": "CC(=O)F",
    "acyl iodide": "CC(=O)I",
    "aldehyde": "CC=O",
    "alkane": "CC",
    "unbranched alkene": "CCCC",
    "allenic carbon": "C=C=C",
    "amide": "CC(N)=O",
    "amidium": "CC(N)=[NH2+]",
    "amino acid": "NC(C)C(=O)O",
    "azo nitrogen": "CN=NC",
    "azole": "c1c[nH]cn1",
    "azoxy nitrogen": "CN=[N+](C)[O-]",
    "diazene": "CN=NC",
    "diazo nitrogen": "C=[N+]=[N-]",
    "benzene": "Cc1ccccc1",
    "bromine": "CBr",
    "carbamate": "NC(=O)OC",
    "carbamic ester": "NC(=O)OC",
    "carbamic acid": "NC(=O)O",
    "carbo azosulfone": "CS(C)(=O)=N",
    "carbo thiocarboxylate": "CC(=S)[S-]",
    "carbo thioester": "CC(=O)SC",
    "carboxylate ion": "CC(=O)[O-]",
    "carbonic acid": "OC(=O)O",
    "carbonic ester": "COC(=O)OC",
    "carbonyl group": "CC(C)=O",
    "carbonyl with carbon": "CC=O",
    "carbonyl with nitrogen": "NC=O",
    "carbonyl with oxygen": "OC=O",
    "carboxylic acid": "CC(=O)O",
    "chlorine": "CCl",
    "cyanamide": "NC#N",
    "di sulfide": "CSSC",
    "enamine": "C=CN",
    "enol": "C=CO",
    "ester": "CC(=O)OC",
    "ether": "COC",
    "fluorine": "CF",
    "hydrogen": "[H][H]",
    "hydrazine": "NN",
    "hydrazone": "CC=NN",
    "hydroxyl in carboxylic acid": "CC(=O)O",
    "isonitrile": "C[N+]#[C-]",
    "imide": "CC(=O)NC(C)=O",
    "imine": "CC=NC",
    "iminium": "CC=[NH2+]",
    "ketone": "CC(C)=O",
    "peroxide": "COOC",
    "phenol": "Oc1ccccc1",
    "phosphoric acid": "OP(=O)(O)O",
    "phosphoric ester": "COP(=O)(O)O",
    "primary alcohol": "CCO",
    "primary amine": "CN",
    "proton": "[H+]",
    "mono sulfide": "CSC",
    "nitrate": "CO[N+](=O)[O-]",
    "nitrile": "CC#N",
    "nitro": "C[N+](=O)[O-]",
    "nitroso": "CN=O",
    "n-oxide": "C[N+](C)(C)[O-]",
    "secondary amine": "CNC",
    "sulfate": "COS(=O)(=O)OC",
    "sulfamate": "NS(=O)(=O)OC",
    "sulfamic acid": "NS(=O)(=O)O",
    "sulfenic acid": "CSO",
    "sulfenate": "CSOC",
    "sulfide": "CSC",
    "sulfonate": "CS(=O)(=O)OC",
    "sulfinate": "CS(=O)OC",
    "sulfinic acid": "CS(=O)O",
    "sulfonamide": "CS(=O)(=O)N",
    "sulfone": "CS(C)(=O)=O",
    "sulfonic acid": "CS(=O)(=O)O",
    "sulfoxide": "CS(C)=O",
    "sulfur": "CS",
    "sulfuric acid ester": "COS(=O)(=O)O",
    "sulfuric acid diester": "COS(=O)(=O)OC",
    "thioamide": "CC(N)=S",
    "thiol": "CS",
    "vinylic carbon": "C=C",
}

# Whether a molecule has the group, for the five of the paper's logics.
BOUNDARIES = [
    ("C=C", "acetylenic carbon", False),
    ("CC#N", "acetylenic carbon", False),
    ("C1CCCCC1", "benzene", False),
    ("c1ccncc1", "benzene", False),
    ("c1ccc2ccccc2c1", "benzene", False),  # a fused ring does not count in the paper's features
    ("CC(=O)N", "carbonyl group", True),
    ("CCO", "carbonyl group", False),
    ("CC(=O)OC", "ether", True),  # an ester has an ether and a carbonyl, as the paper says
    ("COc1ccccc1", "ether", False),  # oxygen between two atoms that are not aromatic
    ("CCO", "ether", False),
    ("CC(N)=O", "primary amine", False),
    ("CNC", "primary amine", False),
    ("C[NH3+]", "primary amine", False),
    ("Nc1ccccc1", "primary amine", True),
]

pytestmark = pytest.mark.usefixtures("rdkit")


def groups_of(smiles: str) -> set[str]:
    present = contains_functional_groups([smiles], n_jobs=1)[0]
    return {name for name, found in zip(functional_group_patterns(), present, strict=True) if found}


def test_every_group_has_an_example():
    assert list(EXAMPLES) == list(functional_group_patterns())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_has_its_group(name):
    assert name in groups_of(EXAMPLES[name])


@pytest.mark.parametrize(("smiles", "name", "expected"), BOUNDARIES)
def test_where_the_groups_of_the_paper_s_logics_end(smiles, name, expected):
    assert (name in groups_of(smiles)) is expected


def test_methanol_has_two_groups_and_water_none():
    assert groups_of("CO") == {"alkane", "primary alcohol"}
    assert groups_of("O") == set()


def test_molecules_are_rows_in_their_order_over_several_jobs():
    smiles = ["CC#C", "CO", "CN"] * 1000
    present = contains_functional_groups(smiles, n_jobs=2)
    alone = contains_functional_groups(smiles[:3], n_jobs=1)
    assert present.shape == (3000, 84)
    assert (present.reshape(1000, 3, 84) == alone).all()


def test_no_molecules_are_no_rows():
    assert contains_functional_groups([]).shape == (0, 84)


def test_smiles_that_cannot_be_read_are_named():
    with pytest.raises(ValueError, match="C1CC"):
        contains_functional_groups(["CC", "C1CC"], n_jobs=1)


def test_shares_of_the_logic_13_training_molecules_are_the_published_ones(published):
    """The published shares have four decimals, so they are met when they agree to half of one."""
    from coterie.datasets.chem import fetch_chem

    shares = pd.read_csv(published("functional_groups.csv"))
    published("all_16_logics_train_and_test.zip")
    chem3 = fetch_chem(3)
    assert chem3.feature_names == shares["functional_group"].tolist()
    deviation = abs(chem3.data.mean(axis=0, dtype=float) - shares["share_of_logic_13_train"])
    assert deviation.max() <= 0.5e-4 + 1e-12
