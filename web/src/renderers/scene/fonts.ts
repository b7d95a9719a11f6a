/** Fetches the letters that pictures are labeled with. */
export function loadFonts(family: string): Promise<unknown> {
  return Promise.all(["500", "600", "700"].map((weight) => document.fonts.load(`${weight} 12px "${family}"`)));
}
