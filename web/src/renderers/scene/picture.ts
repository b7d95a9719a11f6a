import { Texture } from "pixi.js";

/** Sprites are drawn as vectors; this many pixels per unit of the file keep them sharp on large screens. */
const PIXELS_PER_UNIT = 2;

const loaded = new Map<string, Promise<Texture>>();

/** Loads a picture once for all that draw it. */
export function loadPicture(url: string): Promise<Texture> {
  const known = loaded.get(url);
  if (known !== undefined) {
    return known;
  }
  const loading = draw(url);
  loaded.set(url, loading);
  // Another try may succeed.
  loading.catch(() => loaded.delete(url));
  return loading;
}

async function draw(url: string): Promise<Texture> {
  const image = new Image();
  // From another host it may be drawn only if that host was asked for it by this page.
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode().catch(() => {
    throw new Error(`${url} is not a picture that can be shown`);
  });
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * PIXELS_PER_UNIT;
  canvas.height = image.naturalHeight * PIXELS_PER_UNIT;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  // Small sprites are drawn from smaller copies; without them fine lines would flicker.
  return Texture.from({ resource: canvas, resolution: PIXELS_PER_UNIT, autoGenerateMipmaps: true });
}
