import { expect, it } from "vitest";
import { Diary } from "./diary";
import type { RenderState } from "./renderer";

const at = (time: number): RenderState => ({ schema_version: 1, headline: {}, time, time_remaining: 0 });

function diaryOf(...moments: number[]): Diary {
  const diary = new Diary(({ time }) => time);
  for (const moment of moments) {
    diary.put(moment, at(10 * moment));
  }
  return diary;
}

it("remembers the moments up to one, in their order, however they came", () => {
  const diary = diaryOf(3, 0, 2, 1);
  expect(diary.upTo(2)).toEqual({ notes: [0, 10, 20], isWhole: true });
  expect(diary.all().notes).toEqual([0, 10, 20, 30]);
});

it("says where something is missing", () => {
  const diary = diaryOf(0, 1, 4);
  expect(diary.gap).toBe(2);
  expect(diary.upTo(1).isWhole).toBe(true);
  expect(diary.upTo(4)).toEqual({ notes: [0, 10, 40], isWhole: false });
  diary.put(2, at(20));
  diary.put(3, at(30));
  expect(diary.upTo(4)).toEqual({ notes: [0, 10, 20, 30, 40], isWhole: true });
});

it("forgets what was taken back, so that another way from there is remembered alone", () => {
  const diary = diaryOf(0, 1, 2, 3);
  diary.cut(2);
  diary.put(2, at(25));
  expect(diary.all()).toEqual({ notes: [0, 10, 25], isWhole: true });
  diary.cut(0);
  expect([diary.gap, diary.has(0)]).toEqual([0, false]);
});
