import { expect, it } from "vitest";
import { Mailbox } from "./mailbox";

async function collect(mailbox: Mailbox<number>, into: number[]): Promise<void> {
  for await (const item of mailbox.items()) {
    into.push(item);
  }
}

it("delivers what came before and after the reader, in order", async () => {
  const mailbox = new Mailbox<number>();
  const got: number[] = [];
  mailbox.put(1);
  const reading = collect(mailbox, got);
  mailbox.put(2);
  mailbox.close();
  mailbox.put(3);
  await reading;
  expect(got).toEqual([1, 2]);
});

it("delivers everything before it fails", async () => {
  const mailbox = new Mailbox<number>();
  const got: number[] = [];
  mailbox.put(1);
  mailbox.fail(new Error("broke off"));
  await expect(collect(mailbox, got)).rejects.toThrow("broke off");
  expect(got).toEqual([1]);
});
