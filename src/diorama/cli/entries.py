"""Every command of `diorama`, in the order in which help lists them."""

from typing import Final

from diorama.cli.on_demand import Entry

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry(
        name="demo",
        target="diorama.cli.demo.command:demo",
        summary="Show every world at play, one after another, in about two minutes.",
        examples=("diorama demo", "diorama demo --world townlet --seconds 60", "diorama demo --browser"),
    ),
    Entry(
        name="worlds",
        target="diorama.cli.worlds:worlds",
        summary="List the worlds, or show what one of them promises: observation, actions, metrics, events, bots.",
        examples=("diorama worlds", "diorama worlds prospector --format json"),
    ),
    Entry(
        name="check-world",
        target="diorama.cli.check_world:check_world",
        summary="Run the conformance kit on a world: seeds, masks, snapshots, parity, API checkers and more.",
        examples=("diorama check-world prospector", "diorama check-world prospector -c time_max=500 --format json"),
    ),
    Entry(
        name="rollout",
        target="diorama.cli.rollout:rollout",
        summary="Play one episode with a scripted bot and tell what happens.",
        examples=(
            "diorama rollout prospector --bot prudent_hauler --seed 7",
            "diorama rollout prospector --bot greedy_miner --config pirates=false --format json",
        ),
    ),
    Entry(
        name="parity",
        target="diorama.cli.parity:parity",
        summary="Step both tiers of a world side by side and compare everything they show.",
        examples=(
            "diorama parity prospector",
            "diorama parity prospector --full --json reports/parity.json",
            "diorama parity prospector --suite D --seeds 3 --time-max 500 --time-max 9000",
        ),
    ),
    Entry(
        name="train",
        target="diorama.cli.training.command:train",
        summary="Train a policy, show how it goes, and compare it with the world's baselines.",
        command_class="diorama.cli.training.options:TrainCommand",
        examples=(
            "diorama train prospector",
            "diorama train prospector --preset quick --run-id first",
            "diorama train prospector --steps 5000000 --copies 1024 --set ppo.target_kl=0.02",
            "diorama train prospector --resume first --steps 40000",
            "diorama train prospector --processes 2",
        ),
    ),
    Entry(
        name="eval",
        target="diorama.cli.evaluation.command:evaluate",
        summary="Let scripted baselines, or the policy of a run beside them, play and say how well they do.",
        examples=(
            "diorama eval prospector --bot prudent_hauler --episodes 20",
            "diorama eval prospector --bot all --protocol --json reports/protocol.json",
            "diorama eval my-run --episodes 100 --stochastic",
            "diorama eval my-run --protocol --ray auto",
        ),
    ),
    Entry(
        name="sweep",
        target="diorama.cli.sweep:sweep",
        summary="Train many runs with different settings and find out which are best.",
        examples=("diorama sweep search.yaml", "diorama sweep search.yaml --trials 40 --parallel 2"),
    ),
    Entry(
        name="export",
        target="diorama.cli.export:export",
        summary="Write the policy of a run as an ONNX file that decides alike, for use without torch or in a browser.",
        examples=("diorama export my-run", "diorama export my-run --out policy.onnx --format json"),
    ),
    Entry(
        name="champion",
        target="diorama.cli.champions.command:champion_app",
        summary="Build, show and verify the champions of the worlds: the best policy of each, which comes with it.",
    ),
    Entry(
        name="scoreboard",
        target="diorama.cli.scoreboard.command:scoreboard",
        summary="Rank scripts, the champion, your runs and people who played, all on the same held-out seeds.",
        examples=("diorama scoreboard prospector", "diorama scoreboard prospector --episodes 5 --json report.json"),
    ),
    Entry(
        name="bench",
        target="diorama.cli.bench:bench",
        summary="Measure decisions per second of random valid actions through the Python-facing batch.",
        examples=("diorama bench prospector", "diorama bench prospector --copies 1,4096 --threads 1,2"),
    ),
    Entry(
        name="serve",
        target="diorama.cli.serving.command:serve",
        summary="Serve the web client and the interface: watch replays, play, study runs.",
        examples=("diorama serve", "diorama serve --run-root runs --port 8080 --open"),
    ),
    Entry(
        name="smoke",
        target="diorama.cli.smoke.command:smoke",
        summary="Check a deployment from the outside: server, catalogue, CORS, replays, streams, pages and tracker.",
        examples=(
            "diorama smoke --skip-wandb",
            "diorama smoke --backend https://runs.example.org --client https://watch.example.org "
            "--json reports/smoke.json",
        ),
    ),
    Entry(
        name="live",
        target="diorama.cli.live.command:live",
        summary="Run a world live: in real time, with telemetry, console, snapshots, stability monitor and promotion.",
        examples=(
            "diorama live townlet",
            "diorama live townlet --config-file town.yaml --speed 10x --policy my-run",
            "diorama live prospector --policy prudent_hauler --speed max",
        ),
    ),
    Entry(
        name="console",
        target="diorama.cli.console.command:console",
        summary="Give a command to a live world, or open a prompt.",
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
        examples=(
            "diorama console",
            "diorama console help teleport",
            "diorama console teleport citizen_001 10 2",
            "diorama console --dry-run spawn name=Nora job=clerk",
        ),
    ),
    Entry(
        name="events",
        target="diorama.cli.console.events:events",
        summary="Follow the events of a live world until Ctrl-C.",
        examples=("diorama events", "diorama events --types agent_exit,job_late --format json"),
    ),
    Entry(
        name="watch",
        target="diorama.cli.dashboard.command:watch",
        summary="Watch a live world or a training run in the terminal; q leaves, the world goes on.",
        examples=("diorama watch http://127.0.0.1:8001", "diorama watch my-run"),
    ),
    Entry(
        name="backup",
        target="diorama.cli.backups.command:backup",
        summary="Back up a live world or runs while they run; every file with its hash.",
        examples=(
            "diorama backup live/townlet backups/townlet-monday",
            "diorama backup runs backups/runs-monday --run my-run",
        ),
    ),
    Entry(
        name="restore",
        target="diorama.cli.backups.command:restore",
        summary="Restore a backup, whole or not at all, and never over anything.",
        examples=(
            "diorama restore backups/townlet-monday live/townlet-again",
            "diorama restore backups/runs-monday runs",
            "diorama restore backups/townlet-monday --check",
        ),
    ),
    Entry(
        name="prune",
        target="diorama.cli.backups.command:prune",
        summary="Remove old runs by age, number or bytes; never the best, nor one that is being written.",
        examples=(
            "diorama prune runs --older-than-days 30 --dry-run",
            "diorama prune runs --keep-newest 20 --keep-bytes 50000000000 --keep my-run",
        ),
    ),
    Entry(
        name="replay",
        target="diorama.cli.replays.command:replay_app",
        summary="List, show, verify, continue and draw the replays of a run.",
    ),
    Entry(
        name="snapshot",
        target="diorama.cli.live.snapshots:snapshot_app",
        summary="Look at snapshots of live worlds, check and migrate them, and live through a log again.",
    ),
    Entry(
        name="telemetry",
        target="diorama.cli.telemetry.command:telemetry_app",
        summary="Validate, watch and summarize the PPO telemetry of a run, and send reports of benchmarks.",
    ),
    Entry(
        name="tidebreak",
        target="diorama.cli.tidebreak.app:tidebreak_app",
        summary="Fight battles from files, compare them, and play whole campaigns.",
    ),
    Entry(
        name="townlet",
        target="diorama.cli.townlet.app:townlet_app",
        summary="Let towns live on their own, play scenarios, check files, and teach policies by the scripted "
        "controller.",
    ),
    Entry(
        name="gameboy",
        target="diorama.cli.gameboy.app:gameboy_app",
        summary="Play, assemble, trace and verify Game Boy ROMs.",
    ),
    Entry(
        name="morphogenesis",
        target="diorama.cli.morphogenesis.app:morphogenesis_app",
        summary="Grow networks by rules, by the clock or by chance, compare them, and look into what was recorded.",
    ),
    Entry(
        name="doctor",
        target="diorama.cli.doctor:doctor",
        summary="Show versions, which tiers of each world run and why not, cores, GPU and optional packages.",
        examples=("diorama doctor", "diorama doctor --format json"),
    ),
)
