"""From a live town to the body of a snapshot, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from struct import error as StructError
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import ConfigError, SnapshotError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import JsonObject
from diorama.rng import Pcg32
from diorama.worlds.townlet.config.identity import structural_hash
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.state import StateBlocks
from diorama.worlds.townlet.live.files import TownFiles
from diorama.worlds.townlet.live.narrating.narrator import Narrator
from diorama.worlds.townlet.live.stored import Body, StoredFile, StoredFiles, StoredStream
from diorama.worlds.townlet.live.windows import PromotionWindow
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.reference.words import read_town, snapshot_words
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.sources import Source
from diorama.worlds.townlet.tables.town_tables import TownTables

# What runs the town is set where it is run; a snapshot keeps none of it, least of all the tokens.
_SERVICES: Final = frozenset({"telemetry", "console_auth", "console", "snapshot", "runtime"})
_ENCODING: Final = "latin-1"  # gives every byte back, whatever a file was written in
_STREAMS: Final = ("world", "events", "policy")
_BODY: Final = TypeAdapter(Body)


@dataclass(slots=True)
class LiveState:
    """A town, and what a live one remembers besides."""

    town: Town
    window: PromotionWindow
    narrator: Narrator


def write_body(state: LiveState, files: TownFiles) -> JsonObject:
    """A town between two ticks as JSON values."""
    town, sources = state.town, files.sources
    body = Body(
        seed=town.seed,
        tick=town.tick,
        next_number=town.next_number,
        streams={
            name: StoredStream(f"{stream.state:016x}", f"{stream.inc:016x}", stream.draws)
            for name, stream in zip(_STREAMS, town.streams.all(), strict=True)
        },
        citizens=town.living(),
        objects=town.objects,
        economy=town.economy,
        rules=town.rules,
        employment=town.employment,
        lifecycle=town.lifecycle,
        embedding=town.embedding,
        perturbations=town.perturbations,
        queues=town.queues,
        social=town.social,
        kpis=town.kpis,
        custom_names=town.custom_names,
        chronicle=town.chronicle,
        promotion_window=state.window,
        narrator=state.narrator,
        config=town.config.model_dump(mode="json", exclude=set(_SERVICES)),
        files=StoredFiles(
            town_sha256=sources.town.sha256,
            affordances=_stored(sources.affordances),
            perturbations=None if sources.perturbations is None else _stored(sources.perturbations),
        ),
    )
    document: JsonObject = _BODY.dump_python(body, mode="json")
    return document


def read_body(document: JsonObject, live: Town, files: TownFiles) -> tuple[LiveState, TownFiles]:
    """A town as it was stored, on tables of its own.

    Args:
        document: What `write_body` wrote.
        live: The town that runs: the other must be of the same structure.
        files: Its files.

    Raises:
        SnapshotError: It is no state of such a town.
    """
    try:
        body = _BODY.validate_python(document)
    except ValidationError as error:
        raise SnapshotError(first_problem(error, inside="body")) from None
    if body.files.town_sha256 != files.sources.town.sha256:
        raise SnapshotError("the snapshot is of another town: its town file differs")
    try:
        config = _config(body.config, live.config)
        if structural_hash(config, body.files.town_sha256) != structural_hash(live.config, body.files.town_sha256):
            raise SnapshotError("the snapshot is of another configuration: it differs in what needs a restart")
        sources = replace(
            files.sources,
            affordances=_source(body.files.affordances),
            perturbations=None if body.files.perturbations is None else _source(body.files.perturbations),
        )
        found = replace(files, sources=sources)
        tables = found.compile(config)
    except ConfigError as error:
        raise SnapshotError(f"the configuration of the snapshot cannot be used: {error}") from None
    return LiveState(_town(body, tables, config), body.promotion_window, body.narrator), found


def _config(stored: Mapping[str, Any], live: SimulationConfig) -> SimulationConfig:
    """The stored configuration under the label and the services' settings of the live one."""
    kept = live.model_dump(mode="json", include={*_SERVICES, "config_id"})
    return validated(type(live), {**stored, **kept}, "config")


def _town(body: Body, tables: TownTables, config: SimulationConfig) -> Town:
    """Build the town and go through all of it once, so that no index of it leads nowhere."""
    specs = [state.spec for state in body.objects]
    try:
        streams = {
            name: Pcg32(int(kept.state, 16), int(kept.inc, 16), kept.draws) for name, kept in body.streams.items()
        }
        town = Town(
            tables=tables,
            config=config,
            seed=body.seed,
            streams=Streams(**streams),
            tick=body.tick,
            next_number=body.next_number,
            seats=[*body.citizens],
            objects=body.objects,
            economy=body.economy,
            rules=body.rules,
            employment=body.employment,
            lifecycle=body.lifecycle,
            embedding=body.embedding,
            perturbations=body.perturbations,
            queues=body.queues,
            social=body.social,
            kpis=body.kpis,
            occupancy=[],
            custom_names=body.custom_names,
        )
        town = read_town(snapshot_words(town), tables, config)
        for state, spec in zip(town.objects, specs, strict=True):
            state.spec = _same(state.spec, spec)
        town.chronicle = body.chronicle
        scene = Scene(town)
        scene.look()
        StateBlocks().news(scene)
    except (IndexError, KeyError, TypeError, ValueError, OverflowError, StructError) as error:
        raise SnapshotError(f"the snapshot does not hold together ({type(error).__name__}: {error})") from None
    return town


def _same(known: AffordanceRow | None, stored: AffordanceRow | None) -> AffordanceRow | None:
    """What is running, as it began: a reload may since have given the affordance another row, or taken it away."""
    return known if known == stored else stored


def _stored(source: Source) -> StoredFile:
    return StoredFile(source.name, source.data.decode(_ENCODING))


def _source(stored: StoredFile) -> Source:
    try:
        return Source(name=stored.name, data=stored.text.encode(_ENCODING))
    except UnicodeEncodeError:
        raise SnapshotError(f"files: {stored.name!r} holds characters that no file was read from") from None
