"""The command group; what it does is loaded when it is asked for."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.gameboy.goals import goal_app
from diorama.cli.gameboy.rom_argument import BootOption, RomArgument
from diorama.cli.groups import command_group, examples
from diorama.cli.options import ReportOption

gameboy_app = command_group()


gameboy_app.add_typer(goal_app, name="goal")


@gameboy_app.callback(
    epilog=examples(
        "diorama gameboy roms",
        "diorama gameboy play GRID_GOAL",
        "diorama gameboy verify ALU_FLAGS --steps 84",
        "diorama gameboy accuracy test-roms/",
    )
)
def gameboy() -> None:
    """Play, assemble, trace and verify Game Boy ROMs.

    No commercial ROM comes with Diorama and none is needed: it brings small ROMs of its own, and takes yours by path.
    """


@gameboy_app.command(
    epilog=examples(
        "diorama gameboy verify GRID_GOAL",
        "diorama gameboy verify MEM_RWB --frames-per-step 1 --release-after-frames 1 --steps 2000",
        "diorama gameboy verify my-game.gb --profile frames --steps 1200 --frames-per-step 1 --release-after-frames 1",
        "diorama gameboy verify CATCH --ref rust --dut warp_cpu --lanes 64",
    )
)
def verify(
    rom: RomArgument,
    ref: Annotated[
        str, typer.Option(help="Backend that is right: oracle (PyBoy), rust, py, warp_cpu or warp_cuda.")
    ] = "oracle",
    dut: Annotated[
        str, typer.Option(help="Backend under verification. stub_bad is wrong on purpose, to see a mismatch.")
    ] = "rust",
    steps: Annotated[int, typer.Option(min=1, help="Steps to run.")] = 100,
    profile: Annotated[
        str,
        typer.Option(
            help="What must agree: exact (everything), settled (memory and pictures), frames (a share of the pictures),"
            " selfcheck (the ROM judges itself) or auto (the strictest that is known to hold for the ROM)."
        ),
    ] = "auto",
    actions: Annotated[
        str, typer.Option(help="Keys: noop, seeded_random, seeded_random:SEED, striped or trace:FILE.")
    ] = "seeded_random",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the keys and of the choice of lanes.")] = 0,
    compare_every: Annotated[int, typer.Option(min=1, help="Compare after every so many steps.")] = 1,
    lanes: Annotated[
        int,
        typer.Option(
            min=1,
            max=65_536,
            help="Consoles under verification, each with its own keys; four of them are compared.",
        ),
    ] = 1,
    boot: BootOption = None,
    frames_per_step: Annotated[int, typer.Option(min=1, help="Frames of a step.")] = 24,
    release_after_frames: Annotated[int, typer.Option(min=0, help="Frames before the keys go up again.")] = 8,
    bundle_dir: Annotated[Path, typer.Option(file_okay=False, help="Where evidence of a mismatch goes.")] = Path(
        "mismatch"
    ),
    name: Annotated[str | None, typer.Option(help="What to call the ROM.", show_default="its file name")] = None,
    json: ReportOption = None,
) -> None:
    """Run a ROM on two backends from power-on with the same keys, and compare them step by step.

    Exits 0 when they agree, 1 when they differ (the evidence is left in a folder with a command that reproduces it),
    2 on bad input.
    """
    from diorama.cli.gameboy.rom_argument import find_rom
    from diorama.cli.gameboy.verifying import VerifyRequest, hold_verification
    from diorama.worlds.gameboy.schedule import PressSchedule

    request = VerifyRequest(
        rom=find_rom(rom, boot=boot, name=name),
        ref=ref,
        dut=dut,
        steps=steps,
        profile=profile,
        actions=actions,
        seed=seed,
        compare_every=compare_every,
        lanes=lanes,
        schedule=PressSchedule(frames_per_step=frames_per_step, release_after_frames=release_after_frames),
        bundle_dir=bundle_dir,
        json=json,
    )
    raise typer.Exit(hold_verification(request))


@gameboy_app.command(
    epilog=examples(
        "diorama gameboy asm hello.asm", "diorama gameboy asm game.asm -o game.gb --title GAME --library memcpy"
    )
)
def asm(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", dir_okay=False, help="Program text.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", dir_okay=False, help="ROM to write.", show_default="SOURCE with .gb"
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title in the header.", show_default="from the file name")] = None,
    cart_type: Annotated[str, typer.Option(help="Header byte $0147, such as 0 or '$1B'.")] = "0",
    rom_banks: Annotated[int, typer.Option(help="Banks of 16 KiB, a power of two.")] = 2,
    ram_code: Annotated[int, typer.Option(min=0, max=5, help="Header byte $0149.")] = 0,
    library: Annotated[
        list[str] | None,
        typer.Option(help="Routine of the common library to add, such as wait_vblank. Repeatable.", show_default=False),
    ] = None,
) -> None:
    """Assemble a program into a cartridge image.

    One instruction per line; `name:` sets a label, `;` begins a comment; `org`, `db`, `dw` and `ds` place data.
    Execution begins at the label `start`. Mistakes are told with their line.
    """
    from diorama.cli.gameboy.tools import assemble_file

    typer.echo(
        assemble_file(
            source,
            out=out,
            title=title,
            cart_type=cart_type,
            rom_banks=rom_banks,
            ram_code=ram_code,
            library=tuple(library or ()),
        )
    )


@gameboy_app.command(
    epilog=examples(
        "diorama gameboy disasm GRID_GOAL", "diorama gameboy disasm game.gb --bank 3 --start '$4000' --count 100"
    )
)
def disasm(
    rom: RomArgument,
    start: Annotated[str, typer.Option(metavar="ADDRESS", help="First address, such as '$0150' or 0x4000.")] = "$0150",
    bank: Annotated[int, typer.Option(min=0, help="Bank behind $4000-$7FFF.")] = 1,
    count: Annotated[int, typer.Option(min=1, help="Instructions to show.")] = 32,
) -> None:
    """Show a ROM as instructions."""
    from diorama.cli.gameboy.rom_argument import find_rom
    from diorama.cli.gameboy.tools import listing

    for line in listing(find_rom(rom), start=start, bank=bank, count=count):
        typer.echo(line)


@gameboy_app.command(
    epilog=examples(
        "diorama gameboy trace GRID_GOAL --count 20",
        "diorama gameboy trace GRID_GOAL --frames 60 --break '$0170'",
        "diorama gameboy trace CATCH --watch-write '$C0F0' --actions seeded_random:3",
    )
)
def trace(
    rom: RomArgument,
    count: Annotated[int, typer.Option(min=1, help="Instructions to show.")] = 32,
    frames: Annotated[
        int, typer.Option(min=0, help="Run so many frames first; with a stop, the most that are run to reach it.")
    ] = 0,
    break_at: Annotated[
        str | None, typer.Option("--break", metavar="ADDRESS", help="Run to this instruction.", show_default=False)
    ] = None,
    watch_write: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run until something writes there.", show_default=False)
    ] = None,
    max_instr: Annotated[int | None, typer.Option(min=0, help="Run so many instructions.", show_default=False)] = None,
    actions: Annotated[str, typer.Option(help="Keys while frames run, one step per frame.")] = "noop",
    boot: BootOption = None,
) -> None:
    """Show a ROM instruction by instruction, with registers.

    With a stop, the ROM runs until it is reached (at most 3,600 frames, or --frames) and is shown from there on.
    Exits 1 when a stop was not reached.
    """
    from diorama.cli.gameboy.rom_argument import find_rom, parse_address
    from diorama.cli.gameboy.tracing import Stops, show_trace

    stops = Stops(
        break_at=parse_address("--break", break_at),
        watch_write=parse_address("--watch-write", watch_write),
        max_instr=max_instr,
    )
    raise typer.Exit(show_trace(find_rom(rom, boot=boot), stops=stops, count=count, frames=frames, actions=actions))


@gameboy_app.command(epilog=examples("diorama gameboy play GRID_GOAL", "diorama gameboy play my-game.gb --scale 2"))
def play(
    rom: RomArgument,
    boot: BootOption = None,
    scale: Annotated[
        int | None,
        typer.Option(min=1, max=2, help="1: every pixel (160 columns), 2: every second.", show_default="what fits"),
    ] = None,
) -> None:
    """Play a ROM in the terminal, in real time.

    Arrow keys or WASD move; X is A, Z is B, Enter is Start, Backspace is Select; P pauses, Q quits. For touch, sound
    and a larger picture use the browser: 'diorama serve'.
    """
    from diorama.cli.gameboy.playing import play_in_terminal
    from diorama.cli.gameboy.rom_argument import find_rom

    play_in_terminal(find_rom(rom, boot=boot), scale=scale)


@gameboy_app.command(
    epilog=examples(
        "diorama gameboy accuracy test-roms/", "diorama gameboy accuracy test-roms/blargg --json accuracy.json"
    )
)
def accuracy(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR",
            help="Folder of test ROMs, searched through; folders named blargg, mooneye, dmg-acid2, rtc3test,"
            " gbmicrotest and homebrew tell the suite.",
            envvar="DIORAMA_GB_ACCURACY_DIR",
            show_default=False,
        ),
    ] = None,
    frames: Annotated[int, typer.Option(min=1, help="Console time after which a ROM counts as hanging.")] = 7200,
    backend: Annotated[str, typer.Option(help="Backend that runs them: rust, warp_cpu, warp_cuda or py.")] = "rust",
    json: ReportOption = None,
) -> None:
    """Run a folder of public test ROMs and judge each by the convention of its suite.

    Results are read from the serial port, cartridge RAM, the tile map, registers, or a reference picture (PNG) beside
    the ROM. Exits 0 when nothing failed, 1 when something failed, hung or trapped, 2 on bad input.
    """
    from diorama.cli.gameboy.judging import judge_folder

    raise typer.Exit(judge_folder(folder, frames=frames, backend=backend, json=json))


@gameboy_app.command(
    epilog=examples("diorama gameboy sm83 sm83/v1", "diorama gameboy sm83 vectors.json.gz --per-opcode 5 --seed 7")
)
def sm83(
    source: Annotated[
        Path, typer.Argument(metavar="DIR_OR_FILE", help="Per-opcode JSON files, one such file, or a packed sample.")
    ],
    per_opcode: Annotated[
        int | None, typer.Option(min=1, help="Vectors drawn for each opcode.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draw.")] = 0,
    json: ReportOption = None,
) -> None:
    """Execute public single-step vectors of the processor: registers, memory and every bus slot must come out.

    Three exceptions are declared: STOP is not run, slots of HALT and the final IME of EI are not compared.
    Exits 0 when all pass, 1 when one does not, 2 on bad input.
    """
    from diorama.cli.gameboy.judging import judge_vectors

    raise typer.Exit(judge_vectors(source, per_opcode=per_opcode, seed=seed, json=json))


@gameboy_app.command(epilog=examples("diorama gameboy roms", "diorama gameboy roms --out build/roms"))
def roms(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="Write all of them and a manifest there.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """List the ROMs that come with Diorama: what each tests, or which game it is."""
    from diorama.cli.gameboy.tools import list_roms, write_all_roms

    if out is not None:
        typer.echo(write_all_roms(out))
    else:
        list_roms()
