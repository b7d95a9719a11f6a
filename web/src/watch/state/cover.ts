/** Takes away the picture that index.html puts up while the client is being loaded. */
export function liftCover(): void {
  document.getElementById("first-picture")?.remove();
}
