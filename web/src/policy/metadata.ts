/** Number of `metadata_props` in the ONNX format, and of key and value in each of them. */
const METADATA_FIELD = 14;
const KEY_FIELD = 1;
const VALUE_FIELD = 2;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The bytes are no protocol buffer. */
export class NotOnnx extends Error {}

/** Returns the text an ONNX file keeps under a key, null where it has none; the graph itself is skipped. */
export function readMetadata(bytes: Uint8Array, key: string): string | null {
  const text = new TextDecoder("utf-8", { fatal: true });
  for (const entry of fieldsOf(bytes)) {
    if (entry.field !== METADATA_FIELD) {
      continue;
    }
    const parts = new Map([...fieldsOf(entry.bytes)].map((part) => [part.field, part.bytes]));
    const name = parts.get(KEY_FIELD);
    if (name !== undefined && text.decode(name) === key) {
      return text.decode(parts.get(VALUE_FIELD) ?? new Uint8Array());
    }
  }
  return null;
}

interface Field {
  field: number;
  /** Empty where the field is a number. */
  bytes: Uint8Array;
}

function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at];
      if (byte === undefined || scale > Number.MAX_SAFE_INTEGER) {
        throw new NotOnnx("the file ends early or is no ONNX file");
      }
      at += 1;
      value += (byte % 128) * scale;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const kind = tag % 8;
    let content: Uint8Array = new Uint8Array();
    if (kind === VARINT) {
      skipNumber();
    } else if (kind === BYTES) {
      const length = number();
      content = bytes.subarray(at, at + length);
      at += length;
    } else if (kind === FIXED64 || kind === FIXED32) {
      at += kind === FIXED64 ? 8 : 4;
    } else {
      throw new NotOnnx("the file ends early or is no ONNX file");
    }
    if (at > bytes.length) {
      throw new NotOnnx("the file ends early or is no ONNX file");
    }
    yield { field: Math.floor(tag / 8), bytes: content };
  }

  // Its value may take ten bytes, more than a number holds, and nobody wants to know it.
  function skipNumber(): void {
    while ((bytes[at] ?? 0) >= 128) {
      at += 1;
    }
    at += 1;
  }
}
