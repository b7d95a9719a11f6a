import { describe, expect, it } from "vitest";
import { opposingSeats } from "./opposing";

describe("opposingSeats", () => {
  it("leaves the own side and empty seats to others", () => {
    expect(opposingSeats({ agents: 6, seat: 1, sides: [0, 0, 0, 1, 1, -1] })).toEqual([3, 4]);
  });

  it("is the other side for whoever sits there", () => {
    expect(opposingSeats({ agents: 5, seat: 3, sides: [0, 0, 0, 1, 1] })).toEqual([0, 1, 2]);
  });

  it("is everybody of every other side", () => {
    expect(opposingSeats({ agents: 4, seat: 0, sides: [2, 0, 1, 2] })).toEqual([1, 2]);
  });

  it("is everybody else in a world without sides", () => {
    expect(opposingSeats({ agents: 3, seat: 1, sides: null })).toEqual([0, 2]);
  });
});
