// What a reader does with the pages' script: sort, filter, copy, take another baseline, compare two,
// search, change the theme; by keyboard, from disk and from a server, and back again.
//
//   SITE=target/test-site/site BASELINES=target/test-site/baselines.json \
//     node --test tests/browser/reader.test.mjs

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, repository, serve } from "./browser.mjs";

const site = resolve(repository, process.env.SITE ?? "target/test-site/site");
const cases = JSON.parse(readFileSync(
  resolve(repository, process.env.BASELINES ?? "target/test-site/baselines.json"), "utf8",
));
const BOARD = "justgoal-b200/libraries-and-agents/index.html";
const OPERATOR = "justgoal-b200/operators/fa4-forward/index.html";
const IMPLEMENTATION = "justgoal-b200/implementations/justgoal/index.html";
let browser;
let server;
let bases;

before(async () => {
  server = await serve(site);
  bases = { disk: `${pathToFileURL(site).href}/`, server: server.base };
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page, lets `act` use it, and fails on any error that the page reports. */
async function on(page, act, { from = "disk", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  const faults = [];
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  tab.on("pageerror", (error) => faults.push(error.stack));
  await tab.goto(bases[from] + page);
  await act(tab, context);
  await context.close();
  assert.deepEqual(faults, []);
}

/** The page's address once it is as wanted: it follows what the reader does a moment later. */
async function address(tab, isWanted) {
  for (let tries = 0; tries < 100; tries += 1) {
    const href = await tab.evaluate(() => location.href);
    if (isWanted(href)) return href;
    await tab.waitForTimeout(50);
  }
  return assert.fail(`the address stays ${tab.url()}`);
}

/** The texts of a column of a table, shown rows only. */
const column = (table, at) => table.locator("tbody tr:not([hidden])").evaluateAll(
  (rows, at) => rows.map((row) => row.cells[at]?.innerText.split("\n")[0].trim() ?? ""), at,
);
const first = (tab) => tab.locator("main table").first();

test("the script is small enough to read", () => {
  assert.ok(statSync(join(site, "assets/site.js")).size < 32_000);
});

for (const from of ["disk", "server"]) {
  test(`a header sorts both ways and back, in the address, from ${from}`, () => on(BOARD, async (tab) => {
    const table = first(tab);
    const before = await column(table, 2);
    const head = table.locator("thead th").nth(2);
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    const numbers = (texts) => texts.map(parseFloat).filter((number) => !Number.isNaN(number));
    const up = (await column(table, 2)).slice(0, -1);
    assert.deepEqual(numbers(up), numbers(up).sort((a, b) => a - b));
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    const down = (await column(table, 2)).slice(0, -1);
    assert.deepEqual(numbers(down), numbers(up).reverse());
    for (const texts of [up, down]) {
      assert.ok(Number.isNaN(parseFloat(texts.at(-1))), "what has no number comes last");
    }
    await tab.reload();
    assert.deepEqual((await column(first(tab), 2)).slice(0, -1), down, "a reload keeps it");
    await tab.goBack();
    assert.deepEqual((await column(first(tab), 2)).slice(0, -1), up, "back undoes the last step");
    await tab.goBack();
    assert.deepEqual(await column(first(tab), 2), before);
  }, { from }));
}

for (const page of [
  "index.html", "justgoal-b200/index.html", OPERATOR, IMPLEMENTATION, "fastkernels/index.html",
  "justgoal-b200/operators/fa4-forward/gqa-g4-8-4096-causal/index.html",
]) {
  test(`a sortable header is reached within 15 Tabs on ${page}`, () => on(page, async (tab) => {
    const isSort = () => tab.evaluate(() => document.activeElement.matches("th button.sort"));
    let tabs = 0;
    for (; tabs < 15 && !await isSort(); tabs += 1) await tab.keyboard.press("Tab");
    assert.ok(await isSort(), `not within ${tabs} Tabs`);
  }));
}

test("a sortable header is reached within 15 Tabs, and Enter and Space sort", () => on(BOARD, async (tab) => {
  const state = () => tab.evaluate(() => ({
    isSort: document.activeElement.matches("th button.sort"),
    sort: document.activeElement.closest("th")?.ariaSort ?? null,
    outline: getComputedStyle(document.activeElement).outlineStyle,
  }));
  let tabs = 0;
  for (; tabs < 15 && !(await state()).isSort; tabs += 1) await tab.keyboard.press("Tab");
  const reached = await state();
  assert.ok(reached.isSort, `not within ${tabs} Tabs`);
  assert.notEqual(reached.outline, "none", "the focus is visible");
  await tab.keyboard.press("Enter");
  assert.equal((await state()).sort, "ascending");
  await tab.keyboard.press("Space");
  assert.equal((await state()).sort, "descending");
}));

test("rows are filtered by text and by column", () => on("justgoal-b200/implementations/index.html", async (tab) => {
  const table = first(tab);
  const all = await column(table, 0);
  await tab.getByRole("button", { name: /^Filter and copy/ }).first().click();
  const role = tab.getByLabel("Role");
  for (const name of ["Role", "System", "Model"]) assert.equal(await tab.getByLabel(name).count(), 1);
  await role.selectOption({ index: 1 });
  const some = await column(table, 0);
  assert.ok(some.length > 0 && some.length < all.length);
  assert.match(await tab.locator(".tools [role=status]").innerText(), /^\d+ of \d+$/);
  await tab.reload();
  assert.deepEqual(await column(first(tab), 0), some);
  await tab.getByLabel("Filter", { exact: true }).fill("no such thing at all");
  assert.deepEqual(await column(first(tab), 0), []);
  await tab.goBack();
  assert.deepEqual(await column(first(tab), 0), all);
}));

test("a table is copied as link, Markdown and CSV", () => on(`${BOARD}?t0.sort=2.d`, async (tab, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.getByRole("button", { name: /^Filter and copy/ }).first().click();
  const copied = async (what) => {
    await tab.getByRole("button", { name: `Copy ${what}` }).first().click();
    return tab.evaluate(() => navigator.clipboard.readText());
  };
  assert.match(await copied("link"), /\?t0\.sort=2\.d#/);
  const markdown = (await copied("Markdown")).split("\n");
  assert.match(markdown[0], /^\| Operator \|/);
  assert.match(markdown[1], /^\| --- \|/);
  const rows = await first(tab).locator("tbody tr").count();
  assert.equal(markdown.length, rows + 2);
  const csv = (await copied("CSV")).split("\n");
  assert.equal(csv.length, rows + 1);
  const commas = csv[0].split(",").length;
  assert.equal(markdown[0].split("|").length - 2, commas);
}, { from: "server" }));

/** What the recomputed tables of a board show, held against what the build would print. */
async function holds(tab, wanted) {
  const [overall, rows] = ["overall", "rows"].map((_, at) => tab.locator(".results").filter({
    has: tab.locator("caption", { hasText: at === 0 ? /^\s*Overall/ : /^\s*Speedup over .*better/ }),
  }).filter({ visible: true }));
  const shown = await overall.locator("tbody tr").evaluateAll((all) => all.map((row) => ({
    rank: row.cells[1].innerText.trim(),
    text: row.cells[3].matches(".word") ? "a word" : row.cells[3].querySelector("b").innerText.trim(),
    detail: row.cells[3].querySelector("small").innerText.trim(),
  })));
  assert.deepEqual(shown, wanted.overall.map((one) => ({
    rank: one.rank === null ? "—" : String(one.rank),
    text: one.value ? one.value[5] : "a word",
    detail: [one.value?.[6], `${one.counted} of ${one.total}`].filter(Boolean).join(" · "),
  })));
  const cells = await rows.locator("tbody tr").evaluateAll((all) => all.map((row) =>
    [...row.querySelectorAll("td.num, td.word")].map((cell) => cell.innerText.split("\n")[0].trim())));
  return cells;
}

/** Takes every implementation that the board's panel offers as the baseline, one by one. */
async function everyBaseline(tab, study, board) {
  await tab.getByRole("button", { name: "Other baseline or shapes" }).click();
  await tab.locator(".panel").waitFor();
  const boxes = tab.locator(".panel fieldset").first().locator("input");
  const ids = await boxes.evaluateAll((all) => all.map((one) => one.value));
  assert.ok(ids.length > 1);
  for (const id of ids) {
    const wanted = cases.find((one) => one.study === study && one.board === board
      && one.kind === "own" && one.baseline === id);
    const box = boxes.and(tab.locator(`[value="${id}"]`));
    await box.check();
    const cells = await holds(tab, wanted);
    assert.equal(cells.length, wanted.operators.length);
    wanted.operators.forEach(([, standings], at) => {
      const texts = standings.filter((one) => one.value).map((one) => one.value[5]).sort();
      assert.deepEqual(cells[at].filter((text) => text.endsWith("×")).sort(), texts, `${board} over ${id}`);
    });
    await box.uncheck();
  }
  assert.ok(await tab.locator(".published").isVisible());
}

const boards = new Set(cases.filter((one) => one.board).map((one) => `${one.study}/${one.board}`));
for (const name of boards) {
  const froms = `${name}/index.html` === BOARD ? ["disk", "server"] : ["disk"];
  for (const from of froms) {
    test(`every baseline recomputes ${name} as the build would, from ${from}`, () =>
      on(`${name}/index.html`, (tab) => everyBaseline(tab, ...name.split("/")), { from }));
  }
}

test("the address restores a baseline, and back leaves it", () => on(BOARD, async (tab) => {
  await tab.getByRole("button", { name: "Other baseline or shapes" }).click();
  await tab.locator(".panel").waitFor();
  const box = tab.locator(".panel input").first();
  await box.check();
  await address(tab, (href) => /\?libraries-and-agents\.base=/.test(href));
  await tab.reload();
  await tab.locator(".panel").waitFor();
  assert.ok(await box.isChecked());
  assert.ok(await tab.locator(".published").isHidden());
  await tab.goBack();
  await tab.locator(".published").waitFor();
}));

test("the panel is filled once, however often it is asked for while its data comes", () => on(BOARD, async (tab) => {
  await tab.evaluate(() => {
    history.replaceState(0, "", "?libraries-and-agents.base=fa4");
    for (let n = 0; n < 3; n += 1) dispatchEvent(new Event("popstate"));
  });
  await tab.locator(".panel").waitFor();
  const values = await tab.locator(".panel input").evaluateAll((all) => all.map((one) => one.value));
  assert.ok(values.length > 2);
  assert.deepEqual(values, [...new Set(values)]);
}));

test("shapes are taken out, and n follows", () => on(BOARD, async (tab) => {
  await tab.getByRole("button", { name: "Other baseline or shapes" }).click();
  await tab.locator(".panel").waitFor();
  await tab.locator('.panel input[value="fa4-forward"]').uncheck();
  assert.match(await tab.locator("main p.answer[role=status]").innerText(), /on 30 of 42 shapes/);
  const numbers = await tab.locator(".scroll:visible").first().locator("tbody tr").first().innerText();
  assert.match(numbers, /of 30/);
  await tab.getByRole("button", { name: "Reset" }).click();
  await tab.locator(".published").waitFor();
  await address(tab, (href) => new URL(href).search === "");
}));

test("an operator's page is recomputed shape by shape", () => on(
  `${OPERATOR}?libraries-and-agents.base=flashinfer,fa4`, async (tab) => {
    await tab.locator(".panel").waitFor();
    const rows = tab.locator("[data-board=libraries-and-agents] .scroll:visible").nth(1).locator("tbody tr");
    assert.equal(await rows.count(), 12);
    const link = rows.first().locator("th a");
    assert.match(await link.getAttribute("href"), /operators\/fa4-forward\/[^/]+\/index\.html$/);
    await link.click();
    await tab.getByRole("heading", { level: 1 }).waitFor();
  },
));

test("two implementations are compared as the build would", () => on(IMPLEMENTATION, async (tab) => {
  await tab.getByRole("button", { name: "Choose one of the study" }).click();
  const select = tab.locator("section.compare select");
  await select.selectOption("kda-0.5");
  const wanted = cases.find((one) => one.study === "justgoal-b200" && one.board === null
    && one.baseline === "kda-0.5").overall.find((one) => one.contender === "justgoal");
  const answer = tab.locator("section.compare p[role=status]");
  await answer.waitFor();
  const text = await answer.innerText();
  assert.ok(text.includes(wanted.value[5]), `${wanted.value[5]} in ${text}`);
  assert.ok(text.includes(`n = ${wanted.counted} of ${wanted.total}`), text);
  const [wins, ties, losses, open] = [...text.matchAll(/(\d+) (?:wins|ties|losses|undecided)/g)]
    .map((match) => Number(match[1]));
  assert.equal(wins + ties + losses + open, wanted.counted);
  const rows = tab.locator("section.compare .scroll").nth(1).locator("tbody tr");
  assert.equal(await rows.count(), wanted.counted);
  assert.ok(await rows.first().locator("svg.mini rect").isVisible());
  await address(tab, (href) => /\?with=kda-0\.5$/.test(href));
  await tab.reload();
  await answer.waitFor();
  assert.equal(await answer.innerText(), text, "the address is enough");
  await tab.goBack();
  await answer.waitFor({ state: "detached" });
}));

test("search jumps by keyboard", () => on(BOARD, async (tab) => {
  await tab.keyboard.press("/");
  const box = tab.getByRole("dialog").getByLabel("Search");
  await box.waitFor();
  await box.pressSequentially("rmsnorm");
  const hits = tab.getByRole("dialog").getByRole("link");
  await hits.first().waitFor();
  await address(tab, (href) => /find=rmsnorm/.test(href));
  const focused = () => tab.evaluate(() => document.activeElement.innerText);
  await tab.keyboard.press("ArrowDown");
  assert.equal(await focused(), await hits.first().innerText());
  await tab.keyboard.press("ArrowDown");
  assert.equal(await focused(), await hits.nth(1).innerText());
  for (const up of ["first", "box", "last"]) {
    await tab.keyboard.press("ArrowUp");
    const wanted = { first: hits.first(), box, last: hits.last() }[up];
    assert.ok(await wanted.evaluate((one) => one === document.activeElement), up);
  }
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("Enter");
  await tab.getByRole("heading", { level: 1, name: /RMSNorm/ }).waitFor();
  await tab.goBack();
  await hits.first().waitFor();
  await tab.keyboard.press("Escape");
  await tab.getByRole("dialog").waitFor({ state: "hidden" });
  await address(tab, (href) => !/find=/.test(href));
}));

for (const from of ["disk", "server"]) {
  test(`a figure gives its values and its picture, from ${from}`, () => on(BOARD, async (tab) => {
    const figure = tab.locator("figure.chart").first();
    const reading = figure.locator(".reading");
    const hint = await reading.innerText();
    const spots = figure.locator(".spot");
    const titles = await spots.evaluateAll((all) => all.map((one) => one.textContent));
    assert.match(titles[0], /: \d[\d.]*× \([\d.]+–[\d.]+\)$/);
    await figure.scrollIntoViewIfNeeded();
    await spots.nth(2).hover();
    assert.equal(await reading.innerText(), titles[2]);
    await tab.mouse.move(5, 5);
    assert.equal(await reading.innerText(), hint);
    await figure.locator(".drawing").focus();
    const read = [await reading.innerText()];
    for (const key of ["ArrowDown", "ArrowUp", "ArrowUp"]) {
      await tab.keyboard.press(key);
      read.push(await reading.innerText());
    }
    assert.deepEqual(read, [titles[0], titles[1], titles[0], titles.at(-1)]);
    assert.equal(await figure.locator(".spot.on").count(), 1);
    const [picture] = await Promise.all([
      tab.waitForEvent("download"), figure.getByRole("button", { name: "PNG" }).click(),
    ]);
    assert.match(picture.suggestedFilename(), /^bars-.*\.png$/);
    const bytes = readFileSync(await picture.path());
    assert.deepEqual([...bytes.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
    assert.equal(bytes.readUInt32BE(16), 3 * 480);
    assert.ok(bytes.length > 10_000, "it is not empty");
  }, { from }));
}

test("search finds every kind", () => {
  const entries = JSON.parse(readFileSync(join(site, "search.json"), "utf8"));
  for (const kind of ["study", "board", "table", "operator", "shape", "implementation", "batch", "run", "note", "page"]) {
    assert.ok(entries.some((one) => one.kind === kind), kind);
  }
  for (const { href } of entries) {
    const [path, place] = href.split("#");
    const page = readFileSync(join(site, path), "utf8");
    assert.ok(!place || page.includes(`id="${place}"`), href);
  }
});

test("the theme is kept", () => on(BOARD, async (tab) => {
  const ground = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const toggle = tab.getByRole("button", { name: /^Theme/ });
  await toggle.click();
  await toggle.click();
  assert.equal(await toggle.innerText(), "Theme: dark");
  const dark = await ground();
  assert.notEqual(dark, light);
  await tab.goto(`${bases.server}index.html`);
  assert.equal(await ground(), dark);
}, { from: "server", colorScheme: "light" }));

test("nothing moves when the script comes", () => on(BOARD, async (tab) => {
  const shift = await tab.evaluate(() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
  }));
  assert.ok(shift < 0.001, `${shift}`);
}));

for (const page of ["index.html", "justgoal-b200/index.html", BOARD]) {
  test(`the first results stand high on ${page}`, async () => {
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await on(page, async (tab) => {
        const tops = await tab.locator("main table tbody tr").evaluateAll((rows) =>
          rows.map((row) => row.getBoundingClientRect().top));
        assert.ok(tops[0] < (width > 400 ? 400 : height), `${tops[0]} px at ${width}`);
        // The tenth row ends where the next begins.
        if (width > 400) assert.ok(tops[10] <= height, `ten rows end at ${tops[10]} px`);
      }, { viewport: { width, height } });
    }
  });
}

test("at 390 pixels all tools fit and are large enough", () => on(
  `${BOARD}?libraries-and-agents.base=fa4&t0.q=fa4`, async (tab) => {
    await tab.locator(".panel").waitFor();
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide}`);
    const small = await tab.locator("button:visible, select:visible, .tools label:visible").evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.outerHTML.slice(0, 90)));
    assert.deepEqual(small, []);
  }, { viewport: { width: 390, height: 844 } },
));

test("without JavaScript there are no controls, and the numbers stand", () => on(BOARD, async (tab) => {
  assert.equal(await tab.locator("button:visible").count(), 0);
  assert.match((await column(first(tab), 2)).join(" "), /\d×/);
}, { javaScriptEnabled: false }));
