import { Scene } from "./Scene";

const COLUMNS = [0, 1, 2, 3, 4, 5];
const ROWS = [0, 1, 2];
const SCREENS = ["#9bbc0f", "#8bac0f", "#a8c832", "#7f9f1a"] as const;

/** A wall of little green screens, each at another moment of the same game. */
export function GameboyScene() {
  return (
    <Scene sky={["#22283a", "#171b28"]}>
      {ROWS.flatMap((row) =>
        COLUMNS.map((columnIndex) => {
          const moment = row * COLUMNS.length + columnIndex;
          const hop = (moment * 7) % 11;
          return (
            <g key={moment} transform={`translate(${18 + columnIndex * 62} ${10 + row * 62})`}>
              <rect width="54" height="54" rx="6" fill="#c9c6bd" />
              <rect x="5" y="5" width="44" height="36" rx="3" fill="#56545e" />
              <rect x="10" y="9" width="34" height="28" fill={SCREENS[moment % SCREENS.length]} />
              <path d="M10 31h34v6H10Z" fill="#306230" />
              <path d={`M${16 + ((moment * 5) % 18)} 27h7v4h-7Z`} fill="#306230" />
              <path d={`M${14 + ((moment * 9) % 22)} ${24 - hop}h5v5h-5Z`} fill="#0f380f" />
              <path d={`M${34 - ((moment * 3) % 14)} 14h4v4h-4Z`} fill="#306230" />
              <path d="M9 46h8M13 43v6" stroke="#3a3944" strokeWidth="2.4" />
              <circle cx="38" cy="47" r="2.6" fill="#a1305a" />
              <circle cx="45" cy="45" r="2.6" fill="#a1305a" />
            </g>
          );
        }),
      )}
    </Scene>
  );
}
