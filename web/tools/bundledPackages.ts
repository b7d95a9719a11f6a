import type { Plugin } from "vite";

const FILE = "bundled-packages.json";
/** The innermost package of a module: a package may carry others inside. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Leaves the names of the packages the client is made of, styles and fonts included, for `tools/write_notices.py`. */
export function bundledPackages(): Plugin {
  return {
    name: "bundled-packages",
    apply: "build",
    generateBundle() {
      const names = [...this.getModuleIds()].flatMap((id) => id.replaceAll("\\", "/").match(PACKAGE)?.[1] ?? []);
      const source = `${JSON.stringify([...new Set(names)].sort(), null, 2)}\n`;
      this.emitFile({ type: "asset", fileName: FILE, source });
    },
  };
}
