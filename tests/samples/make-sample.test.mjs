import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "node:test";

const program = fileURLToPath(new URL("make-sample.mjs", import.meta.url));
const made = (...args) => execFileSync(process.execPath, [program, ...args], { maxBuffer: 64 * 1024 * 1024 });

test("the committed sample is what the program makes", () => {
  assert.deepEqual(made(), readFileSync(new URL("permits-sample.csv", import.meta.url)));
});

test("the same numbers give the same bytes, another seed gives others", () => {
  assert.deepEqual(made("--rows", "500", "--seed", "7"), made("--seed", "7", "--rows", "500"));
  assert.notDeepEqual(made("--rows", "500", "--seed", "7"), made("--rows", "500", "--seed", "8"));
});

test("a larger sample has as many rows as asked for, two of them short, and no number twice", () => {
  const [header, ...rows] = made("--rows", "5000").toString().trimEnd().split("\n");
  assert.equal(header.split(",").length, 23);
  assert.equal(rows.length, 5000);
  assert.equal(rows.filter((row) => row.startsWith(",")).length, 2);
  assert.equal(new Set(rows.map((row) => row.slice(0, 21))).size, 5000);
});

test("a number that is none ends with code 2 and no output", () => {
  for (const args of [["--rows", "many"], ["--rows"], ["--rows", "0"], ["--seed", "1.5"]]) {
    const run = spawnSync(process.execPath, [program, ...args]);
    assert.equal(run.status, 2);
    assert.equal(run.stdout.length, 0);
  }
});
