import { Scene } from "./Scene";

const STARS = [
  [22, 30, 1.1],
  [58, 84, 0.8],
  [92, 22, 1.3],
  [131, 58, 0.7],
  [168, 18, 0.9],
  [214, 40, 1.2],
  [251, 16, 0.8],
  [304, 30, 1],
  [352, 62, 1.3],
  [381, 24, 0.8],
  [40, 150, 0.9],
  [372, 128, 0.9],
  [190, 98, 0.7],
  [118, 176, 0.9],
] as const;

/** A ship under its own light, drilling a rock within sight of the station. */
export function ProspectorScene() {
  return (
    <Scene sky={["#0d1230", "#2b2250"]}>
      {STARS.map(([x, y, r]) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r={r} fill="#dfe6ff" opacity="0.8" />
      ))}
      <circle cx="338" cy="176" r="92" fill="#3a2c66" />
      <path d="M246 176a92 92 0 0 1 184 0c-24-34-152-42-184 0Z" fill="#6f4a8e" opacity="0.45" />
      <path d="M236 192c40-26 132-52 190-44" stroke="#c9a4e8" strokeWidth="2" fill="none" opacity="0.45" />
      <g transform="translate(306 52)">
        <circle r="23" fill="none" stroke="#8ea2ff" strokeWidth="3.5" />
        <path d="M-23 0h46M0-23v46" stroke="#8ea2ff" strokeWidth="2" />
        <circle r="8" fill="#ffd699" />
        <rect x="-4" y="-34" width="8" height="9" rx="1.5" fill="#8ea2ff" />
        <rect x="-4" y="25" width="8" height="9" rx="1.5" fill="#8ea2ff" />
      </g>
      <path d="m62 128 18-24 34-10 30 12 14 26-8 32-34 20-36-6-20-22Z" fill="#6d6a80" />
      <path d="m62 128 18-24 34-10-8 34-26 14Z" fill="#8d8aa2" />
      <path d="m106 128 8-34 30 12 14 26-30 8Z" fill="#7c788f" />
      <path d="m80 142 26-14 22 12-6 28-26 6Z" fill="#57546a" />
      <circle cx="97" cy="121" r="6" fill="#4a475c" />
      <circle cx="133" cy="150" r="4.5" fill="#4a475c" />
      <path d="m186 101-40 17" stroke="#67e8f9" strokeWidth="3" strokeLinecap="round" opacity="0.9" />
      <circle cx="146" cy="118" r="6" fill="#e7fdff" />
      <circle cx="146" cy="118" r="12" fill="#67e8f9" opacity="0.3" />
      <g transform="translate(210 92) rotate(157)">
        <path d="M-24-9h30l16 9-16 9h-30l6-9Z" fill="#d5dbf5" />
        <path d="M-24 9h30l16-9h-40Z" fill="#ffffff" />
        <path d="M-6-9-14-19h12l8 10ZM-6 9l-8 10h12l8-10Z" fill="#ff9f5a" />
        <circle cx="6" cy="0" r="4" fill="#4353c9" />
        <path d="m-24-4-18 4 18 4Z" fill="#ffc069" />
      </g>
      <path d="m234 146 8-9 13 2 5 10-7 9-13 1Z" fill="#6d6a80" />
      <path d="m30 66 6-7 10 2 3 8-6 6-9 0Z" fill="#57546a" />
      <path d="m262 118 4-5 7 1 2 6-4 4-7 0Z" fill="#57546a" />
    </Scene>
  );
}
