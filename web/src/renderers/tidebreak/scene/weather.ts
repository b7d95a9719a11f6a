import { Graphics } from "pixi.js";
import { brokenRing } from "./rings";
import type { Sight } from "./sight";

const BANDS = 6;
const ARMS = 5;

/** Storms as bands of cloud; those that turn have arms. */
export class Weather {
  readonly view = new Graphics();

  draw(sight: Sight): void {
    this.view.clear();
    for (const storm of sight.state.storms) {
      const at = sight.camera.toScreen(storm);
      const radius = storm.radius * sight.camera.scale;
      for (let band = BANDS; band > 0; band -= 1) {
        const share = band / BANDS;
        this.view.circle(at.x, at.y, radius * share).fill({ color: "#d5dff0", alpha: 0.07 * storm.intensity + 0.01 });
      }
      if (storm.profile === "CYCLONIC") {
        this.#drawArms(at, radius, storm.intensity, sight);
      }
      brokenRing(this.view, at, radius, { parts: 40, share: 0.4 }, { width: 1, color: "#e8eefc", alpha: 0.5 });
    }
  }

  #drawArms(at: { x: number; y: number }, radius: number, intensity: number, sight: Sight): void {
    const turn = sight.isStill ? 0 : -sight.clockMs / 9000;
    for (let arm = 0; arm < ARMS; arm += 1) {
      const start = turn + (arm / ARMS) * 2 * Math.PI;
      for (let step = 0; step <= 24; step += 1) {
        const share = 0.16 + (step / 24) * 0.78;
        const angle = start + share * 2.6;
        const [x, y] = [at.x + Math.cos(angle) * radius * share, at.y + Math.sin(angle) * radius * share];
        if (step === 0) {
          this.view.moveTo(x, y);
        } else {
          this.view.lineTo(x, y);
        }
      }
      this.view.stroke({
        width: Math.max(2, radius * 0.04),
        color: "#f2f6ff",
        alpha: 0.16 + 0.14 * intensity,
        cap: "round",
      });
    }
  }
}
