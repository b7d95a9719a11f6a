"""Orchards with one flaw each, for the check that must find it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from orchard import WORLD
from orchard.bots import RandomPicker
from orchard.contract import SPEC, OrchardConfig
from orchard.simulation import OrchardSimulation

from diorama.contracts.plans import Comparison, Expectation
from diorama.contracts.spec import Better
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.world import World
from diorama.engine.reference_core import ReferenceCore
from tests.conformance import flaws
from tests.engine.toy_world import TOY


def orchard(simulation: Callable[[Any], Any] = OrchardSimulation, **changes: Any) -> World[Any]:
    """Return the example world with another simulation, and whatever else is changed."""
    return replace(WORLD, simulate=simulation, **changes)


def with_fast_tier(simulation: Callable[[Any], Any]) -> World[Any]:
    """Return the example world with a fast tier that runs another simulation."""

    def accelerate(config: OrchardConfig, request: CoreRequest) -> BatchCore:
        return ReferenceCore.build(orchard(simulation), config, copies=request.copies, seed=request.seed)

    return orchard(accelerate=accelerate)


def with_core(core: type[ReferenceCore]) -> World[Any]:
    """Return the example world with a fast tier of another class."""

    def accelerate(config: OrchardConfig, request: CoreRequest) -> BatchCore:
        return core.build(orchard(), config, copies=request.copies, seed=request.seed)

    return orchard(accelerate=accelerate)


def described(**changes: Any) -> World[Any]:
    """Return the example world with another contract."""
    return orchard(describe=lambda _: replace(SPEC, **changes))


def judged(**changes: Any) -> World[Any]:
    """Return the example world with another evaluation."""
    return orchard(evaluation=replace(WORLD.evaluation, **changes))


def toy(simulation: Callable[[Any], Any]) -> World[Any]:
    """Return the world of two seats, of which one drops out early, with another simulation."""
    return replace(TOY, simulate=simulation)


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """A world, the check that must find what is wrong with it, and words of what it says."""

    check: str
    world: World[Any]
    words: str


FLAWS = {
    "no-headline": Flaw(
        check="contract",
        world=orchard(describe=lambda _: replace(SPEC, headline=())),
        words="no headline metric",
    ),
    "unexplained-key": Flaw(check="configuration", world=orchard(config_type=flaws.UnexplainedConfig), words="'pests'"),
    "path-that-is-not-declared": Flaw(
        check="files",
        world=orchard(config_type=flaws.HoldsAPath),
        words="'seeds_file' holds a path",
    ),
    "file-that-is-not-declared": Flaw(
        check="files",
        world=orchard(flaws.PlantsFromAFile, config_type=flaws.LooksForAFile),
        words="'seeds' names a file that is looked for, and does not say so",
    ),
    "looks-while-parsing": Flaw(
        check="files", world=orchard(config_type=flaws.LooksWhileParsing), words="'seeds' is valid or not by what lies"
    ),
    "deaf-to-seeds": Flaw(check="seeds", world=orchard(flaws.DeafToSeeds), words="are the same episode"),
    "keeps-its-stream": Flaw(
        check="seeds", world=orchard(flaws.KeepsItsStream), words="opens differently in a used copy"
    ),
    "shares-a-clock": Flaw(
        check="batches", world=orchard(flaws.SharesAClock), words="a copy among others has another obs"
    ),
    "sees-too-much": Flaw(
        check="values", world=orchard(flaws.SeesTooMuch), words="'carried' is 5..5, outside of its bounds"
    ),
    "pays-nothing": Flaw(check="values", world=orchard(flaws.PaysNothing), words="its reward terms add up to 7"),
    "allows-nothing": Flaw(
        check="masks", world=orchard(flaws.AllowsNothing), words="allowed no option of head 'action'"
    ),
    "allows-everything": Flaw(check="masks", world=orchard(flaws.AllowsEverything), words="(0,) was carried out"),
    "forbids-what-it-does": Flaw(check="refusals", world=orchard(flaws.ForbidsWhatItDoes), words="forbids 'NORTH'"),
    "refuses-by-itself": Flaw(
        check="refusals", world=orchard(flaws.RefusesByItself), words="refused with UnknownOption"
    ),
    "never-ends": Flaw(
        check="episodes",
        world=orchard(flaws.NeverEnds, evaluation=replace(WORLD.evaluation, max_decisions=40)),
        words="no episode ended in 40 decisions",
    ),
    "ends-in-silence": Flaw(
        check="episodes", world=orchard(flaws.EndsInSilence), words="no row was terminated or truncated"
    ),
    "remembers-episodes": Flaw(
        check="auto-reset", world=orchard(flaws.RemembersEpisodes), words="the state hash is not that of seed"
    ),
    "forgets-its-stream": Flaw(
        check="snapshots", world=orchard(flaws.ForgetsItsStream), words="shows another state hash"
    ),
    "reseeds-too-much": Flaw(
        check="start states",
        world=orchard(flaws.ReseedsTooMuch),
        words="begins in a stored state shows other obs",
    ),
    "reseeds-by-mood": Flaw(
        check="start states", world=orchard(flaws.ReseedsByMood), words="leads elsewhere the second time"
    ),
    "takes-any-words": Flaw(
        check="bad snapshots", world=orchard(flaws.TakesAnyWords), words="one word too few was taken"
    ),
    "breaks-on-words": Flaw(check="bad snapshots", world=orchard(flaws.BreaksOnWords), words="raised IndexError"),
    "pays-more": Flaw(check="parity", world=with_fast_tier(flaws.PaysMore), words="suite random: step 0"),
    "stubborn-bot": Flaw(
        check="bots", world=orchard(bots={"stubborn": flaws.Stubborn}), words="'EMPTY' of head 'action' is masked"
    ),
    "moody-bot": Flaw(check="bots", world=orchard(bots={"moody": flaws.Moody}), words="differently the second time"),
    "gymnasium-sees-too-much": Flaw(check="gymnasium", world=orchard(flaws.SeesTooMuch), words="check_env"),
    "loses-time": Flaw(check="pictures", world=orchard(flaws.LosesTime), words="lacks time_remaining"),
    "no-contract": Flaw(
        check="contract", world=orchard(describe=lambda _: None), words="describe() returned a NoneType"
    ),
    "no-simulation": Flaw(check="contract", world=orchard(None), words="World.simulate is a NoneType"),  # type: ignore[arg-type] # the flaw
    "one-bot-for-all": Flaw(
        check="contract", world=orchard(bots={"random": RandomPicker()}), words="World.bots is no mapping"
    ),
    "plain-config": Flaw(check="contract", world=orchard(config_type=flaws.PlainConfig), words="World.config_type is"),
    "thawed-contract": Flaw(
        check="contract", world=described(metrics=list(SPEC.metrics)), words="the contract is not frozen"
    ),
    "magic-of-another": Flaw(
        check="contract", world=described(snapshot_magic=b"PRSP"), words="like those of 'prospector'"
    ),
    "version-zero": Flaw(check="contract", world=described(snapshot_version=0), words="snapshots have the version 0"),
    "nameless-option": Flaw(
        check="contract",
        world=described(heads=(replace(SPEC.heads[0], options=("", *SPEC.heads[0].options[1:])),)),
        words="an option is called ''",
    ),
    "no-evaluation": Flaw(check="plans", world=orchard(evaluation=None), words="World.evaluation is a NoneType"),
    "unknown-summary": Flaw(check="plans", world=judged(summaries=("pears_mean",)), words="'pears_mean'"),
    "unknown-statistic": Flaw(check="plans", world=judged(interval_summaries=("picked_most",)), words="'most'"),
    "compares-what-it-does-not-sum": Flaw(
        check="plans",
        world=judged(comparisons=(Comparison(summary="picked_mean", better=Better.HIGHER),)),
        words="'picked_mean', which is not among its summaries",
    ),
    "profile-of-another-world": Flaw(
        check="plans", world=judged(return_profiles=(("default", {"pests": 1}),)), words="profile 'default'"
    ),
    "expects-a-stranger": Flaw(
        check="plans",
        world=judged(expectations=(Expectation(title="beats it", summary="delivered_mean", baseline="nobody"),)),
        words="expectation 'beats it' names the bot 'nobody'",
    ),
    "no-matrix": Flaw(check="plans", world=judged(matrix_seeds=()), words="World.evaluation has no matrix_seeds"),
    "companion-unknown": Flaw(
        check="plans", world=orchard(companion=lambda _: "nobody"), words="World.companion names the bot 'nobody'"
    ),
    "parity-of-another-world": Flaw(
        check="plans",
        world=orchard(parity=replace(WORLD.parity, configs=(("wet", {"rain": 1}),))),
        words="World.parity, configuration 'wet'",
    ),
    "unknown-suite": Flaw(
        check="plans",
        world=orchard(parity=replace(WORLD.parity, quick_suites=("boring",))),
        words="World.parity names the quick suite 'boring'",
    ),
    "unknown-milestone": Flaw(check="plans", world=described(milestones=(("pears", (1.0,)),)), words="'pears'"),
    "returns-too-much": Flaw(check="simulation", world=orchard(flaws.ReturnsTooMuch), words="step() returned a tuple"),
    "pays-in-numpy": Flaw(
        check="simulation", world=orchard(flaws.PaysInNumpy), words="an entry of rewards is np.float32"
    ),
    "pays-everybody": Flaw(check="simulation", world=orchard(flaws.PaysEverybodyAtOnce), words="rewards is a float"),
    "counts-nothing": Flaw(check="simulation", world=orchard(flaws.CountsNothing), words="an entry of metrics is ()"),
    "surprises": Flaw(
        check="simulation", world=orchard(flaws.Surprises), words="['hailstorm'] are not in the contract"
    ),
    "keeps-the-payload": Flaw(
        check="simulation",
        world=described(events=tuple(replace(kind, payload=("cause",)) for kind in SPEC.events)),
        words="carries nothing",
    ),
    "opens-late": Flaw(check="simulation", world=orchard(flaws.OpensLate), words="or of 1 ticks"),
    "loses-count": Flaw(check="simulation", world=orchard(flaws.LosesCount), words="draws is -1"),
    "forgets-the-question": Flaw(check="simulation", world=orchard(flaws.ForgetsTheQuestion), words="received None"),
    "takes-its-time": Flaw(check="simulation", world=orchard(flaws.TakesItsTime), words="took 70000 ticks"),
    "tells-numpy": Flaw(check="simulation", world=orchard(flaws.TellsNumpy), words="info or event_data is no JSON"),
    "leaves-places": Flaw(
        check="simulation", world=orchard(flaws.LeavesPlaces), words="observe() leaves places of obs"
    ),
    "rebinds-its-mask": Flaw(
        check="simulation", world=orchard(flaws.RebindsItsMask), words="write_masks() leaves places"
    ),
    "looks-and-draws": Flaw(
        check="simulation", world=orchard(flaws.LooksAndDraws), words="looking at a copy changes it"
    ),
    "lends-its-words": Flaw(
        check="simulation", world=orchard(flaws.LendsItsWords), words="changed when the copy was stepped"
    ),
    "signed-words": Flaw(check="simulation", world=orchard(flaws.WritesSignedWords), words="an array of int64"),
    "leaves-nobody": Flaw(
        check="simulation", world=orchard(flaws.LeavesNobody), words="nobody decides when an episode opens"
    ),
    "asks-whether": Flaw(
        check="simulation", world=orchard(flaws.AsksWhetherItIsOver), words="is_over is <bound method"
    ),
    "leaves": Flaw(check="simulation", world=orchard(flaws.Leaves), words="SystemExit: 3 (at flaws.py:"),
    "chatters": Flaw(check="simulation", world=orchard(flaws.Chatters), words="the world prints: 'picking'"),
    "half-a-core": Flaw(
        check="simulation", world=orchard(accelerate=lambda *_: object()), words="World.accelerate returned a object"
    ),
    "hashes-little": Flaw(
        check="state hash", world=orchard(flaws.HashesLittle), words="the same state hash, and look different"
    ),
    "pays-too-much": Flaw(check="simulation", world=orchard(flaws.PaysTooMuch), words="the rewards are (1e+300,)"),
    "forbids-all-in-the-end": Flaw(
        check="masks", world=orchard(flaws.ForbidsAllInTheEnd), words="is allowed no option"
    ),
    "draws-lots": Flaw(check="seeds", world=orchard(flaws.DrawsLots), words="another rewards at step 27"),
    "ends-twice": Flaw(check="seats", world=orchard(flaws.EndsTwice), words="its episode is over, and decides on"),
    "starts-always": Flaw(check="seats", world=orchard(flaws.StartsAlways), words="every step of every seat is marked"),
    "pays-the-dead": Flaw(check="seats", world=toy(flaws.PaysTheDead), words="row 1 ended before, and is paid"),
    "ends-the-dead-again": Flaw(check="seats", world=toy(flaws.EndsTheDeadAgain), words="or told its end again"),
    "drops-out-untold": Flaw(
        check="seats", world=toy(flaws.DropsOutUntold), words="row 1 played, and its copy began anew"
    ),
    "keeps-its-arrays": Flaw(check="batches", world=with_core(flaws.KeepsItsArrays), words="write into other arrays"),
    "splits-off-strangers": Flaw(check="batches", world=with_core(flaws.SplitsOffStrangers), words="in 2 parts"),
    "loses-its-hunger": Flaw(
        check="snapshots", world=orchard(flaws.LosesItsHunger), words="goes on with another rewards"
    ),
    "trusts-words": Flaw(
        check="bad snapshots", world=orchard(flaws.TrustsWords), words="was taken, and led to IndexError"
    ),
    "pays-more-late": Flaw(check="parity", world=with_fast_tier(flaws.PaysMoreLate), words="suite random: step 299"),
    "says-a-number": Flaw(
        check="bots", world=orchard(bots={"one": flaws.SaysANumber}), words="no tuple of whole numbers"
    ),
    "writes-notes": Flaw(check="bots", world=orchard(bots={"one": flaws.WritesNotes}), words="changes the masks"),
    "remembers": Flaw(check="bots", world=orchard(bots={"one": flaws.Remembers}), words="differently the second time"),
    "shows-numpy": Flaw(check="pictures", world=orchard(flaws.ShowsNumpy), words="the render state is no JSON"),
    "numbers-as-keys": Flaw(
        check="pictures", world=orchard(flaws.ShowsNumbersAsKeys), words="after a trip through JSON"
    ),
    "shows-a-list": Flaw(check="pictures", world=orchard(flaws.ShowsAList), words="render_state() returned a list"),
    "headlines-words": Flaw(
        check="pictures", world=orchard(flaws.HeadlinesWords), words="the headline {'delivered': 'many'}"
    ),
    "time-in-words": Flaw(check="pictures", world=orchard(flaws.TellsTimeInWords), words="the time 'noon'"),
    "goes-dark": Flaw(check="pictures", world=orchard(flaws.GoesDark), words="RuntimeError: no light"),
    "no-picture": Flaw(check="pictures", world=orchard(draw=lambda *_: None), words="draw() returned a NoneType"),
    "stamped": Flaw(check="replays", world=orchard(flaws.Stamped), words="the replay is another"),
}
