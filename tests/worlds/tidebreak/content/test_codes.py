from enum import IntEnum

import pytest

from diorama.worlds.tidebreak import codes
from diorama.worlds.tidebreak.codes import UnitStatus, component_status


@pytest.mark.parametrize(
    ("enum", "names"),
    [
        (codes.Layer, "SURFACE SUBMERGED ABYSSAL"),
        (codes.UnitKind, "SHIP PLATFORM SQUADRON"),
        (codes.MunitionKind, "SALVO TORPEDO MISSILE CHARGE MINE DECOY"),
        (codes.SizeClass, "S M L XL"),
        (codes.Emissions, "SILENT PASSIVE ACTIVE"),
        (codes.Modality, "VISUAL RADAR ESM PASSIVE_SONAR ACTIVE_SONAR LINK"),
        (codes.TrackQuality, "Q0 Q1 Q2 Q3"),
        (codes.Iff, "UNKNOWN FRIENDLY_AUTHENTICATED FRIENDLY_ASSUMED SUSPECT HOSTILE_DECLARED"),
        (codes.DamageType, "KINETIC EXPLOSIVE UNDERWATER THERMAL PRESSURE"),
        (codes.System, "PROPULSION WEAPONS SENSORS POWER BALLAST"),
        (codes.WeaponGroup, "AUTOMATIC GUN TORPEDO MISSILE ASW MINE AIR"),
        (codes.ShipFate, "OPERATIONAL DISABLED DESTROYED SCUTTLED CAPTURED"),
        (codes.CaptureMethod, "NONE BOARDED SURRENDERED"),
        (codes.BoardingStatus, "NONE ATTEMPTED ESTABLISHED REPULSED"),
        (codes.ConnectionState, "NONE APPROACHING LATCHING DOCKED TRANSFERRING"),
        (codes.ComponentStatus, "OPERATIONAL DAMAGED DESTROYED"),
        (codes.Terrain, "LAND SHALLOWS SHELF DEEP_OCEAN"),
        (codes.Precipitation, "NONE LIGHT_RAIN HEAVY_RAIN STORM"),
        (codes.DcFocus, "BALANCED FIRE FLOOD REPAIR"),
        (
            codes.ObjectiveType,
            "DESTROY DISABLE RAID INTERCEPT PROTECT SCREEN CAPTURE EVADE SHADOW LOITER SCOUT DELIVER RECOVER EVACUATE",
        ),
        (codes.ObjectiveStatus, "ACTIVE COMPLETED FAILED SUPERSEDED"),
        (codes.EndReason, "ELIMINATION TIME_LIMIT ALL_OUT OBJECTIVE ABORTED"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_codes_count_from_zero_in_the_contract_s_order(enum: type[IntEnum], names: str) -> None:
    assert [(member.name, int(member)) for member in enum] == [(name, i) for i, name in enumerate(names.split())]


def test_status_bits_are_powers_of_two_in_the_contract_s_order() -> None:
    assert [int(bit) for bit in UnitStatus] == [1 << index for index in range(13)]
    assert int(UnitStatus.DISABLED) == 4096
    assert int(codes.ABSENT_STATUS) == 8 | 2048 | 512


@pytest.mark.parametrize(
    ("fraction", "name"), [(1.0, "OPERATIONAL"), (0.75, "OPERATIONAL"), (0.74, "DAMAGED"), (0.24, "DESTROYED")]
)
def test_a_fraction_has_a_word(fraction: float, name: str) -> None:
    assert component_status(fraction).name == name
