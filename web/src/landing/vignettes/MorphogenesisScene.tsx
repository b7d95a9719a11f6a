import { Scene } from "./Scene";

const LAYERS = [
  [64, [56, 100, 144]],
  [144, [40, 80, 120, 160]],
  [232, [56, 100, 144]],
  [320, [80, 120]],
] as const;

/** A network whose newest module is still a bud. */
export function MorphogenesisScene() {
  return (
    <Scene sky={["#0d2b2a", "#123f3a"]}>
      {LAYERS.slice(0, -1).flatMap(([x, ys], layer) => {
        const [nextX, nextYs] = LAYERS[layer + 1] as (typeof LAYERS)[number];
        return ys.flatMap((y) =>
          nextYs.map((nextY) => (
            <path
              key={`${x}-${y}-${nextY}`}
              d={`M${x} ${y}C${x + 40} ${y} ${nextX - 40} ${nextY} ${nextX} ${nextY}`}
              stroke="#5fd3b4"
              strokeWidth="1.2"
              opacity="0.32"
              fill="none"
            />
          )),
        );
      })}
      {LAYERS.flatMap(([x, ys]) =>
        ys.map((y) => (
          <g key={`${x}-${y}`}>
            <circle cx={x} cy={y} r="10" fill="#17594f" stroke="#5fd3b4" strokeWidth="2" />
            <circle cx={x} cy={y} r="3.6" fill="#c7f5e6" />
          </g>
        )),
      )}
      <g stroke="#ffc069" fill="none" strokeLinecap="round">
        <path d="M144 120c26 22 40 52 54 60" strokeWidth="2.4" />
        <path d="M198 180c18-4 28-18 34-36" strokeWidth="2.4" strokeDasharray="3 6" />
      </g>
      <circle cx="198" cy="178" r="15" fill="#ffc069" opacity="0.22" />
      <circle cx="198" cy="178" r="9" fill="#ffc069" />
      <path d="M198 169c-8-10-2-20 4-24 4 8 4 18-4 24ZM198 169c8-6 18-4 22 2-8 4-16 4-22-2Z" fill="#9be27a" />
    </Scene>
  );
}
