"""What consoles say about themselves."""

from base64 import b64encode
from collections.abc import Sequence

from diorama.contracts.consoles import ConsoleProgram
from diorama.server.consoles.entry import ConsoleEntry
from diorama.server.models.consoles import (
    ConsoleState,
    Inspection,
    LineRow,
    ObjectRow,
    ProgramRow,
    RegisterRow,
    SheetPicture,
)


def program_rows(programs: Sequence[ConsoleProgram]) -> list[ProgramRow]:
    """Return programs as they are told."""
    return [
        ProgramRow(
            id=program.id,
            title=program.title,
            source=program.source.value,
            hardware=program.hardware,
            size_bytes=program.size_bytes,
            about=program.about,
            supported=program.problem is None,
            problem=program.problem,
            config=None if program.config is None else dict(program.config),
        )
        for program in programs
    ]


def state_of(entry: ConsoleEntry) -> ConsoleState:
    """Return where a console stands."""
    return ConsoleState(
        session_id=entry.session_id,
        world=entry.world,
        program=entry.program,
        frame_count=entry.console.frame_count,
        trap=entry.console.trap,
    )


def inspection_of(entry: ConsoleEntry) -> Inspection:
    """Return what can be seen inside of a console."""
    seen = entry.console.inspect()
    return Inspection(
        session_id=entry.session_id,
        frame_count=entry.console.frame_count,
        trap=entry.console.trap,
        registers=[
            RegisterRow(group=one.group, name=one.name, value=one.value, digits=one.digits, meaning=one.meaning)
            for one in seen.registers
        ],
        lines=[
            LineRow(address=line.address, data=line.data.hex(), text=line.text, is_next=line.is_next)
            for line in seen.lines
        ],
        tiles=SheetPicture(
            rows=seen.tiles.rows, columns=seen.tiles.columns, packed=b64encode(seen.tiles.packed).decode()
        ),
        objects=[
            ObjectRow(
                index=one.index,
                x=one.x,
                y=one.y,
                tile=one.tile,
                attributes=one.attributes,
                is_on_screen=one.is_on_screen,
            )
            for one in seen.objects
        ],
        serial_text=seen.serial_text,
    )
