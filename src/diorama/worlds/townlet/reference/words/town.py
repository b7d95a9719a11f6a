"""The words of a town, and a town from its words."""

from typing import Final

from diorama.contracts.values import U64
from diorama.rng import Pcg32
from diorama.snapshots import WordReader, WordWriter, check_numbers
from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import EmploymentLedger
from diorama.worlds.townlet.reference.state.kpis import KpiWindow
from diorama.worlds.townlet.reference.state.ledgers import (
    EconomyState,
    EmbeddingPool,
    LifecycleLedger,
    LiveRules,
    QueueMetrics,
    SocialLedger,
)
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import PerturbationState
from diorama.worlds.townlet.reference.state.town import CustomName, Town
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.reference.words.lengths import check_complete, check_fit, check_fixed
from diorama.worlds.townlet.reference.words.records import (
    Pile,
    read_list,
    read_record,
    read_service,
    write_list,
    write_record,
)
from diorama.worlds.townlet.reference.words.references import check_references
from diorama.worlds.townlet.situations import read_visits, write_visits
from diorama.worlds.townlet.tables.town_tables import TownTables

_LEDGERS: Final = (
    ("economy", EconomyState),
    ("rules", LiveRules),
    ("employment", EmploymentLedger),
    ("lifecycle", LifecycleLedger),
    ("embedding", EmbeddingPool),
    ("perturbations", PerturbationState),
    ("queues", QueueMetrics),
    ("social", SocialLedger),
    ("kpis", KpiWindow),
)
_WITH_SERVICE: Final = ("lifecycle", "social", "kpis")


def state_words(town: Town) -> U64:
    """The canonical state.

    In order: streams (state, inc, draws of world, events, policy), seed, tick, next citizen number, citizens (a count,
    then records by ascending seat), objects (likewise, by index), and the ledgers in the order of `_LEDGERS`.
    """
    words = WordWriter()
    _write_state(words, town)
    return words.words()


def snapshot_words(town: Town) -> U64:
    """The canonical state, then the service fields of the ledgers, names that were given, and visits."""
    words = WordWriter()
    _write_state(words, town)
    pile = Pile()
    for name in _WITH_SERVICE:
        write_record(pile, getattr(town, name), is_service=True)
    words.add_bytes(pile.packed())
    words.add_int(len(town.custom_names))
    for number, custom in sorted(town.custom_names.items()):
        words.add_int(number)
        for text in (custom.agent_id.encode(), custom.display_name.encode()):
            words.add_int(len(text))
            words.add_bytes(text)
    write_visits(words, town.visits)
    return words.words()


def read_town(words: U64, tables: TownTables, config: SimulationConfig) -> Town:
    """A town as it was; its events and its report are empty.

    Raises:
        SnapshotError: The words do not describe a town of these tables.
    """
    reader = WordReader(words)
    streams = Streams(*(Pcg32(reader.read_u64(), reader.read_u64(), reader.read_u64()) for _ in range(3)))
    seed, tick, next_number = reader.read_u64(), reader.read_int(), reader.read_int()
    check_numbers("a number", (tick, next_number))
    citizens = read_list(reader, Citizen)
    objects = read_list(reader, ObjectState)
    ledgers = {name: read_record(reader, kind) for name, kind in _LEDGERS}
    for name in _WITH_SERVICE:
        read_service(reader, ledgers[name])
    custom_names = {reader.read_int(): _read_name(reader) for _ in range(reader.read_entries())}
    check_numbers("a number", custom_names)
    visits = read_visits(reader, len(tables.map.zones))
    reader.finish()
    check_fit(citizens, objects, tables, config)
    town = Town(
        tables=tables,
        config=config,
        seed=seed,
        streams=streams,
        tick=tick,
        next_number=next_number,
        seats=[None] * config.world.seats,
        objects=objects,
        occupancy=[0] * len(tables.map.walkable),
        custom_names=custom_names,
        visits=visits,
        **ledgers,  # type: ignore[arg-type]  # by name, as read from their own table
    )
    for citizen in citizens:
        town.seats[citizen.seat] = citizen
        town.occupancy[citizen.tile] += 1
    check_fixed(town)
    check_complete(town)
    check_references(town)
    for state in objects:
        state.spec = None if state.running == NOTHING else tables.affordances[state.running]
    return town


def _write_state(words: WordWriter, town: Town) -> None:
    for stream in town.streams.all():
        words.add_ints([stream.state, stream.inc, stream.draws])
    words.add_int(town.seed)
    pile = Pile()
    pile.add("qq", town.tick, town.next_number)
    write_list(pile, town.living())
    write_list(pile, town.objects)
    for name, _ in _LEDGERS:
        write_record(pile, getattr(town, name))
    words.add_bytes(pile.packed())


def _read_name(reader: WordReader) -> CustomName:
    agent_id, display_name = (reader.read_bytes(reader.read_entries()).decode(errors="replace") for _ in range(2))
    return CustomName(agent_id, display_name)
