// axe-core on every kind of page, in both themes and with the tools open, and the Nu validator on
// the HTML where there is Java.
//
//   SITE=target/test-site/site node --test tests/browser/quality.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { launch, pagesOf, repository, samplesOf, serve } from "./browser.mjs";

const site = resolve(repository, process.env.SITE ?? "target/test-site/site");
const samples = samplesOf(pagesOf(site));
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let browser;
let server;

before(async () => {
  server = await serve(site);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Runs axe on the page as it is; a fault per rule and place. */
async function faultsOf(tab, path, options = {}) {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate((options) => window.axe.run(document, options), {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    ...options,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${path}: ${id}: ${node.target}: ${node.html.slice(0, 120)}`));
}

for (const [colorScheme, options] of [
  ["light", {}],
  // The themes differ in colours alone.
  ["dark", { runOnly: { type: "rule", values: ["color-contrast"] } }],
]) {
  test(`axe finds nothing on any kind of page, ${colorScheme}`, async () => {
    const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const tab = await context.newPage();
    const faults = [];
    for (const path of samples) {
      await tab.goto(server.base + path);
      faults.push(...await faultsOf(tab, path, options));
    }
    await context.close();
    assert.deepEqual(faults, []);
  });

  test(`axe finds nothing with the tools open, ${colorScheme}`, async () => {
    const context = await browser.newContext({ colorScheme });
    const tab = await context.newPage();
    const faults = [];
    for (const path of [
      "justgoal-b200/libraries-and-agents/index.html?libraries-and-agents.base=fa4&t0.q=a",
      "justgoal-b200/operators/fa4-forward/index.html?libraries-and-agents.base=fa4",
      "justgoal-b200/implementations/justgoal/index.html?with=kda-0.5",
      "index.html?find=attention",
    ]) {
      await tab.goto(server.base + path);
      await tab.locator(".panel:visible, section.compare select:visible, dialog li a").first().waitFor();
      faults.push(...await faultsOf(tab, path, options));
    }
    await context.close();
    assert.deepEqual(faults, []);
  });
}

const hasJava = () => {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test("the HTML is valid", { skip: !hasJava() && "no Java here" }, () => {
  const jar = require.resolve("vnu-jar/build/dist/vnu.jar");
  const files = samples.map((page) => join(site, page));
  let report;
  try {
    report = execFileSync("java", ["-Xss4m", "-jar", jar, "--stdout", "--format", "json", ...files],
      { encoding: "utf8", maxBuffer: 1 << 28 });
  } catch (failed) {
    report = failed.stdout;
  }
  const { messages } = JSON.parse(report);
  const faults = messages.filter((one) => one.type === "error")
    .map((one) => `${one.url.split("/site/").at(-1)}:${one.lastLine}: ${one.message}`);
  assert.deepEqual([...new Set(faults)].slice(0, 40), []);
});
