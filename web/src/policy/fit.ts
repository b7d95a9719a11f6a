import type { WorldDescriptor } from "../api/types";
import { type PolicyFacts, PolicyRefused } from "./facts";

const TAKEN = { obs: "float32", obs_u8: "uint8" } as const;

/** Returns why a policy cannot play a world as it is configured; null where it can. */
export function misfit(facts: PolicyFacts, descriptor: WorldDescriptor): PolicyRefused | null {
  if (facts.world !== descriptor.world || facts.interfaceVersion !== descriptor.interface_version) {
    return new PolicyRefused(
      `This policy plays ${facts.interfaceVersion}; what is played here is ${descriptor.interface_version}.`,
    );
  }
  const refused = (why: string) =>
    new PolicyRefused(`${why} It was trained in another configuration of ${descriptor.world}.`, facts.config);
  for (const [name, here] of Object.entries(widthsOf(descriptor))) {
    const wanted = facts.inputs[name];
    if (wanted !== undefined && wanted !== here) {
      return refused(`The policy takes ${wanted} numbers of ${name}, and this world shows ${here}.`);
    }
  }
  const heads = descriptor.action_heads;
  const told = (names: readonly { name: string; options: number }[]) =>
    names.map(({ name, options }) => `${name} (${options})`).join(", ");
  const here = heads.map(({ name, options }) => ({ name, options: options.length }));
  if (told(here) !== told(facts.heads)) {
    return refused(`The policy decides ${told(facts.heads)}, and this world asks for ${told(here)}.`);
  }
  return null;
}

function widthsOf({ obs_layout, action_heads }: WorldDescriptor): Record<string, number> {
  const stop = (dtype: string) =>
    Math.max(0, ...obs_layout.filter((block) => block.dtype === dtype).map((block) => block.stop));
  return {
    obs: stop(TAKEN.obs),
    obs_u8: stop(TAKEN.obs_u8),
    mask: action_heads.reduce((sum, head) => sum + head.options.length, 0),
  };
}
