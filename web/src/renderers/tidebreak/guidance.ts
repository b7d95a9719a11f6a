import type { RenderState } from "../renderer";
import { asTidebreak, type ContactState, flagship, type OwnState, ownOf, type UnitState } from "./state";

export interface Suggestion {
  key: string;
  why: string;
}

const MANY = 3;
/** Headings within this of the target need no rudder, radians. */
const ON_COURSE = 0.35;
const ACTIVE = 2;

/** Points a newcomer at sensible next orders; advice only, the server alone knows the rules. */
export function suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[] {
  const now = asTidebreak(state);
  const unit = flagship(now);
  const own = ownOf(now, unit);
  if (unit === undefined || own === undefined) {
    return [];
  }
  const ideas = [...saving(unit, own), ...fighting(unit, own), ...searching(unit, own)];
  return ideas.filter((idea) => isOpen(idea.key)).slice(0, MANY);
}

function saving(unit: UnitState, own: OwnState): Suggestion[] {
  const isHunted = own.contacts.some((contact) => contact.kind === "munition");
  return [
    ...(isHunted ? [{ key: "support.decoy", why: "Something is running at the ship." }] : []),
    ...(unit.fire > 0.15 && own.dc_focus !== 1 ? [{ key: "support.dc_fire", why: "The ship burns." }] : []),
    ...(unit.flood > 0.15 && own.dc_focus !== 2 ? [{ key: "support.dc_flood", why: "The ship takes water." }] : []),
  ];
}

function fighting(unit: UnitState, own: OwnState): Suggestion[] {
  const hostile = own.contacts.filter((contact) => contact.kind === "track");
  const target = hostile.find((contact) => contact.row === own.target_row);
  const best = hostile.find((contact) => contact.can_engage) ?? hostile[0];
  if (best === undefined) {
    return [];
  }
  return [
    ...(target === undefined ? [{ key: `target.row_${best.row}`, why: "Designate a contact to fire at." }] : []),
    ...(best.can_engage ? [{ key: "weapon.free", why: "Weapons bear on a contact." }] : []),
    ...(best.can_engage ? [] : turnTo(unit, own, best)),
    ...(own.ordered_throttle < 0.6 && !best.can_engage
      ? [{ key: "throttle.ahead_85", why: "Close the range until weapons reach." }]
      : []),
  ];
}

function searching(unit: UnitState, own: OwnState): Suggestion[] {
  return [
    ...(own.contacts.length === 0 && unit.emissions !== ACTIVE && unit.layer === 0
      ? [{ key: "emissions.active", why: "Nothing is seen yet; radar sees farther." }]
      : []),
    ...(own.ordered_throttle < 0.3
      ? [{ key: "throttle.ahead_65", why: "A ship that lies still is an easy target." }]
      : []),
  ];
}

function turnTo(unit: UnitState, own: OwnState, contact: ContactState): Suggestion[] {
  const turn = ((contact.bearing - unit.h + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  if (Math.abs(turn) < ON_COURSE) {
    return own.ordered_rudder === 0 ? [] : [{ key: "rudder.midships", why: "The contact lies ahead." }];
  }
  if (own.ordered_rudder * turn > 0) {
    return [];
  }
  return [{ key: turn > 0 ? "rudder.left" : "rudder.right", why: "Turn toward the contact." }];
}
