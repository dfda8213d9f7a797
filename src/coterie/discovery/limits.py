"""What the user allows: how many groups and features, and how large groups may be."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.discovery.structures import Structure


@dataclass(frozen=True)
class Limits:
    """Upper bounds; None leaves a quantity open.

    Examples
    --------
    >>> Limits(max_group_size=2).admits(Structure.of([(0, 1, 2)]))
    False
    """

    max_groups: int | None = None
    max_group_size: int | None = None
    max_features: int | None = None

    def admits(self, structure: Structure) -> bool:
        """Tell whether no group is too large; the other bounds are met at the end."""
        size = self.max_group_size
        return size is None or all(len(group) <= size for group in structure.groups)

    def is_met(self, structure: Structure) -> bool:
        """Tell whether all bounds are met."""
        return (
            self.admits(structure)
            and len(structure.groups) <= (self.max_groups or len(structure.groups))
            and len(structure.features) <= (self.max_features or len(structure.features))
        )
