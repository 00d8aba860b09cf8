"""Races played at random, literally by the rules: no code of the package, no merging, no table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit

from tests import naive

WHITE, BLACK = 5, 6


@dataclass(frozen=True)
class Simulated:
    """What n races came to: shares and their standard errors by racing camel."""

    n: int
    winner: npt.NDArray[np.float64]
    last: npt.NDArray[np.float64]
    legs: float
    legs_error: float

    def farthest(self, winner: dict[str, float], last: dict[str, float]) -> float:
        """How many standard errors the farthest probability is off."""
        worst = 0.0
        for shares, expected in ((self.winner, winner), (self.last, last)):
            for share, p in zip(shares, expected.values(), strict=True):
                error = np.sqrt(max(p * (1 - p), 1 / self.n) / self.n)
                worst = max(worst, abs(share - p) / error)
        return worst


def simulate(text: str, edition: str, n: int, seed: int) -> Simulated:
    """Play n races on from a position."""
    position = naive.parse(text, edition)
    letters = naive.RACING[edition] + naive.CRAZY
    camels, spaces = [], []
    for space in sorted(position.stacks):
        for camel in position.stacks[space]:
            camels.append(letters.index(camel))
            spaces.append(space)
    tiles = np.zeros(32, dtype=np.int64)
    for space, sign in position.tiles.items():
        tiles[space] = sign
    left = [5 if die == naive.GREY else letters.index(die) for die in position.dice]
    dice = np.array(left, dtype=np.int64)
    counts, legs, squares = _races(
        np.array(camels), np.array(spaces), tiles, dice, edition == "second", n, seed
    )
    mean = legs / n
    return Simulated(
        n, counts[0] / n, counts[1] / n, mean, float(np.sqrt((squares / n - mean**2) / n))
    )


@njit
def _grey_mover(camels: npt.NDArray[np.int64], spaces: npt.NDArray[np.int64], colour: int) -> int:
    """S4: the upper one, else the only one that carries a racing camel, else the colour."""
    n = len(camels)
    carries = np.zeros(2, dtype=np.int64)
    for i in range(n):
        if camels[i] >= WHITE:
            if i + 1 < n and camels[i + 1] >= WHITE and spaces[i + 1] == spaces[i]:
                return int(camels[i + 1])
            for j in range(i + 1, n):
                if spaces[j] == spaces[i] and camels[j] < WHITE:
                    carries[camels[i] - WHITE] = 1
    if carries[0] and not carries[1]:
        return WHITE
    if carries[1] and not carries[0]:
        return BLACK
    return colour


@njit
def _move(
    camels: npt.NDArray[np.int64],
    spaces: npt.NDArray[np.int64],
    tiles: npt.NDArray[np.int64],
    camel: int,
    steps: int,
) -> bool:
    """Move a unit (M1 to M4, S3, S5); whether the race is over (F11, S6)."""
    n = len(camels)
    low = 0
    while camels[low] != camel:
        low += 1
    high = low
    while high < n and spaces[high] == spaces[low]:
        high += 1
    direction = -1 if camel >= WHITE else 1
    target = spaces[low] + direction * steps
    under = False
    if 1 <= target <= 16 and tiles[target] != 0:
        under = tiles[target] < 0
        target += direction * tiles[target]
    unit = camels[low:high].copy()
    rest = np.concatenate((camels[:low], camels[high:]))
    rest_spaces = np.concatenate((spaces[:low], spaces[high:]))
    at = 0
    last_below = target - 1 if under else target
    while at < len(rest) and rest_spaces[at] <= last_below:
        at += 1
    for i in range(n):
        if i < at:
            camels[i], spaces[i] = rest[i], rest_spaces[i]
        elif i < at + len(unit):
            camels[i], spaces[i] = unit[i - at], target
        else:
            camels[i], spaces[i] = rest[i - len(unit)], rest_spaces[i - len(unit)]
    return target > 16 or target < 1


@njit
def _races(
    camels0: npt.NDArray[np.int64],
    spaces0: npt.NDArray[np.int64],
    tiles0: npt.NDArray[np.int64],
    dice0: npt.NDArray[np.int64],
    grey: bool,
    n: int,
    seed: int,
) -> tuple[npt.NDArray[np.int64], int, int]:
    np.random.seed(seed)  # noqa: NPY002  (a generator cannot be seeded in numba)
    counts = np.zeros((2, 5), dtype=np.int64)
    all_legs, squares = 0, 0
    staying = 1 if grey else 0
    no_tiles = np.zeros_like(tiles0)
    dice = np.zeros(6, dtype=np.int64)
    for _ in range(n):
        camels, spaces, tiles = camels0.copy(), spaces0.copy(), tiles0
        left = len(dice0)
        dice[:left] = dice0
        legs, over = 1, False
        while not over:
            if left == staying:  # F10: the next leg
                legs += 1
                tiles = no_tiles
                left = 6 if grey else 5
                for i in range(left):
                    dice[i] = i
            drawn = np.random.randint(left)  # noqa: NPY002
            die = dice[drawn]
            left -= 1
            dice[drawn] = dice[left]
            camel = die
            if die == 5:  # S1: the grey die
                camel = _grey_mover(camels, spaces, WHITE + np.random.randint(2))  # noqa: NPY002
            over = _move(camels, spaces, tiles, camel, 1 + np.random.randint(3))  # noqa: NPY002
        i = len(camels) - 1
        while camels[i] >= WHITE:
            i -= 1
        counts[0, camels[i]] += 1
        i = 0
        while camels[i] >= WHITE:
            i += 1
        counts[1, camels[i]] += 1
        all_legs += legs
        squares += legs * legs
    return counts, all_legs, squares
