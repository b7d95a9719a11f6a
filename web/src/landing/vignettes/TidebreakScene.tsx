import { Scene } from "./Scene";

/** Three depth layers: an aircraft, a ship on the swell, a submarine below. */
export function TidebreakScene() {
  return (
    <Scene sky={["#f5b06b", "#f7d9b4"]}>
      <circle cx="296" cy="70" r="30" fill="#fff1d6" />
      <path d="M0 92c60-14 90 8 140-2s86-12 130 0 90 4 130-6v116H0Z" fill="#2b7a93" />
      <path d="M0 118c50-10 92 10 142 2s90-14 132-2 84 8 126-2v84H0Z" fill="#1d5f7c" />
      <path d="M0 150c56-8 96 8 146 2s84-10 126-2 86 6 128 0v50H0Z" fill="#134664" />
      <g fill="#26334a">
        <path d="M116 90h128l-14 22H132Z" />
        <path d="M148 76h56v14h-56ZM166 62h22v14h-22ZM174 40h4v22h-4ZM212 80h20v4h-20Z" />
      </g>
      <path d="M116 90h128l-3 5H119Z" fill="#e2574c" />
      <path d="M156 80h6v5h-6ZM168 80h6v5h-6ZM180 80h6v5h-6Z" fill="#ffd699" />
      <path d="M232 81c30-12 54-12 82 6" stroke="#fff6e8" strokeWidth="1.6" strokeDasharray="3 5" fill="none" />
      <g transform="translate(64 36) rotate(8)" fill="#3b4a63">
        <path d="M-20 0c14-4 30-4 40 0-10 4-26 4-40 0ZM-4-1 6-16h5L6-1ZM-4 1 6 16h5L6 1ZM-19-1l-5-7h4l6 7Z" />
      </g>
      <g transform="translate(290 158)">
        <path d="M-42 0c0-10 16-13 42-13s42 3 46 13c-4 10-20 13-46 13s-42-3-42-13Z" fill="#0d2c44" />
        <path d="M-8-12h20v-12H-2Z" fill="#0d2c44" />
        <path d="m-42 0-12-8v16Z" fill="#0d2c44" />
        <circle cx="26" cy="-1" r="3" fill="#8fe3ff" />
        <circle cx="14" cy="-1" r="3" fill="#8fe3ff" />
      </g>
      <g fill="none" stroke="#8fe3ff" opacity="0.5">
        <path d="M218 158a26 26 0 0 1 8-19M206 158a38 38 0 0 1 12-28" strokeWidth="2" strokeLinecap="round" />
      </g>
      <g fill="#bfeaff" opacity="0.6">
        <circle cx="352" cy="136" r="3" />
        <circle cx="360" cy="122" r="2" />
        <circle cx="348" cy="112" r="1.6" />
      </g>
    </Scene>
  );
}
