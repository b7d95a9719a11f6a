/** Hands items from callbacks to an async loop, in order; the first closing or failure is final. */
export class Mailbox<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | null = null;
  #isClosed = false;
  #failure: Error | null = null;

  put(item: Item): void {
    if (!this.#isClosed) {
      this.#items.push(item);
      this.#wake?.();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  fail(failure: Error): void {
    if (!this.#isClosed) {
      this.#failure = failure;
      this.close();
    }
  }

  async *items(): AsyncGenerator<Item> {
    while (true) {
      const item = this.#items.shift();
      if (item !== undefined) {
        yield item;
      } else if (this.#isClosed) {
        if (this.#failure !== null) {
          throw this.#failure;
        }
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
