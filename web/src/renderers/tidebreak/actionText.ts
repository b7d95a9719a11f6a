import type { ActionText, RenderState } from "../renderer";
import { asTidebreak, flagship, type OwnState, ownOf, type WeaponState } from "./state";
import { compass, contactName, GROUPS, iffWord, kilometers } from "./words";

const THROTTLE = "Throttle";
const RUDDER = "Rudder";
const DEPTH = "Depth";
const EMIT = "Emissions";
const FIRE = "Fire";
const TARGET = "Target";
const SUPPORT = "Support";

const FIXED: Readonly<Record<string, ActionText>> = {
  "throttle.astern": { family: THROTTLE, title: "Full astern", short: "Astern", detail: "Go backward at 40%." },
  "throttle.stop": { family: THROTTLE, title: "Stop engines", short: "Stop", detail: "Let the ship lose way." },
  "throttle.ahead_20": { family: THROTTLE, title: "Ahead 20%", short: "20%", detail: "Creep: hardly heard." },
  "throttle.ahead_40": { family: THROTTLE, title: "Ahead 40%", short: "40%", detail: "Slow and fairly quiet." },
  "throttle.ahead_65": { family: THROTTLE, title: "Ahead 65%", short: "65%", detail: "Cruise." },
  "throttle.ahead_85": { family: THROTTLE, title: "Ahead 85%", short: "85%", detail: "Fast, and loud under water." },
  "throttle.flank": { family: THROTTLE, title: "Flank speed", short: "Flank", detail: "All she has; heard from afar." },
  "rudder.hard_left": {
    family: RUDDER,
    title: "Hard left",
    short: "◂◂◂",
    place: 0,
    detail: "Turn left as tightly as she can.",
  },
  "rudder.left": { family: RUDDER, title: "Left", short: "◂◂", place: 1, detail: "Turn left." },
  "rudder.slight_left": { family: RUDDER, title: "Slightly left", short: "◂", place: 2, detail: "Ease to the left." },
  "rudder.midships": { family: RUDDER, title: "Rudder midships", short: "Mid", place: 3, detail: "Keep the course." },
  "rudder.slight_right": {
    family: RUDDER,
    title: "Slightly right",
    short: "▸",
    place: 4,
    detail: "Ease to the right.",
  },
  "rudder.right": { family: RUDDER, title: "Right", short: "▸▸", place: 5, detail: "Turn right." },
  "rudder.hard_right": {
    family: RUDDER,
    title: "Hard right",
    short: "▸▸▸",
    place: 6,
    detail: "Turn right as tightly as she can.",
  },
  "layer.hold": { family: DEPTH, title: "Hold depth", short: "Hold", detail: "Stay in this layer." },
  "layer.up": { family: DEPTH, title: "Up one layer", short: "Up", detail: "Slow, loud and dangerous on the way." },
  "layer.down": {
    family: DEPTH,
    title: "Down one layer",
    short: "Down",
    detail: "Slow, loud and dangerous on the way.",
  },
  "layer.pop_up": { family: DEPTH, title: "Pop up", short: "Pop up", detail: "Twelve seconds up to fire missiles." },
  "emissions.no_change": { family: EMIT, title: "Emissions as they are", short: "Keep", detail: "Change nothing." },
  "emissions.silent": {
    family: EMIT,
    title: "Go silent",
    short: "Silent",
    detail: "Send nothing, not even to friends.",
  },
  "emissions.passive": {
    family: EMIT,
    title: "Passive sensors",
    short: "Passive",
    detail: "Listen and look; talk to friends.",
  },
  "emissions.active": {
    family: EMIT,
    title: "Active sensors",
    short: "Active",
    detail: "Radar and sonar: see much, and be seen from farther.",
  },
  "weapon.hold": { family: FIRE, title: "Hold fire", short: "Hold", detail: "Nothing is fired by order." },
  "weapon.free": {
    family: FIRE,
    title: "Fire at will",
    short: "At will",
    detail: "Whatever bears on the target fires.",
  },
  "target.keep": { family: TARGET, title: "Keep the target", short: "Keep", detail: "Stay on the designated contact." },
  "support.none": { family: SUPPORT, title: "No support order", short: "None", detail: "Nothing besides." },
  "support.decoy": {
    family: SUPPORT,
    title: "Launch a decoy",
    short: "Decoy",
    detail: "Draws torpedoes and missiles.",
  },
  "support.dc_balanced": { family: "Damage control", title: "Damage control balanced", short: "Balanced", detail: "" },
  "support.dc_fire": { family: "Damage control", title: "Fight fires first", short: "Fire", detail: "" },
  "support.dc_flood": { family: "Damage control", title: "Pump first", short: "Flooding", detail: "" },
  "support.dc_repair": { family: "Damage control", title: "Repair first", short: "Repair", detail: "" },
  "support.board": {
    family: "Last means",
    title: "Board the target",
    short: "Board",
    detail: "Close in, latch on and send the marines over.",
  },
  "support.scuttle": {
    family: "Last means",
    title: "Scuttle the ship",
    short: "Scuttle",
    detail: "Sink her rather than lose her. There is no way back.",
  },
};
const WEAPONS: Readonly<Record<string, WeaponState["group"]>> = {
  gun: "GUN",
  torpedo: "TORPEDO",
  missile: "MISSILE",
  asw: "ASW",
  mine: "MINE",
  air: "AIR",
};

/** Returns what an order means right now, in a captain's words. */
export function actionText(key: string, state: RenderState): ActionText {
  const fixed = FIXED[key];
  if (fixed !== undefined) {
    return fixed;
  }
  const now = asTidebreak(state);
  const own = ownOf(now, flagship(now));
  const [head, option = ""] = key.split(".");
  const group = WEAPONS[option];
  if (head === "weapon" && group !== undefined) {
    return weaponText(group, own);
  }
  const row = option.match(/^row_(\d+)$/)?.[1];
  return head === "target" && row !== undefined ? targetText(Number(row), own) : { title: key, detail: "" };
}

function weaponText(group: WeaponState["group"], own: OwnState | undefined): ActionText {
  const name = GROUPS[group];
  const weapon = own?.weapons.find((one) => one.group === group);
  const title = group === "MINE" ? "Lay mines" : group === "AIR" ? "Launch the air wing" : `Fire ${name.toLowerCase()}`;
  if (weapon === undefined || weapon.mounts === 0) {
    return { family: FIRE, title, short: name, detail: "This ship has none.", isHiddenWhenClosed: true };
  }
  const left = weapon.ammo < 0 ? "without end" : `${weapon.ammo} left`;
  const range = weapon.range_m > 0 ? `, up to ${kilometers(weapon.range_m)}` : "";
  return { family: FIRE, title, short: name, detail: `${weapon.ready} of ${weapon.mounts} ready, ${left}${range}.` };
}

function targetText(row: number, own: OwnState | undefined): ActionText {
  const contact = own?.contacts.find((one) => one.row === row);
  if (contact === undefined) {
    return {
      family: TARGET,
      title: `Contact ${row + 1}`,
      short: `${row + 1}`,
      detail: "Nothing is there.",
      isHiddenWhenClosed: true,
    };
  }
  const reach = contact.can_engage ? " Some weapon bears on it." : "";
  return {
    family: TARGET,
    title: `Target ${contactName(contact).toLowerCase()}, ${kilometers(contact.range_m)} away`,
    short: `${row + 1} · ${contactName(contact)} ${kilometers(contact.range_m)}`,
    detail: `${iffWord(contact.iff)} at ${compass(contact.bearing)}.${reach}`,
    isHiddenWhenClosed: true,
  };
}
