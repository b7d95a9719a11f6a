"""From a package and content to a resolved package."""

from diorama.numerics import round_half_up
from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.teams import are_enemies
from diorama.worlds.tidebreak.resolve.encoding import ResolvedPackage, encode
from diorama.worlds.tidebreak.resolve.equipment import resolve_signature, resolve_weapon
from diorama.worlds.tidebreak.resolve.map import resolve_map
from diorama.worlds.tidebreak.resolve.records import FORMAT, ResolvedRules, ResolvedTeam
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedBattle
from diorama.worlds.tidebreak.resolve.units import resolve_units
from diorama.worlds.tidebreak.resolve.validation import validate_package


def resolve(package: BattlePackage, content: Content | None = None) -> ResolvedPackage:
    """Validate a package, fill in its defaults and expand its classes and its map.

    Args:
        package: What to fight.
        content: Tables to expand from; those that ship with the world unless given.

    Returns:
        The same bytes for the same package and content, on every machine.

    Raises:
        PackageError: With everything that is wrong.
    """
    content = content or shipped_content()
    sound, warnings = validate_package(package, content)
    return encode(_battle(sound, content), warnings)


def _battle(package: BattlePackage, content: Content) -> ResolvedBattle:
    rules = _rules(package)
    return ResolvedBattle(
        format=FORMAT,
        schema_version=package.schema_version,
        battle_id=package.battle_id,
        seed=package.seed,
        torch_seed=package.torch_seed,
        content_hash=content.content_hash,
        rules=rules,
        teams=_teams(package),
        map=resolve_map(package.map, package.seed, rules.time_limit_ticks),
        weapons=tuple(resolve_weapon(weapon) for weapon in content.weapons.values()),
        decoy_signature=resolve_signature(content.decoy_signature),
        mine_signature=resolve_signature(content.mine_signature),
        units=resolve_units(package, content),
    )


def _rules(package: BattlePackage) -> ResolvedRules:
    rules = package.rules
    substeps = int(round_half_up(1.0 / package.time_step_s))
    return ResolvedRules(
        substeps=substeps,
        dt_s=1.0 / substeps,
        time_limit_ticks=int(package.time_limit_s),
        margin_on_timeout=package.timeout_rule == "margin",
        fields=rules.fields,
        field_period=rules.field_period,
        max_bricks=rules.max_bricks,
        fog=rules.fog,
        perfect_iff=rules.perfect_iff,
        friendly_fire=rules.friendly_fire,
        allow_friendly_orders=rules.allow_friendly_orders,
        boarding=rules.boarding,
        surrender=rules.surrender,
        clutter=rules.clutter,
        objective_ends_battle=rules.objective_ends_battle,
    )


def _teams(package: BattlePackage) -> tuple[ResolvedTeam, ...]:
    contexts_given = any(team.faction_context is not None for team in package.teams)
    return tuple(
        ResolvedTeam(
            index=index,
            team_id=team.team_id,
            name=team.name,
            enemies=tuple(
                other
                for other, candidate in enumerate(package.teams)
                if other != index and are_enemies(team, candidate, contexts_given=contexts_given)
            ),
        )
        for index, team in enumerate(package.teams)
    )
