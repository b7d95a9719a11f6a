import { Scene } from "./Scene";

/** For a world this client has no drawing of: an empty case under a lamp. */
export function EmptyScene() {
  return (
    <Scene sky={["#1b2140", "#2c2a4a"]}>
      <path d="M200 0v34" stroke="#8e93b5" strokeWidth="2" />
      <path d="M178 52a22 18 0 0 1 44 0Z" fill="#ffc069" />
      <path d="m178 52-58 120h160L222 52Z" fill="#ffc069" opacity="0.14" />
      <path d="M120 172h160" stroke="#8e93b5" strokeWidth="2" />
      <path
        d="m200 96 34 18v38l-34 18-34-18v-38Z"
        fill="none"
        stroke="#9dabff"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="m166 114 34 18 34-18M200 132v38" fill="none" stroke="#9dabff" strokeWidth="1.5" opacity="0.6" />
    </Scene>
  );
}
