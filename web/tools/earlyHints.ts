import type { Plugin } from "vite";

/** What the first picture of a page needs, by the files that name it; asked for before any script has run. */
const NEEDED: Readonly<Record<string, readonly RegExp[]>> = {
  "/watch": [/src\/watch\/Page\.tsx$/, /src\/shell\/mount\.tsx$/],
  "/play": [/src\/play\/Page\.tsx$/, /src\/shell\/mount\.tsx$/],
};
/** And what draws the world that this browser drew last. */
const PAINTERS = /src\/renderers\/(\w+)\/(?:index|scene\/\w+Renderer)\.ts$/;

interface Chunk {
  type: string;
  fileName: string;
  facadeModuleId?: string | null;
  imports?: string[];
}

const ENTRY = /<script type="module"[^>]* src="([^"]+)"><\/script>/;
const PRELOADS = /\s*<link rel="modulepreload"[^>]*>/g;

/**
 * Writes into the document which scripts a page will need, so that they are fetched while it is being read. They wait
 * for `coverShown` of index.html: with two processors, reading them would double the time until a linked replay shows.
 */
export function earlyHints(): Plugin {
  return {
    name: "early-hints",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const chunks = Object.values(bundle ?? {}) as Chunk[];
        const pages = Object.fromEntries(
          Object.entries(NEEDED).map(([page, patterns]) => [
            page,
            filesOf(chunks, (id) => patterns.some((pattern) => pattern.test(id))),
          ]),
        );
        const names = [...new Set(chunks.flatMap(({ facadeModuleId }) => facadeModuleId?.match(PAINTERS)?.[1] ?? []))];
        const worlds = Object.fromEntries(
          names.map((world) => [world, filesOf(chunks, (id) => id.match(PAINTERS)?.[1] === world)]),
        );
        const entry = html.match(ENTRY)?.[1];
        if (entry === undefined) throw new Error("index.html names no script to begin with");
        return html
          .replace("<!-- early hints -->", `<script>${script(pages, worlds)}</script>`)
          .replace(PRELOADS, "")
          .replace(ENTRY, "")
          .replace("</body>", `<script>coverShown.then(() => import("${entry}"));</script></body>`);
      },
    },
  };
}

/** Returns the files that hold the wanted modules, and all that these import. */
function filesOf(chunks: readonly Chunk[], isWanted: (moduleId: string) => boolean): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<string>();
  const waiting = chunks.filter(({ facadeModuleId }) => facadeModuleId && isWanted(facadeModuleId));
  for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
    if (!found.has(chunk.fileName)) {
      found.add(chunk.fileName);
      waiting.push(...(chunk.imports ?? []).flatMap((name) => byName.get(name) ?? []));
    }
  }
  return [...found];
}

/** The names are those of `renderers/registry.ts`: the world drawn last, else the first there is. */
function script(pages: Record<string, string[]>, worlds: Record<string, string[]>): string {
  return [
    `const pages=${JSON.stringify(pages)},worlds=${JSON.stringify(worlds)};`,
    "const page=Object.keys(pages).find((path)=>location.pathname.startsWith(path));",
    'if(page)coverShown.then(()=>{const drawn=worlds[localStorage.getItem("diorama.drawn")]??Object.values(worlds)[0]??[];',
    "for(const file of new Set([...pages[page],...drawn]))",
    'document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href:"/"+file}));});',
  ].join("");
}
