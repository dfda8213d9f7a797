"""The network of groups as SVG: one picture for each cluster, so that narrow windows wrap them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.plots.layout import Cluster, lay_out
from coterie.plots.network import outline
from coterie.report.facts import Facts
from coterie.report.markup import Markup, cut, tag
from coterie.report.words import colour_class

UNIT = 92.0
"""Pixels between neighbouring features of a group."""
REACH = 0.44
MARGIN = 48.0
LONGEST_LABEL = 13
FEW_FEATURES, ENLARGED = 8, 1.3


def network(facts: Facts) -> Markup:
    """Draw features as dots and groups as shapes around them; shapes can be chosen."""
    clusters = [_cluster(facts, cluster) for cluster in lay_out(facts.groups)]
    return tag("div", clusters, class_="network", role="group", aria_label="Network of groups")


def _cluster(facts: Facts, cluster: Cluster) -> Markup:
    places = cluster.places * [UNIT, -UNIT]
    position = dict(zip(cluster.features, places, strict=True))
    half = np.abs(places).max(axis=0) + MARGIN
    shapes = [
        _shape(facts, i, np.array([position[feature] for feature in facts.groups[i]]))
        for i in cluster.groups
    ]
    dots = [_dot(facts, feature, place) for feature, place in position.items()]
    width, height = (2 * half).round(1)
    zoom = ENLARGED if len(facts.members) <= FEW_FEATURES else 1.0
    return tag(
        "svg",
        shapes,
        dots,
        class_="cluster",
        viewBox=f"{-half[0]:.1f} {-half[1]:.1f} {width:g} {height:g}",
        width=f"{zoom * width:g}",
        height=f"{zoom * height:g}",
    )


def _shape(facts: Facts, i: int, places: NDArray[np.float64]) -> Markup:
    """Draw a group around its members, with its number at the upper left."""
    corners = outline(places, REACH * UNIT)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    x, y = corners[(corners @ [1.0, 1.0]).argmin()]
    badge = tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=10, class_="badge")
    label = tag("text", str(i + 1), x=f"{x:.1f}", y=f"{y + 4:.1f}", class_="badge-text")
    names = ", ".join(facts.named(facts.groups[i]))
    return tag(
        "g",
        tag("title", f"Group {i + 1}: {names}"),
        tag("polygon", points=points, class_="shape"),
        badge,
        label,
        class_=f"pick {colour_class(i)}",
        role="button",
        tabindex=0,
        aria_pressed="false",
        aria_label=f"Group {i + 1}: {names}",
        data_group=i,
    )


def _dot(facts: Facts, feature: int, place: NDArray[np.float64]) -> Markup:
    x, y = place
    name = facts.names[feature]
    owners = [i for i, group in enumerate(facts.groups) if feature in group]
    return tag(
        "g",
        tag("title", name),
        tag("circle", cx=f"{x:.1f}", cy=f"{y - 5:.1f}", r=5),
        tag("text", cut(name, LONGEST_LABEL), x=f"{x:.1f}", y=f"{y + 15:.1f}"),
        class_="dot",
        data_groups=" ".join(map(str, owners)),
    )
