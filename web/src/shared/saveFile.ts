/** Hands a file to the reader's downloads. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // The download starts after this call returns; the address must outlive it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function saveText(text: string, fileName: string, type = "text/csv"): void {
  saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}
