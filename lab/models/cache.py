"""The K/V cache: preallocated, one length a row, and the edits that verification needs.

Invariant, tested after every edit: the first `lengths[row]` positions of a row hold exactly
what a fresh forward pass over that row's committed tokens would put there. What lies beyond
is stale and masked; it is kept finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from lab.errors import LabError
from lab.numerics.attention import BLOCK


class KVCache:
    """Keys and values [layers, rows, kv_heads, capacity, head_dim] and the rows' lengths.

    `features` [rows, capacity, taps · hidden] FP32: hidden states of each position, where `taps` names some.
    """

    def __init__(
        self,
        layers: int,
        rows: int,
        kv_heads: int,
        positions: int,
        head_dim: int,
        dtype: torch.dtype,
        device: torch.device,
        taps: Sequence[int] = (),
        hidden_size: int = 0,
    ) -> None:
        self.capacity = -(-positions // BLOCK) * BLOCK
        shape = (layers, rows, kv_heads, self.capacity, head_dim)
        self.k = torch.zeros(shape, dtype=dtype, device=device)
        self.v = torch.zeros(shape, dtype=dtype, device=device)
        self.lengths = [0] * rows
        self.taps = tuple(taps)
        self.features = torch.zeros(rows, self.capacity, len(self.taps) * hidden_size, device=device)

    @property
    def rows(self) -> int:
        return len(self.lengths)

    def write(self, layer: int, rows: Tensor, positions: Tensor, k: Tensor, v: Tensor) -> None:
        """Store k, v [n, kv_heads, head_dim] at (rows[i], positions[i]). The caller advances the lengths."""
        self.k[layer][rows, :, positions] = k.to(self.k.dtype)
        self.v[layer][rows, :, positions] = v.to(self.v.dtype)

    def write_row(self, layer: int, row: int, start: int, k: Tensor, v: Tensor) -> None:
        """The same at positions start, start + 1, … of one row: a plain copy, several times as fast."""
        span = slice(start, start + k.shape[0])
        self.k[layer, row, :, span] = k.transpose(0, 1)
        self.v[layer, row, :, span] = v.transpose(0, 1)

    def keep(self, tap: int, rows: Tensor, positions: Tensor, x: Tensor) -> None:
        """Store hidden states x [n, hidden] at (rows[i], positions[i]), if `tap` is one of the taps."""
        if tap in self.taps:
            start = self.taps.index(tap) * x.shape[-1]
            self.features[rows, positions, start : start + x.shape[-1]] = x.float()

    def tapped(self, rows: Sequence[int], positions: Sequence[int], taps: Sequence[int]) -> Tensor:
        """Features at (rows[i], positions[i]) [n, taps · hidden], of the taps named, in that order."""
        places = [self.taps.index(tap) for tap in taps]
        of_taps = self.features.unflatten(-1, (len(self.taps), -1))
        return of_taps[list(rows), list(positions)][:, places].flatten(1)

    def read(self, layer: int, rows: slice | list[int], positions: int) -> tuple[Tensor, Tensor]:
        """k and v [rows, kv_heads, positions, head_dim] of a layer: views for a slice, copies for a list."""
        return self.k[layer, rows, :, :positions], self.v[layer, rows, :, :positions]

    def truncate(self, rows: Sequence[int], lengths: Sequence[int]) -> None:
        """Forget the tail of each row: keep its first lengths[i] positions."""
        for row, length in zip(rows, lengths, strict=True):
            if not 0 <= length <= self.lengths[row]:
                raise LabError(
                    f"Row {row} holds {self.lengths[row]} positions and cannot be cut to {length}.",
                    "Cut to a length from 0 to what the row holds.",
                )
            self.lengths[row] = length

    def column(self, row: int, position: int) -> tuple[Tensor, Tensor]:
        """Copies of k and v at one position, [layers, kv_heads, head_dim] each."""
        self._check(row, position)
        return self.k[:, row, :, position].clone(), self.v[:, row, :, position].clone()

    def replace_column(self, row: int, position: int, k: Tensor, v: Tensor) -> None:
        """Overwrite one position in every layer with k, v [layers, kv_heads, head_dim] (a repair)."""
        self._check(row, position)
        self.k[:, row, :, position] = k
        self.v[:, row, :, position] = v

    def copy(
        self,
        source: KVCache,
        source_row: int,
        row: int,
        span: slice,
        convert: Callable[[Tensor], Tensor] = lambda x: x,
    ) -> None:
        """Overwrite the positions of `span` in `row` with those of another cache of the same model and taps.

        `convert` makes the values this cache's own (a rounding). Lengths stay as they are. Raises LabError
        for positions that the source does not hold.
        """
        source._check(source_row, span.stop - 1)
        self.k[:, row, :, span] = convert(source.k[:, source_row, :, span]).to(self.k.dtype)
        self.v[:, row, :, span] = convert(source.v[:, source_row, :, span]).to(self.v.dtype)
        self.features[row, span] = convert(source.features[source_row, span]).float()

    def compact(self, row: int, base: int, path: Sequence[int]) -> None:
        """Keep, of the positions from `base` on, those at base + path[i], in that order, and drop the rest.

        After a tree was verified, `path` holds the offsets of the accepted nodes, rising.
        """
        offsets = list(path)
        if offsets != sorted(set(offsets)) or (
            offsets and not 0 <= offsets[0] <= offsets[-1] < self.lengths[row] - base
        ):
            raise LabError(
                f"Path {offsets} from position {base} does not lie in row {row}, "
                f"which holds {self.lengths[row]} positions.",
                "Give rising offsets of positions that the row holds.",
            )
        source = torch.tensor([base + offset for offset in offsets], dtype=torch.long, device=self.k.device)
        end = base + len(offsets)
        self.k[:, row, :, base:end] = self.k[:, row, :, source]
        self.v[:, row, :, base:end] = self.v[:, row, :, source]
        self.features[row, base:end] = self.features[row, source]
        self.lengths[row] = end

    def move(self, source: int, target: int) -> None:
        """Copy row `source` over row `target` (its old content is lost) and empty `source`."""
        length = self.lengths[source]
        self.k[:, target, :, :length] = self.k[:, source, :, :length]
        self.v[:, target, :, :length] = self.v[:, source, :, :length]
        self.features[target, :length] = self.features[source, :length]
        self.lengths[target] = length
        self.clear(source)

    def clear(self, row: int) -> None:
        """Empty a row and zero it, so that nothing non-finite of an old request can be read."""
        self.k[:, row] = 0
        self.v[:, row] = 0
        self.features[row] = 0
        self.lengths[row] = 0

    def _check(self, row: int, position: int) -> None:
        if not 0 <= position < self.lengths[row]:
            raise LabError(
                f"Row {row} holds {self.lengths[row]} positions; there is none at {position}.",
                "Name a position that has been computed.",
            )
