import { Scene } from "./Scene";

const CITIZENS = [
  [96, 164, "#d9485f"],
  [148, 172, "#4450c4"],
  [166, 170, "#0f8a6b"],
  [184, 172, "#b86200"],
  [276, 166, "#7a3fa8"],
] as const;

/** A street at noon: houses, a shop with a queue, someone late for work. */
export function TownletScene() {
  return (
    <Scene sky={["#a9dcf0", "#e6f3e4"]}>
      <circle cx="60" cy="42" r="18" fill="#ffe08a" />
      <path
        d="M250 44c0-9 14-12 19-4 8-4 17 2 15 9h-36c-6 0-6-5 2-5ZM140 30c0-7 11-9 15-3 6-3 13 2 11 7h-28c-5 0-5-4 2-4Z"
        fill="#fff"
      />
      <path d="M0 136c70-26 130-20 200-8s140-10 200 4v68H0Z" fill="#9ccf8c" />
      <path d="M0 156h400v44H0Z" fill="#e9dcc2" />
      <path d="M0 156h400v5H0Z" fill="#cdbd9c" />
      <g>
        <path d="M24 92h62v64H24Z" fill="#f4efe4" />
        <path d="m16 94 39-32 39 32Z" fill="#c8553d" />
        <path d="M48 124h16v32H48Z" fill="#7b4b3a" />
        <path d="M32 104h14v13H32ZM66 104h14v13H66Z" fill="#8fc1d4" />
      </g>
      <g>
        <path d="M124 84h96v72h-96Z" fill="#f7e3c0" />
        <path d="M118 84h108v14H118Z" fill="#2f5d8a" />
        <path d="M118 98h108l-6 12H124Z" fill="#fff" />
        <path d="M118 98h18l-4 12h-8ZM154 98h18l0 12h-16ZM190 98h18l2 12h-18Z" fill="#e2574c" />
        <path d="M136 118h34v28h-34Z" fill="#8fc1d4" />
        <path d="M184 118h22v38h-22Z" fill="#5a4636" />
      </g>
      <g>
        <path d="M256 74h54v82h-54Z" fill="#d7dbe6" />
        <path d="M264 84h12v12h-12ZM290 84h12v12h-12ZM264 106h12v12h-12ZM290 106h12v12h-12Z" fill="#6d86b0" />
        <path d="M274 130h18v26h-18Z" fill="#46587a" />
        <path d="M252 68h62v8h-62Z" fill="#8f98ad" />
      </g>
      <path d="M346 156v-34h6v34Z" fill="#7b5a3a" />
      <circle cx="349" cy="106" r="24" fill="#5aa469" />
      <circle cx="362" cy="116" r="15" fill="#6fb77a" />
      {CITIZENS.map(([x, y, coat]) => (
        <g key={`${x}-${y}`} transform={`translate(${x} ${y})`}>
          <path d="M-5 14V4a5 5 0 0 1 10 0v10Z" fill={coat} />
          <circle cy="-5" r="4.6" fill="#f0c9a4" />
          <path d="M-4.6-6a4.6 4.6 0 0 1 9.2 0Z" fill="#4b3527" />
        </g>
      ))}
    </Scene>
  );
}
