"""The scripted baselines of `prospector`, weakest first."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.worlds.prospector.bots.cautious_scanner import CautiousScanner
from diorama.worlds.prospector.bots.explorer import Explorer
from diorama.worlds.prospector.bots.floor import CashOut, Idle, RandomValid
from diorama.worlds.prospector.bots.greedy_miner import GreedyMiner
from diorama.worlds.prospector.bots.market_timer import MarketTimer
from diorama.worlds.prospector.bots.prudent_hauler import PrudentHauler
from diorama.worlds.prospector.bots.refiner import Refiner

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "cash_out": CashOut,
    "idle": Idle,
    "random_valid": RandomValid,
    "greedy_miner": GreedyMiner,
    "cautious_scanner": CautiousScanner,
    "market_timer": MarketTimer,
    "prudent_hauler": PrudentHauler,
    "refiner": Refiner,
    "explorer": Explorer,
}
