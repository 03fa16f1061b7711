"""Positions that `spar generate` made."""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

from . import _native
from .arrays import Patterns, feature_names, patterns

if TYPE_CHECKING:
    import numpy

_MAGIC = b"SPARPOS1"
_VERSION = 2
_LONGEST_HEADER = 1 << 20
_END = b"DONE"
_AGAIN = "copy the file again, or generate it again"


class Samples:
    """The positions of a file of `spar generate`, as arrays: one entry for each position.

    :raises ValueError: when the file is none of positions, or is damaged.
    """

    #: The path of the file; `sparring.fit` and `sparring.train` take samples by it.
    path: str
    #: The game, and the board as columns x rows.
    game: str
    size: str
    #: What the file says of itself.
    header: Dict[str, Any]
    #: The score of the search from the side to move, in percent of a piece.
    score: "numpy.ndarray[Any, Any]"
    #: What the side to move got in the end: 0, 0.5 or 1.
    result: "numpy.ndarray[Any, Any]"
    #: The fold, 0 to 63, equal for all positions of a game.
    fold: "numpy.ndarray[Any, Any]"
    #: The ply of the game, cut off at 255.
    ply: "numpy.ndarray[Any, Any]"

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        from ._needed import numpy

        self.path = os.fspath(path)
        data = Path(path).read_bytes()
        begin = self._read_header(data, os.fspath(path))
        size = _native.packed_size(self.game)
        record = numpy.dtype([("position", f"V{size}"), ("score", "<i2"), ("info", "<u2")])
        if record.itemsize != self.header["record"]:
            found = self.header["record"]
            raise ValueError(f"{path}: records of {found} bytes, not of {size + 4}; {_AGAIN}")
        end = self._end(data, begin, os.fspath(path))
        if "block" in self.header:
            data = _unpacked(data[begin:end], record.itemsize, self.header["block"], self.path)
            begin, end = 0, len(data)
        whole = (end - begin) // record.itemsize
        self._records = numpy.frombuffer(data, dtype=record, count=whole, offset=begin)
        info = self._records["info"]
        self.score = self._records["score"]
        self.result = (info & 3) / 2.0
        self.fold = (info >> 2 & 63).astype("u1")
        self.ply = (info >> 8).astype("u1")

    def _read_header(self, data: bytes, path: str) -> int:
        """Reads the header, and gives where the records begin."""
        if data[:8] != _MAGIC or len(data) < 12:
            raise ValueError(f"{path}: no file of positions; make one with `spar generate`")
        (length,) = struct.unpack_from("<I", data, 8)
        if length > _LONGEST_HEADER or 12 + length > len(data):
            raise ValueError(f"{path}: the header is cut off; {_AGAIN}")
        header = json.loads(data[12 : 12 + length])
        missing = {"version", "game", "board", "record"} - set(header)
        if missing or header["version"] not in range(1, _VERSION + 1):
            raise ValueError(f"{path}: no header of version 1 to {_VERSION}; {_AGAIN}")
        self.header, self.game, self.size = header, header["game"], header["board"]
        return 12 + int(length)

    def _end(self, data: bytes, begin: int, path: str) -> int:
        """Where the records end. A complete file has a checksum of all before after them.

        An unfinished one has its progress beside it, and a run's its journal.
        """
        end = len(data) - 8
        is_packed = "block" in self.header
        has_end = is_packed or (len(data) - begin) % int(self.header["record"]) == 8
        if not has_end or data[end : end + len(_END)] != _END:
            progress, run = Path(path + ".part"), Path(path).parent
            if progress.exists():
                return _unfinished_end(data, progress, path)
            number = re.fullmatch(r"positions-(\d+)\.pos", Path(path).name)
            if number is None or not (run / "manifest.json").exists():
                raise ValueError(f"{path}: does not end with a checksum: it was cut; {_AGAIN}")
            return _end_of_run(data, run / "journal.jsonl", int(number.group(1)), path)
        if data[end:] != _END + struct.pack("<I", zlib.crc32(data[:end])):
            raise ValueError(f"{path}: edited or damaged since it was made; generate it again")
        return end

    def __len__(self) -> int:
        return len(self._records)

    def __fspath__(self) -> str:
        """The path of the file."""
        return self.path

    def _bytes(self, indices: Optional[Any]) -> bytes:
        return (self._records if indices is None else self._records[indices]).tobytes()

    def fens(self, indices: Optional[Any] = None) -> List[str]:
        """The positions as FEN: all, or those that an index, a slice or a mask of NumPy picks."""
        records = self._bytes(indices)
        return _native.packed_fens(self.game, self.size, records, self._records.itemsize)

    def features(self, indices: Optional[Any] = None) -> "numpy.ndarray[Any, Any]":
        """The features of the positions, as `sparring.features` has them."""
        from ._needed import numpy

        records = self._bytes(indices)
        counted = _native.packed_features(self.game, self.size, records, self._records.itemsize)
        columns = len(feature_names(self.game))
        return numpy.frombuffer(counted, dtype="<i4").reshape(-1, columns)

    def patterns(self, table: str = "windows_3x3", indices: Optional[Any] = None) -> Patterns:
        """The patterns of a table that the positions show, as `sparring.patterns` has them."""
        return patterns(self.fens(indices), table, self.game)

    def __repr__(self) -> str:
        return f"<{len(self):,} samples of {self.game} on {self.size}>"


def _unpacked(blocks: bytes, record: int, most: int, path: str) -> bytes:
    """The records of a packed file; its blocks have them column after column."""
    from ._needed import numpy

    records: List[bytes] = []
    place = 0
    while place < len(blocks):
        number = len(records)
        try:
            count, size = struct.unpack_from("<II", blocks, place)
            decompressor = zlib.decompressobj()
            packed = blocks[place + 8 : place + 8 + size]
            columns = decompressor.decompress(packed, count * record + 1)
        except (struct.error, zlib.error, OverflowError) as error:
            raise ValueError(f"{path}: block {number}: {error}; {_AGAIN}") from None
        if not 0 < count <= most or len(columns) != count * record or len(packed) != size:
            raise ValueError(f"{path}: block {number} is damaged; {_AGAIN}")
        rows = numpy.frombuffer(columns, dtype="u1").reshape(record, count).T
        records.append(rows.tobytes())
        place += 8 + size
    return b"".join(records)


def _unfinished_end(data: bytes, progress: Path, path: str) -> int:
    """Where the good bytes of an unfinished file end, by the progress beside it."""
    try:
        found = json.loads(progress.read_bytes())
        games, end, check = found["games"], found["bytes"], found.get("check")
        numbers = struct.pack("<QQ", games, end)
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise ValueError(f"{progress}: {error}; remove this file and {path}") from None
    # Earlier versions wrote no checksum.
    damaged = check is not None and zlib.crc32(numbers, zlib.crc32(data[:end])) != check
    if end > len(data) or damaged:
        raise ValueError(f"{path}: this file or {progress} was edited or damaged; {_AGAIN}")
    return int(end)


def _end_of_run(data: bytes, journal: Path, number: int, path: str) -> int:
    """Where the records of a round of a run end, by the run's journal."""
    end = 0
    for line in journal.read_bytes().splitlines():
        if b'"positions"' not in line:
            continue
        try:
            found = json.loads(line).get("positions")
        except ValueError:
            continue  # a line that was being written
        if not isinstance(found, dict) or found.get("round") != number:
            continue
        begin, end = end, int(found["bytes"])
        if end > len(data) or f"{zlib.crc32(data[begin:end]):08x}" != found["digest"]:
            raise ValueError(f"{path}: not as its run wrote it; restore it from a backup")
    if end == 0:
        raise ValueError(f"{path}: its run has no such positions on record; wait, or resume the run")
    return end
