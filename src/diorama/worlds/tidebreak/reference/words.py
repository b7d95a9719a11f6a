"""A battle as words: first the canonical state, which is hashed, then what else a restored battle needs."""

from typing import Final

from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import U64
from diorama.snapshots import (
    WordReader,
    WordWriter,
    check_numbers,
    hash_hex,
    hash_words,
    pack_snapshot,
    unpack_snapshot,
)
from diorama.worlds.tidebreak.codes import WeaponGroup
from diorama.worlds.tidebreak.reference.components import (
    Boarding,
    Compartment,
    ContactMemory,
    Crew,
    Hull,
    Identity,
    LayerState,
    Memory,
    Morale,
    Motion,
    Mount,
    Munition,
    Objective,
    Posture,
    Stores,
    Storm,
    Tally,
    Track,
    Tracks,
    Transform,
)
from diorama.worlds.tidebreak.reference.layouts import (
    Pile,
    read_list,
    read_record,
    read_service,
    write_list,
    write_record,
)
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.state import Battle, Outcome, Unit
from diorama.worlds.tidebreak.reference.systems.squadrons import squadron_spec
from diorama.worlds.tidebreak.reference.word_checks import check_battle
from diorama.worlds.tidebreak.resolve import ResolvedPackage, ResolvedUnit

MAGIC: Final = b"TBSN"
VERSION: Final = 1


def state_words(battle: Battle) -> U64:
    """The canonical state."""
    words = WordWriter()
    _write_state(words, battle)
    return words.words()


def state_hash(battle: Battle) -> int:
    """Hash of the canonical state."""
    return hash_words(state_words(battle))


def write_snapshot(battle: Battle) -> bytes:
    """Everything needed to go on from here, given the same package."""
    words = WordWriter()
    write_battle(words, battle)
    header = {
        "content_hash": battle.spec.content_hash,
        "package_sha256": battle.package.sha256,
        "initial_state_hash": hash_hex(battle.initial_hash),
    }
    return pack_snapshot(MAGIC, VERSION, header, words.words())


def read_snapshot(data: bytes, package: ResolvedPackage, *, is_collecting: bool = False) -> Battle:
    """A battle as it was; controllers are not part of it.

    Raises:
        SnapshotError: The bytes are damaged or of another version, or of another package (C021).
    """
    header, words = unpack_snapshot(data, MAGIC, VERSION)
    if header.get("package_sha256") != package.sha256:
        raise SnapshotError("C021 the snapshot is of another package; restore it into the battle it was taken from")
    reader = WordReader(words)
    battle = read_battle(reader, package, is_collecting=is_collecting)
    reader.finish()
    battle.initial_hash = int(header["initial_state_hash"], base=16)
    return battle


def write_battle(words: WordWriter, battle: Battle) -> None:
    """Add everything a battle needs to go on but its package, its controllers and its first hash."""
    _write_state(words, battle)
    service = Pile()
    write_record(service, battle.outcome)
    for unit in battle.units:
        write_record(service, unit.memory)
    for munition in battle.munitions:
        write_record(service, munition, service=True)
    words.add_bytes(service.packed())


def read_battle(words: WordReader, package: ResolvedPackage, *, is_collecting: bool = False) -> Battle:
    """Take out what `write_battle` added; the log is empty.

    Raises:
        SnapshotError: The words do not describe a battle of this package.
    """
    battle = open_battle(package, is_collecting=is_collecting)
    battle.log.take()
    _read_state(words, battle)
    battle.outcome = read_record(words, Outcome)
    for unit in battle.units:
        unit.memory = read_record(words, Memory)
    for munition in battle.munitions:
        read_service(words, munition)
    check_battle(battle)
    return battle


def _write_state(words: WordWriter, battle: Battle) -> None:
    pile = Pile()
    pile.add_ints(battle.tick, battle.seed, battle.next_entity_id, battle.log.next_event_id, len(battle.units))
    for unit in battle.units:
        _write_unit(pile, unit)
    write_list(pile, battle.munitions)
    write_list(pile, battle.storms)
    words.add_bytes(pile.packed())
    battle.fields.write(words)


def _write_unit(pile: Pile, unit: Unit) -> None:
    write_record(pile, unit.identity)
    write_record(pile, unit.transform)
    write_record(pile, unit.motion)
    write_record(pile, unit.layer)
    write_record(pile, unit.posture)
    write_record(pile, unit.hull)
    write_record(pile, unit.crew)
    write_record(pile, unit.morale)
    write_record(pile, unit.stores)
    write_list(pile, unit.mounts)
    write_list(pile, unit.compartments)
    write_record(pile, unit.contact_memory)
    write_record(pile, unit.boarding)
    write_record(pile, unit.objective)
    write_record(pile, unit.tally)
    pile.add_ints(len(unit.tracks.tracks), unit.tracks.next_track_id)
    for track in unit.tracks.tracks:
        write_record(pile, track)


def _read_state(words: WordReader, battle: Battle) -> None:
    battle.tick, battle.seed, battle.next_entity_id, battle.log.next_event_id = words.read_ints(4)
    check_numbers("a number", (battle.tick, battle.next_entity_id, battle.log.next_event_id))
    count, specs = words.read_entries(), battle.spec.units
    has_squadrons = any(weapon.group == WeaponGroup.AIR for weapon in battle.spec.weapons)
    if count < len(specs) or (count > len(specs) and not has_squadrons):
        raise SnapshotError(f"there are {count} units; the package has {len(specs)}")
    battle.units = [_read_unit(words, battle, specs[place] if place < len(specs) else None) for place in range(count)]
    battle.munitions = read_list(words, Munition)
    battle.storms = read_list(words, Storm)
    battle.fields.read(words)


def _read_unit(words: WordReader, battle: Battle, spec: ResolvedUnit | None) -> Unit:
    identity = read_record(words, Identity)
    unit = Unit(
        spec=squadron_spec(battle, identity.id, identity.team) if spec is None else spec,
        identity=identity,
        transform=read_record(words, Transform),
        motion=read_record(words, Motion),
        layer=read_record(words, LayerState),
        posture=read_record(words, Posture),
        hull=read_record(words, Hull),
        crew=read_record(words, Crew),
        morale=read_record(words, Morale),
        stores=read_record(words, Stores),
        mounts=read_list(words, Mount),
        compartments=read_list(words, Compartment),
        contact_memory=read_record(words, ContactMemory),
        boarding=read_record(words, Boarding),
        objective=read_record(words, Objective),
        tally=read_record(words, Tally),
    )
    track_count, next_track_id = words.read_entries(), words.read_int()
    check_numbers("a number", (next_track_id,))
    unit.tracks = Tracks(next_track_id, [read_record(words, Track) for _ in range(track_count)])
    return unit
