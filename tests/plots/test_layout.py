"""Members of a group stand together, and no feature stands in a shape that is not its group's."""

import numpy as np
import pytest

from coterie.plots.layout import SPACING, lay_out, pack


def test_groups_that_share_features_are_one_cluster():
    clusters = lay_out([(0, 1), (2,), (3, 4), (1, 3)])
    assert [cluster.groups for cluster in clusters] == [(0, 2, 3), (1,)]
    assert [cluster.features for cluster in clusters] == [(0, 1, 3, 4), (2,)]


@pytest.mark.parametrize("size", [2, 3, 6])
def test_neighbours_in_a_lone_group_are_a_spacing_apart(size):
    (cluster,) = lay_out([tuple(range(size))])
    gaps = np.linalg.norm(cluster.places[:, None] - cluster.places, axis=2)
    assert np.sort(gaps, axis=1)[:, 1] == pytest.approx(SPACING)


def test_many_features_of_a_lone_group_fill_its_shape():
    (cluster,) = lay_out([tuple(range(25))])
    gaps = np.linalg.norm(cluster.places[:, None] - cluster.places, axis=2)
    assert np.sort(gaps, axis=1)[:, 1].min() > 0.8 * SPACING
    assert cluster.extent.max() < 3 * SPACING


@pytest.mark.parametrize(
    "groups",
    [[(0, 1), (1, 2)], [(0, 1, 2), (2, 3, 4)], [(0, 1), (1, 2), (0, 2)], [(0, 1, 2), (1, 2, 3)]],
)
def test_features_of_overlapping_groups_do_not_stand_on_each_other(groups):
    (cluster,) = lay_out(groups)
    gaps = np.linalg.norm(cluster.places[:, None] - cluster.places, axis=2)
    assert gaps[~np.eye(len(gaps), dtype=bool)].min() > 0.6 * SPACING


def test_a_chain_keeps_the_third_feature_out_of_the_first_pair():
    (cluster,) = lay_out([(0, 1), (1, 2)])
    first, second, third = cluster.places
    assert np.linalg.norm(third - (first + second) / 2) > SPACING


def test_the_layout_is_the_same_every_time():
    groups = [(0, 1, 2), (2, 3), (3, 0)]
    np.testing.assert_array_equal(lay_out(groups)[0].places, lay_out(groups)[0].places)


def test_packed_clusters_do_not_overlap():
    clusters = lay_out([(0, 1, 2, 3), (4, 5), (6,), (7, 8, 9), (10,), (11, 12)])
    centres = pack(clusters, margin=0.5)
    for i, one in enumerate(clusters):
        for j, other in enumerate(clusters[:i]):
            gap = np.abs(centres[i] - centres[j]) - one.extent - other.extent
            assert gap.max() >= 1.0 - 1e-9


def test_nothing_packs_to_nothing():
    assert pack(lay_out([])) == []


def test_many_groups_of_many_features_are_laid_out_quickly():
    rng = np.random.default_rng(0)
    groups = [tuple(sorted(rng.choice(120, 12, replace=False).tolist())) for _ in range(20)]
    assert sum(len(cluster.features) for cluster in lay_out(groups)) == len(set().union(*groups))
