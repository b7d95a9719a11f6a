"""What the presentation manifests of the worlds must hold: keys, folders, groups, and who is told by what."""

import re
from typing import Final

from diorama.worlds.morphogenesis.contracts.blueprints import CNN_BLUEPRINTS, TRANSFORMER_BLUEPRINTS
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.townlet.codes import OPTION_NAMES
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.tables.compiling import load_tables

PROSPECTOR: Final = "prospector"
TIDEBREAK: Final = "tidebreak"
GAMEBOY: Final = "gameboy"
TOWNLET: Final = "townlet"
MORPHOGENESIS: Final = "morphogenesis"
CLASS_FOLDERS: Final = {
    PROSPECTOR: {
        "entity.ship.": "ships/",
        "entity.station": "stations/",
        "entity.asteroid.": "asteroids/",
        "entity.hazard.": "hazards/",
        "entity.pirate.": "pirates/",
        "icon.market.": "icons/market/",
        "icon.event.": "icons/event/",
        "bg.starfield.": "starfields/",
        "bg.planet.": "planets/",
        "vfx.": "vfx/",
    },
    TIDEBREAK: {
        "entity.ship.": "ships/",
        "entity.wreck": "wrecks/",
        "entity.munition.": "munitions/",
        "icon.status.": "icons/status/",
        "vfx.": "vfx/",
    },
    GAMEBOY: {},
    TOWNLET: {
        "entity.object.": "objects/",
        "entity.scenery.": "scenery/",
        "entity.citizen.": "citizens/",
        "entity.face.": "faces/",
        "icon.option.": "icons/option/",
        "vfx.": "vfx/",
    },
    MORPHOGENESIS: {"icon.stage.": "icons/stage/", "icon.blueprint.": "icons/blueprint/", "vfx.": "vfx/"},
}
CUE_GROUPS: Final = {
    PROSPECTOR: {
        "ui.": "ui",
        "sfx.travel.": "travel",
        "sfx.scan.": "scan",
        "sfx.mine.": "mine",
        "sfx.utility.": "utility",
        "sfx.station.": "station",
        "sfx.event.": "event",
        "sfx.ui.": "event",
        "sfx.none": "ui",
    },
    TIDEBREAK: {
        "ui.": "ui",
        "sfx.helm.": "helm",
        "sfx.depth.": "depth",
        "sfx.sensor.": "sensor",
        "sfx.weapon.": "weapon",
        "sfx.support.": "support",
        "sfx.event.": "event",
        "sfx.none": "ui",
    },
    GAMEBOY: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
    TOWNLET: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
    MORPHOGENESIS: {"ui.": "ui", "sfx.event.": "event", "sfx.none": "ui"},
}
GRAPHICS_KEYS: Final = {
    PROSPECTOR: (
        *(f"entity.ship.{kind}" for kind in ("agent", "human")),
        "entity.station",
        *(f"entity.asteroid.{size}" for size in ("small", "medium", "large")),
        "entity.hazard.radiation",
        "entity.pirate.marker",
        *(f"icon.market.{way}" for way in ("up", "down", "flat")),
        *(f"icon.event.{name}" for name in ("pirate", "fracture", "overheat", "stranded", "destroyed", "invalid")),
    ),
    TIDEBREAK: (
        *(f"entity.ship.{ship_class}" for ship_class in (*shipped_content().classes, "squadron")),
        *(f"entity.munition.{kind.name.lower()}" for kind in MunitionKind),
        "entity.wreck",
        *(f"icon.status.{name}" for name in ("fire", "flood", "propulsion", "weapons", "sensors", "surrendered")),
    ),
    GAMEBOY: (),
    TOWNLET: (
        *(f"entity.object.{kind}" for kind in (*load_tables(TownletConfig()).types, "thing")),
        *(f"icon.option.{re.sub('(?<!^)(?=[A-Z])', '_', name).lower()}" for name in OPTION_NAMES),
    ),
    MORPHOGENESIS: (
        *(f"icon.stage.{stage.name.lower()}" for stage in SeedStage if stage is not SeedStage.UNKNOWN),
        *(f"icon.blueprint.{blueprint.blueprint_id}" for blueprint in {*CNN_BLUEPRINTS, *TRANSFORMER_BLUEPRINTS}),
    ),
}
BACKGROUND_KEYS: Final = {
    PROSPECTOR: ("bg.starfield.0", "bg.starfield.1", "bg.planet.0", "bg.planet.1"),
    TIDEBREAK: (),
    GAMEBOY: (),
    TOWNLET: (),
    MORPHOGENESIS: (),
}
UI_CUES: Final = ("none", "click", "select", "play", "pause", "step", "error")
COMMODITY_COLORS: Final = {"iron": "#9ca3af", "nickel": "#cbd5e1", "water_ice": "#67e8f9", "pge": "#facc15"}
COMMODITIES: Final = (*COMMODITY_COLORS, "rare_isotopes", "volatiles")

ACTION_EFFECTS: Final = (
    (range(6), "vfx.travel.warp", "sfx.travel.warp"),
    (range(6, 7), "vfx.none", "sfx.none"),
    (range(7, 8), "vfx.emergencyBurn", "sfx.travel.boost"),
    (range(8, 9), "vfx.scan.widePulse", "sfx.scan.wide"),
    (range(9, 10), "vfx.scan.focusBeam", "sfx.scan.focus"),
    (range(10, 11), "vfx.scan.deepSpectral", "sfx.scan.deep"),
    (range(11, 12), "vfx.scan.listenPing", "sfx.scan.listen"),
    (range(12, 28), "vfx.selection.ring", "ui.select"),
    (range(28, 29), "vfx.mine.conservative", "sfx.mine.low"),
    (range(29, 30), "vfx.mine.standard", "sfx.mine.mid"),
    (range(30, 31), "vfx.mine.aggressive", "sfx.mine.high"),
    (range(31, 32), "vfx.stabilize.field", "sfx.utility.stabilize"),
    (range(32, 33), "vfx.refine.sparkle", "sfx.utility.refine"),
    (range(33, 34), "vfx.cooldown.burst", "sfx.utility.cooldown"),
    (range(34, 35), "vfx.repair.tool", "sfx.utility.tool_repair"),
    (range(35, 36), "vfx.repair.hull", "sfx.utility.hull_patch"),
    (range(36, 42), "vfx.jettison", "sfx.utility.jettison"),
    (range(42, 43), "vfx.dock", "sfx.station.dock"),
    (range(43, 61), "vfx.sell", "sfx.station.sell"),
    (range(61, 67), "vfx.station.confirm", "sfx.station.buy"),
    (range(67, 68), "vfx.station.overhaul", "sfx.station.overhaul"),
    (range(68, 69), "vfx.ui.run_end", "sfx.ui.run_end"),
)
EVENT_EFFECTS: Final = {
    "invalid_action": ("vfx.warning.alert", "ui.error"),
    "pirate_encounter": ("vfx.warning.alert", "sfx.event.pirate_alarm"),
    "overheat_tick": ("vfx.event.overheat", "sfx.event.overheat_alarm"),
    "fracture": ("vfx.explosion.medium", "sfx.event.explosion"),
    "stranded": ("vfx.event.engine_fail", "sfx.event.engine_fail"),
    "destroyed": ("vfx.explosion.large", "sfx.event.big_explosion"),
    "terminated": ("vfx.ui.run_end", "sfx.ui.run_end"),
    "truncated": ("vfx.ui.run_end", "sfx.ui.run_end"),
    "cash_out": ("vfx.ui.run_end", "sfx.ui.run_end"),
}
