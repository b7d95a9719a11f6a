import classes from "../landing.module.css";

/** A glass case with a small world in it: ground, sea, a house, a signal mast and a ship above. Decoration only. */
export function HeroCase() {
  return (
    <svg viewBox="0 0 400 400" className={classes.heroCase} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="case-glass" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="var(--dio-accent)" stopOpacity="0.22" />
          <stop offset="0.55" stopColor="var(--dio-accent)" stopOpacity="0.05" />
          <stop offset="1" stopColor="var(--dio-lamp)" stopOpacity="0.12" />
        </linearGradient>
      </defs>
      <ellipse cx="200" cy="352" rx="168" ry="30" fill="#000" opacity="0.12" />
      <path d="M40 268 200 356l160-88v24L200 380 40 292Z" fill="var(--dio-line-strong)" />
      <path d="m40 268 160-88 160 88-160 88Z" fill="#1f6b78" />
      <path d="m40 268 160-88 92 50c-34 2-40 26-74 28s-46 20-34 42l16 56Z" fill="#4f9b63" />
      <path d="m96 238 104-58 58 32c-30-2-44 14-70 14s-44 20-92 12Z" fill="#6fb77a" />
      <path d="m92 236 38-62 26 34 30-50 42 68-34 18-44-6Z" fill="#6b6391" />
      <path d="m130 174 10 14-8 6-9-8ZM186 158l14 23-11 6-13-13Z" fill="#eef0ff" />
      <path d="m186 158 42 68-34 18Z" fill="#554d7a" />
      <path d="m130 174 26 34-4 32-18-8Z" fill="#554d7a" />
      <g>
        <path d="m140 268 28-15 26 14v26l-27 15-27-15Z" fill="#f4efe4" />
        <path d="m167 282 27-15v26l-27 15Z" fill="#d9cfba" />
        <path d="m134 266 34-34 32 33-33 18Z" fill="#c8553d" />
        <path d="m168 232 32 33-33 18Z" fill="#a8432f" />
        <path d="m150 282 9 5v13l-9-5Z" fill="#ffc069" />
      </g>
      <g fill="#3d7a4d">
        <path d="m104 276 9-26 9 26Z" />
        <path d="m120 288 8-22 8 22Z" />
        <path d="m222 226 8-22 8 22Z" />
      </g>
      <g>
        <path d="m262 290 46-14-8 22-30 8Z" fill="#e8ecfa" />
        <path d="m282 284 2-30 20 24Z" fill="#ffffff" />
        <path
          d="M244 304c14-5 22 3 36-2s20 2 32-3"
          stroke="#8fd3dd"
          strokeWidth="2.5"
          fill="none"
          strokeLinecap="round"
        />
        <path d="M276 322c10-4 16 2 26-2" stroke="#8fd3dd" strokeWidth="2.5" fill="none" strokeLinecap="round" />
      </g>
      <g transform="translate(262 138) rotate(-24)">
        <path d="M-24-9h30l16 9-16 9h-30l6-9Z" fill="#eef1ff" stroke="#4353c9" strokeWidth="1" />
        <path d="M-6-9-14-19h12l8 10ZM-6 9l-8 10h12l8-10Z" fill="#ff9f5a" />
        <circle cx="6" cy="0" r="4" fill="#4353c9" />
        <path d="m-24-5-22 5 22 5Z" fill="#ffc069" />
      </g>
      <circle cx="118" cy="122" r="13" fill="#ffd699" />
      <g fill="var(--dio-text)" opacity="0.7">
        <circle cx="90" cy="168" r="1.8" />
        <circle cx="152" cy="112" r="1.5" />
        <circle cx="226" cy="100" r="1.8" />
        <circle cx="318" cy="164" r="1.6" />
        <circle cx="300" cy="206" r="1.4" />
      </g>
      <g stroke="var(--dio-accent)" strokeWidth="2.5" strokeLinejoin="round" fill="url(#case-glass)">
        <path d="m40 108 160 88v160L40 268Z" />
        <path d="m360 108-160 88v160l160-88Z" />
        <path d="m200 20 160 88-160 88-160-88Z" />
      </g>
      <path d="m62 132 52 29v96L62 228Z" fill="#fff" opacity="0.07" />
    </svg>
  );
}
