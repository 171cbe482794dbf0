// The script's engine against the build's numbers: every board with every implementation as its
// baseline, every pair of implementations on every board and over the whole study, and the boards
// as they are published. What `examples/baselines.rs` prints is what the build would print.
//
//   SITE=target/test-site/site BASELINES=target/test-site/baselines.json \
//     node --test tests/browser/engine.test.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const repository = resolve(fileURLToPath(import.meta.url), "../../..");
const site = resolve(repository, process.env.SITE ?? "target/test-site/site");
const cases = JSON.parse(readFileSync(
  resolve(repository, process.env.BASELINES ?? "target/test-site/baselines.json"), "utf8",
));
const module = { exports: {} };
new Function("module", readFileSync(join(site, "assets/site.js"), "utf8"))(module);
const engine = module.exports;

const KINDS = { "published-digits": "published digits", rounds: "95 % over rounds", mixed: "mixed" };

/** A study as the page's script reads it. */
function study(id) {
  const script = readFileSync(join(site, id, "data/records.js"), "utf8");
  return engine.openData(new Function(`${script} return paceboardRecords;`)());
}

/** An estimate in the form of the expected one: numbers, and both texts. */
function shown(estimate) {
  if (!estimate) return null;
  const { value, low, high, kind, verdict } = estimate;
  return {
    numbers: [value, low ?? null, high ?? null], kind, verdict,
    texts: [engine.times(value), engine.interval(estimate)],
  };
}

function expected(value) {
  if (!value) return null;
  const [number, low, high, kind, verdict, text, interval] = value;
  return {
    numbers: [number, low, high], kind: KINDS[kind] ?? "one round: no interval", verdict,
    texts: [text, interval],
  };
}

let compared = 0;
let furthest = 0;

function same(got, wanted, where) {
  compared += 1;
  if (!got || !wanted) {
    assert.deepEqual(got, wanted, where);
    return;
  }
  got.numbers.forEach((number, at) => {
    const other = wanted.numbers[at];
    if (number === null || other === null) assert.equal(number, other, where);
    else furthest = Math.max(furthest, Math.abs(number / other - 1));
  });
  assert.deepEqual([got.texts, got.kind, got.verdict], [wanted.texts, wanted.kind, wanted.verdict], where);
}

function standing(one) {
  return { contender: one.contender.id, counted: one.counted, total: one.total, rank: one.rank ?? null };
}

function check(data, one) {
  const published = data.boards.find((board) => board.id === one.board) ?? data.whole;
  const alone = (at) => ({ id: data.implementations[at][0], name: "", members: [at] });
  const baseline = one.baseline === null ? published.baseline
    : alone(data.implementations.findIndex(([id]) => id === one.baseline));
  const contenders = one.kind === "own" ? published.contenders
    : data.implementations.map((_, at) => alone(at));
  const board = { ...published, baseline, contenders };
  const grid = engine.grid(data, board);
  const where = `${one.study}, ${one.board ?? "whole study"}, over ${one.baseline ?? "its own"}`;

  const key = (shape) => data.shapes[shape].path;
  assert.deepEqual(board.shapes.map(key).sort(), one.shapes.map(([shape]) => shape).sort(), where);
  const place = new Map(board.shapes.map((shape) => [key(shape), shape]));
  for (const [shape, cells] of one.shapes) {
    grid.rows.get(place.get(shape)).forEach((cell, at) => {
      if (cell.word !== undefined) assert.match(cell.word, /./, where);
      same(shown(cell.estimate), expected(cells[at]), `${where}, ${shape}, ${at}`);
    });
  }
  const scopes = [...one.operators.map(([operator, standings]) => [
    board.shapes.filter((shape) => data.shapes[shape].folder === operator),
    standings, `${where}, ${operator}`,
  ]), [board.shapes, one.overall, where]];
  for (const [shapes, standings, place] of scopes) {
    const ranked = grid.rank(shapes);
    assert.deepEqual(
      ranked.standings.map(standing),
      standings.map(({ contender, counted, total, rank }) => ({ contender, counted, total, rank })),
      place,
    );
    ranked.standings.forEach((got, at) => {
      const wanted = standings[at];
      assert.equal(got.failed, wanted.failed > 0, `${place}, ${wanted.contender}`);
      same(shown(got.estimate), expected(wanted.value), `${place}, ${wanted.contender}`);
    });
  }
  if (one.kind === "pair") return;
  grid.rank(board.shapes).comparisons.forEach((got, at) => {
    const wanted = one.comparisons[at];
    const pair = `${where}, ${wanted.contender} against ${wanted.against}`;
    assert.deepEqual([got.common, got.through], [wanted.common, wanted.through], pair);
    same(shown(got.estimate), expected(wanted.value), pair);
  });
}

for (const id of new Set(cases.map((one) => one.study))) {
  const own = cases.filter((one) => one.study === id);
  for (const kind of ["own", "pair", "compare"]) {
    test(`${id}: ${kind}`, () => {
      const data = study(id);
      const before = compared;
      for (const one of own.filter((other) => other.kind === kind)) check(data, one);
      assert.ok(compared > before, "something was compared");
    });
  }
}

test("the numbers agree far beyond the digits shown", () => {
  assert.ok(furthest < 1e-13, `${furthest}`);
  console.log(`${compared} results compared; the furthest is off by ${furthest}`);
});

test("numbers are rounded half to even", () => {
  for (const [value, text] of [
    [0.9186, "0.919"], [0.9996, "1.00"], [1, "1.00"], [1.125, "1.12"], [1.375, "1.38"],
    [9.995, "9.99"], [12.34, "12.3"], [1234.5, "1230"], [0.012345, "0.0123"], [0.125, "0.125"],
    [2.5e-7, "0.000000250"], [1e9 + 5e6, "1000000000"],
  ]) {
    assert.equal(engine.significant(value), text);
  }
  assert.equal(engine.interval({ low: 1.661, high: 1.662 }), "1.661–1.662");
  assert.equal(engine.interval({ low: 1, high: 1 }), "1.00");
  assert.equal(engine.interval({}), "");
});
